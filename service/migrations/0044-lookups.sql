-- Which records name a customer, telephone number, wallet, transfer or IP address, by keyed hash: nothing in clear.
CREATE TABLE lookups (
  psp_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('customer', 'msisdn', 'wallet', 'chainHash', 'ip')),
  hash text NOT NULL,
  record_id uuid NOT NULL,
  record_kind text NOT NULL CHECK (record_kind IN ('transaction', 'wager', 'payout')),
  account_id uuid NOT NULL,
  PRIMARY KEY (psp_id, kind, hash, record_id)
);
GRANT SELECT, INSERT ON lookups TO assay_app;
