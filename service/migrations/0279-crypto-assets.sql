-- Crypto assets that staff added to the shipped ones. Rows are never changed: a row with more decimals takes the place of one
-- with fewer.
CREATE TABLE crypto_assets (
  symbol text NOT NULL,
  network text NOT NULL,
  decimals integer NOT NULL,
  name text NOT NULL,
  recorded_at timestamptz NOT NULL,
  PRIMARY KEY (symbol, network, decimals)
);
GRANT SELECT, INSERT ON crypto_assets TO assay_app;
