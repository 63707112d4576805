-- Exclusions and limits of players. A player is found by keyed hashes only: nothing here can be read back to a person.
CREATE TABLE player_restrictions (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,          -- the operator it applies to; the PSP for all of its operators
  kind text NOT NULL CHECK (kind IN ('EXCLUSION', 'DEPOSIT', 'LOSS', 'STAKE')),
  subjects text NOT NULL,            -- JSON: keyed hashes of e-mails, telephone numbers and documents
  source text NOT NULL,              -- a register's name, PLAYER or OPERATOR
  reference text,                    -- the register's reference
  country text,                      -- whose law and calendar apply
  period text CHECK (period IN ('DAY', 'WEEK', 'MONTH')),
  currency text,
  amount numeric,
  pending_amount numeric,            -- in force from pending_from on
  pending_from timestamptz,
  from_at timestamptz NOT NULL,
  until_at timestamptz,
  set_by text NOT NULL,              -- an actor, as in the journal
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
CREATE INDEX player_restrictions_by_account ON player_restrictions (psp_id, account_id, id);

-- By which values each is found.
CREATE TABLE player_keys (
  psp_id uuid NOT NULL,
  hash text NOT NULL,
  restriction_id uuid NOT NULL,
  PRIMARY KEY (psp_id, hash, restriction_id)
);

-- What each PSP does about them: OFF, OBSERVE or ENFORCE.
CREATE TABLE player_policies (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,                  -- the PSP's
  exclusions text NOT NULL CHECK (exclusions IN ('OFF', 'OBSERVE', 'ENFORCE')),
  limits text NOT NULL CHECK (limits IN ('OFF', 'OBSERVE', 'ENFORCE')),
  country_limits text NOT NULL CHECK (country_limits IN ('OFF', 'OBSERVE', 'ENFORCE')),
  set_by text NOT NULL,
  version integer NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);

GRANT SELECT, INSERT, UPDATE ON player_restrictions, player_policies TO assay_app;
GRANT SELECT, INSERT ON player_keys TO assay_app;
