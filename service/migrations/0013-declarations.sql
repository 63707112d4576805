-- What operators declared to their authorities for a month of call detail records. Rows are never edited: the latest
-- revision of an account and period is in force.
CREATE TABLE cdr_declarations (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  recorded_by uuid,                  -- null where staff recorded it
  period text NOT NULL,              -- YYYY-MM, in the calendar of the account's country
  revision integer NOT NULL,         -- from 1; that of its ref
  content text NOT NULL,             -- SHA-256 of the lines: the same again changes nothing
  lines text NOT NULL,               -- JSON
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE UNIQUE INDEX cdr_declarations_by_period ON cdr_declarations (psp_id, account_id, period, revision);
GRANT SELECT, INSERT ON cdr_declarations TO assay_app;
