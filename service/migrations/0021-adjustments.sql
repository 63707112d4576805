-- Adjusting entries of rate corrections: what the taxes of a transaction should have been by rules that were recorded
-- later. The transaction itself is never changed; rows are never edited.
CREATE TABLE adjustments (
  psp_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  revision integer NOT NULL,         -- of the transaction that was looked at; a later one is priced anew
  number integer NOT NULL,           -- 1, 2, 3 … of this revision; each begins where the one before ended
  entry_id uuid NOT NULL,            -- the adjusting entry it was made with, as in the journal
  account_id uuid NOT NULL,
  country text NOT NULL,
  currency text NOT NULL,
  day date NOT NULL,                 -- the date that decided, in the country's own calendar
  dataset text NOT NULL,             -- version of the rules it was made by
  vat_before numeric NOT NULL,
  vat_after numeric NOT NULL,
  transaction_vat_before numeric NOT NULL,
  transaction_vat_after numeric NOT NULL,
  remainder_before numeric NOT NULL,
  remainder_after numeric NOT NULL,
  tax_after text NOT NULL,           -- JSON: rules with taxable amount and tax, as in a transaction's evidence
  reason text NOT NULL,
  actor text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, transaction_id, revision, number)
);
CREATE INDEX adjustments_by_time ON adjustments (psp_id, created_at);
CREATE INDEX adjustments_by_day ON adjustments (psp_id, country, day);
GRANT SELECT, INSERT ON adjustments TO assay_app;
