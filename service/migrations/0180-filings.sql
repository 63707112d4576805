-- Returns that were filed with an authority: what was declared, for which period, by whom. None is changed or removed.
CREATE TABLE filings (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,          -- the taxpayer: a client, or the PSP with all its clients
  report_id uuid NOT NULL,           -- the report that was filed
  form text NOT NULL,
  country text NOT NULL,
  period text NOT NULL,
  first_day date NOT NULL,           -- in the calendar of the country
  last_day date NOT NULL,
  currency text NOT NULL,
  payable numeric NOT NULL,          -- the box with the tax to pay
  document_sha256 text NOT NULL,     -- of the report's JSON
  boxes text NOT NULL,               -- JSON: {box, figure}, in the form's order
  lines text NOT NULL,               -- JSON: by rule, operation and currency, with the corrections of earlier periods
  reference text NOT NULL,           -- the authority's
  filed_on date NOT NULL,
  filed_by text NOT NULL,            -- an actor, as in the journal
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
-- Two that begin alike overlap; others are found under the lock they are recorded under.
CREATE UNIQUE INDEX filings_by_period ON filings (psp_id, account_id, form, first_day);
CREATE INDEX filings_by_report ON filings (psp_id, report_id);

GRANT SELECT, INSERT ON filings TO assay_app;
