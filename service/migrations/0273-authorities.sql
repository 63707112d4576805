-- Authorities: whose people read what concerns their country, for days, until a day. An account of kind authority is a tenant
-- of its own, as an operator's is.
ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_kind_check CHECK (kind IN ('psp', 'client', 'operator', 'authority'));
CREATE TABLE authorities (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,                  -- the account's
  country text NOT NULL,             -- ISO 3166-1 alpha-2
  tax_codes text,                    -- JSON; null for all taxes of the country
  record_kinds text NOT NULL,        -- JSON
  day_from date NOT NULL,            -- in the country's calendar, as day_to
  day_to date,                       -- null: up to the present
  until timestamptz NOT NULL,        -- its people read nothing from then on
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
GRANT SELECT, INSERT, UPDATE ON authorities TO assay_app;
ALTER TABLE proposals DROP CONSTRAINT proposals_kind_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_kind_check
  CHECK (kind IN ('TAX', 'FEE', 'FEE_END', 'CORRECTION', 'RISK', 'LEVEL', 'OPERATOR', 'OPERATOR_KEY', 'AUTHORITY', 'ERASURE'));
