-- A proposal may let an operator's key be issued, an operator be created or a person be erased, once.
ALTER TABLE proposals DROP CONSTRAINT proposals_kind_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_kind_check
  CHECK (kind IN ('TAX', 'FEE', 'FEE_END', 'CORRECTION', 'RISK', 'LEVEL', 'OPERATOR', 'OPERATOR_KEY', 'ERASURE'));
ALTER TABLE proposals DROP CONSTRAINT proposals_state_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_state_check CHECK (state IN ('OPEN', 'APPROVED', 'REJECTED', 'DONE'));
