-- Exchange rates as central banks and tax authorities published them. A corrected rate is a further revision; the former
-- ones stay. They belong to no PSP.
CREATE TABLE exchange_rates (
  publisher text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('DAY', 'MONTH')),
  currency text NOT NULL,
  day date NOT NULL,                 -- of a MONTH its first day
  revision integer NOT NULL CHECK (revision >= 1),
  base text NOT NULL,                -- the publisher's own currency
  per text NOT NULL CHECK (per IN ('CURRENCY', 'BASE')),
  units integer NOT NULL,            -- of the currency (or of the base) for which the rate is paid
  rate numeric NOT NULL CHECK (rate > 0),
  load_id uuid NOT NULL,
  file_sha256 text NOT NULL,
  read_from date,                    -- first day that was read of the file; null if further rows of it follow
  loaded_at timestamptz NOT NULL,
  PRIMARY KEY (publisher, kind, currency, day, revision)
);
CREATE INDEX exchange_rates_by_day ON exchange_rates (day DESC, publisher, kind, currency, revision DESC);
CREATE INDEX exchange_rates_by_load ON exchange_rates (load_id);
CREATE INDEX exchange_rates_by_file ON exchange_rates (file_sha256);

GRANT SELECT, INSERT ON exchange_rates TO assay_app;
