-- A chargeback that the PSP or its client disputes at the scheme: one dispute for each.
CREATE TABLE disputes (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  chargeback_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  reason text NOT NULL,
  evidence_due_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('OPEN', 'SUBMITTED', 'WON', 'LOST')),
  evidence text NOT NULL,            -- JSON: {at, by, text, sealed, documents}, in order
  outcome_reason text,               -- what the scheme said
  opened_by text NOT NULL,           -- an actor, as in the journal
  subject text,                      -- whose key sealed texts are under
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE UNIQUE INDEX disputes_by_chargeback ON disputes (psp_id, chargeback_id);
CREATE INDEX disputes_by_account ON disputes (psp_id, account_id, id);

GRANT SELECT, INSERT, UPDATE ON disputes TO assay_app;
