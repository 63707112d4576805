-- What was charged of a client or customer in a day, month or year, for taxes whose law counts it. The ref of a row
-- (space tax_sum) is locked by each decision that counts, so that no two are made on the same sum.
CREATE TABLE tax_sums (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,                  -- the target of its ref
  account_id uuid NOT NULL,          -- the client; the PSP for a sum of a customer
  sum text NOT NULL,                 -- tax, period and currency, and whose
  base numeric NOT NULL,
  records integer NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
GRANT SELECT, INSERT, UPDATE ON tax_sums TO assay_app;
