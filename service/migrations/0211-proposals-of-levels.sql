-- A proposal may raise the verification level of a client.
ALTER TABLE proposals DROP CONSTRAINT proposals_kind_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_kind_check CHECK (kind IN ('TAX', 'FEE', 'FEE_END', 'CORRECTION', 'RISK', 'LEVEL'));
