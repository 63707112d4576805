-- Journal entries that a reader could not digest: it has gone on without them, and tries them again at each start.
CREATE TABLE journal_set_aside (
  psp_id uuid NOT NULL,
  reader text NOT NULL,
  seq bigint NOT NULL,               -- place in the PSP's journal
  error text NOT NULL,               -- of the last try
  tries integer NOT NULL DEFAULT 1,  -- times it was set aside
  set_aside_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (psp_id, reader, seq)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON journal_set_aside TO assay_app;
