-- Daily totals of transactions, wagers and payouts, kept by the journal's reader 'totals' and rebuilt from the journal
-- at any time; and what of chargebacks was set off against later transactions.

-- One row per cell that something ever stood in. gross = vat + processing_fee + transaction_fee + transaction_vat + net
-- of transactions; wagers and payouts have their amount as gross alone.
CREATE TABLE daily_totals (
  psp_id uuid NOT NULL,
  day date NOT NULL,                 -- in the country's own calendar; of a chargeback the day it was filed
  country text NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  kind text NOT NULL,                -- wire operation
  verdict text NOT NULL,             -- PENDING, APPROVED, DECLINED; CHARGED_BACK; RECORDED for wagers and payouts
  product_line text NOT NULL,        -- of wagers and payouts, else empty
  rule text NOT NULL,                -- fee row, or empty
  count bigint NOT NULL,
  gross numeric NOT NULL,
  vat numeric NOT NULL,
  processing_fee numeric NOT NULL,
  transaction_fee numeric NOT NULL,
  transaction_vat numeric NOT NULL,
  net numeric NOT NULL,
  PRIMARY KEY (psp_id, day, country, account_id, currency, kind, verdict, product_line, rule)
) WITH (fillfactor = 70);            -- a row is changed many times a day, in place

-- The taxes of the same records.
CREATE TABLE daily_tax_totals (
  psp_id uuid NOT NULL,
  day date NOT NULL,
  country text NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  kind text NOT NULL,
  verdict text NOT NULL,
  product_line text NOT NULL,
  rule text NOT NULL,                -- tax rule
  count bigint NOT NULL,
  taxable numeric NOT NULL,
  tax numeric NOT NULL,
  PRIMARY KEY (psp_id, day, country, account_id, currency, kind, verdict, product_line, rule)
) WITH (fillfactor = 70);

-- What wagers and payouts add to the bases of taxes due by periodic return; the return works out the tax.
CREATE TABLE daily_accrual_totals (
  psp_id uuid NOT NULL,
  day date NOT NULL,
  country text NOT NULL,
  account_id uuid NOT NULL,
  currency text NOT NULL,
  kind text NOT NULL,
  verdict text NOT NULL,
  product_line text NOT NULL,
  rule text NOT NULL,                -- tax rule
  count bigint NOT NULL,
  contribution numeric NOT NULL,
  PRIMARY KEY (psp_id, day, country, account_id, currency, kind, verdict, product_line, rule)
) WITH (fillfactor = 70);

-- Transactions decided anew on another day than the one they were made on, which their id tells: few.
CREATE TABLE redated_transactions (
  psp_id uuid NOT NULL,
  day date NOT NULL,
  transaction_id uuid NOT NULL,
  PRIMARY KEY (psp_id, day, transaction_id)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON daily_totals, daily_tax_totals, daily_accrual_totals, redated_transactions TO assay_app;

-- Amounts of a chargeback that were subtracted from what a later transaction settled (Spec 4.4). Never changed.
CREATE TABLE nettings (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  ref text NOT NULL,
  chargeback_id uuid NOT NULL,
  against_id uuid NOT NULL,          -- the later transaction
  currency text NOT NULL,
  country text NOT NULL,
  day text NOT NULL,                 -- ISO date in the calendar of that country
  vat_amount numeric NOT NULL,
  processing_fee numeric NOT NULL,
  merchant_amount numeric NOT NULL,
  transaction_fee numeric NOT NULL,
  transaction_vat numeric NOT NULL,
  request text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX nettings_by_chargeback ON nettings (psp_id, chargeback_id);
CREATE INDEX nettings_by_against ON nettings (psp_id, against_id);
CREATE INDEX nettings_by_day ON nettings (psp_id, day);

GRANT SELECT, INSERT ON nettings TO assay_app;
