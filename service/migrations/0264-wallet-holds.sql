-- Holds of wallets. A wallet is a keyed hash, the same by which records that name it are found; its address is sealed
-- where somebody gave it, and otherwise only in the transaction that the hold was placed from.
CREATE TABLE wallet_holds (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  wallet text NOT NULL,              -- keyed hash of the address
  address_sealed text,
  transaction_id uuid,               -- that names the wallet
  case_id uuid,                      -- that it was placed from, and is ended from
  reason text NOT NULL,
  set_by text NOT NULL,              -- an actor, as in the journal; `rule:` and its id for a rule
  until_at timestamptz,              -- null: until somebody ends it
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX wallet_holds_by_wallet ON wallet_holds (psp_id, wallet, id);
CREATE INDEX wallet_holds_by_case ON wallet_holds (psp_id, case_id, id) WHERE case_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON wallet_holds TO assay_app;
