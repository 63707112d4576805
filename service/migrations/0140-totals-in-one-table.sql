-- Daily totals in one table in place of three: what a place adds up to by fee row, by tax rule and by accruing rule stand
-- beside each other in its rows, found by a key of 16 bytes. What a figure is, is the sum over the rows with its rule;
-- which rules share a row says nothing.
CREATE TABLE daily_cells (
  psp_id uuid NOT NULL,
  day date NOT NULL,                 -- in the country's own calendar; of a chargeback the day it was filed
  cell uuid NOT NULL,                -- made from the place and the rules
  country text NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  kind text NOT NULL,                -- wire operation
  verdict text NOT NULL,             -- PENDING, APPROVED, DECLINED; CHARGED_BACK; RECORDED for wagers and payouts
  product_line text NOT NULL,        -- of wagers and payouts, else empty
  fee text,                          -- fee row, or empty; null in a row without amounts
  records bigint,
  gross numeric,
  vat numeric,
  processing_fee numeric,
  transaction_fee numeric,
  transaction_vat numeric,
  net numeric,
  tax_rule text,                     -- null in a row without a tax
  taxed bigint,
  taxable numeric,
  tax numeric,
  accrual_rule text,                 -- null in a row without a contribution
  contributions bigint,
  contribution numeric,
  PRIMARY KEY (psp_id, day, cell)
) WITH (fillfactor = 70);            -- a row is changed many times a day, in place

CREATE VIEW totals_by_fee AS
  SELECT psp_id, day, country, account_id, currency, kind, verdict, product_line, fee AS rule, records AS count,
    gross, vat, processing_fee, transaction_fee, transaction_vat, net
  FROM daily_cells WHERE fee IS NOT NULL;
CREATE VIEW totals_by_tax AS
  SELECT psp_id, day, country, account_id, currency, kind, verdict, product_line, tax_rule AS rule, taxed AS count,
    taxable, tax
  FROM daily_cells WHERE tax_rule IS NOT NULL;
CREATE VIEW totals_by_accrual AS
  SELECT psp_id, day, country, account_id, currency, kind, verdict, product_line, accrual_rule AS rule,
    contributions AS count, contribution
  FROM daily_cells WHERE accrual_rule IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON daily_cells TO assay_app;
GRANT SELECT ON totals_by_fee, totals_by_tax, totals_by_accrual TO assay_app;

-- Processes of the version before go on with the tables that were, under the cursor 'totals'. What has been counted by
-- this moment is copied together with the cursor: while these are locked, nobody can commit a count.
LOCK TABLE journal_cursors, journal_set_aside IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO journal_cursors (psp_id, reader, seq)
SELECT psp_id, 'daily-totals', seq FROM journal_cursors WHERE reader = 'totals';
INSERT INTO journal_set_aside SELECT (json_populate_record(s, '{"reader":"daily-totals"}')).*
FROM journal_set_aside s WHERE reader = 'totals';
INSERT INTO daily_cells (psp_id, day, cell, country, account_id, currency, kind, verdict, product_line,
  fee, records, gross, vat, processing_fee, transaction_fee, transaction_vat, net)
SELECT psp_id, day, gen_random_uuid(), country, account_id, currency, kind, verdict, product_line,
  rule, count, gross, vat, processing_fee, transaction_fee, transaction_vat, net FROM daily_totals;
INSERT INTO daily_cells (psp_id, day, cell, country, account_id, currency, kind, verdict, product_line,
  tax_rule, taxed, taxable, tax)
SELECT psp_id, day, gen_random_uuid(), country, account_id, currency, kind, verdict, product_line,
  rule, count, taxable, tax FROM daily_tax_totals;
INSERT INTO daily_cells (psp_id, day, cell, country, account_id, currency, kind, verdict, product_line,
  accrual_rule, contributions, contribution)
SELECT psp_id, day, gen_random_uuid(), country, account_id, currency, kind, verdict, product_line,
  rule, count, contribution FROM daily_accrual_totals;
