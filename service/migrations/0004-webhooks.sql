-- Webhooks (Spec 6): how far the journal's readers have come, what is to be told to whom, and every attempt at it.

-- How far a reader of the journal has come in each PSP's journal; changed in the transaction of what it writes.
CREATE TABLE journal_cursors (
  psp_id uuid NOT NULL,
  reader text NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (psp_id, reader)
);

-- An announcement's body, the same bytes at every attempt and at every address. Its id is the journal entry's.
CREATE TABLE webhook_events (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,          -- whom it concerns
  type text NOT NULL,                -- transaction.created …
  seq bigint,                        -- place in the PSP's journal; null for a test, which no journal holds
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX webhook_events_by_account ON webhook_events (psp_id, account_id, id);

CREATE TABLE webhook_deliveries (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivering', 'delivered', 'retrying', 'exhausted', 'held')),
  attempts integer NOT NULL,         -- made so far
  next_at timestamptz,               -- earliest next attempt; null where none is due
  leased_by uuid,                    -- the process that has it in hand …
  leased_until timestamptz,          -- … and till when it may be silent
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (psp_id, webhook_id, state, next_at, id)
  WHERE state IN ('pending', 'retrying');
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (leased_until) WHERE state = 'delivering';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (psp_id, webhook_id, id) WHERE state = 'held';
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (psp_id, webhook_id, id);
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (psp_id, event_id);

CREATE TABLE webhook_attempts (
  psp_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,          -- 1, 2, 3 …
  webhook_id uuid NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  status integer,                    -- null without an answer
  stage text NOT NULL,               -- guard, connect, send, answer
  reason text NOT NULL,              -- OK, HTTP_NOT_200, TIMEOUT, …
  response text,                     -- its first 8 KiB
  PRIMARY KEY (psp_id, delivery_id, attempt)
);

-- How an address fares: changed by deliveries only, the address itself by its owner only.
CREATE TABLE webhook_health (
  psp_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  last_ok_at timestamptz,
  failing_since timestamptz,         -- first failure since the last 200
  failures integer NOT NULL,         -- since the last 200
  last_failure_at timestamptz,
  warned_hours integer NOT NULL,     -- 0, 24, 72, 96: the last warning given
  PRIMARY KEY (psp_id, webhook_id)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON journal_cursors, webhook_events, webhook_deliveries, webhook_attempts, webhook_health TO assay_app;
REVOKE UPDATE ON webhook_attempts, webhook_events FROM assay_app;
