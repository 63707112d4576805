-- Also the end of a fee row, and adjusting entries for what was taxed by a wrong rule, can be proposed.
ALTER TABLE proposals DROP CONSTRAINT proposals_kind_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_kind_check CHECK (kind IN ('TAX', 'FEE', 'FEE_END', 'CORRECTION'));
