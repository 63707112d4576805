-- What a PSP's keys and those of its clients called in the last days. No entry tells it, and it is removed after its time.
CREATE TABLE request_log (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,                  -- of one request, the id in its header x-request-id
  at timestamptz NOT NULL,
  account_id uuid NOT NULL,          -- of the key
  client_id uuid,                    -- the client whose key it is, or that the PSP named; null for the PSP itself
  key_id uuid,                       -- null for the rest of several keys
  requests integer NOT NULL CHECK (requests > 0),  -- more than one, or a single one with single = false: a counted rest
  single boolean NOT NULL,
  method text NOT NULL,
  route text,                        -- the pattern of the address; null where it was refused before it was read
  status integer NOT NULL,
  code text,
  field text,                        -- the field or parameter that a refusal names
  ref text,
  ms integer,                        -- null for a counted rest
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX request_log_by_key ON request_log (psp_id, key_id, id);
CREATE INDEX request_log_refused ON request_log (psp_id, id) WHERE status >= 400;
GRANT SELECT, INSERT, DELETE ON request_log TO assay_app;
