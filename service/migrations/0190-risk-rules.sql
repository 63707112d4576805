-- The risk book: its rules by version, what a PSP has switched on, what rules matched, and the recent activity they count.
CREATE TABLE risk_rules (
  id text NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  rule text NOT NULL,                -- JSON, as it was shipped or proposed
  origin text NOT NULL CHECK (origin IN ('shipped', 'operator')),
  actor text NOT NULL,               -- who approved it, as in the journal; 'system' for a shipped one
  recorded_at timestamptz NOT NULL,
  superseded_at timestamptz,
  PRIMARY KEY (id, version)
);
CREATE UNIQUE INDEX risk_rules_live ON risk_rules (id) WHERE superseded_at IS NULL;

-- Which rules decline transactions of a PSP. Each change is a version; none is removed.
CREATE TABLE risk_policies (
  psp_id uuid NOT NULL,
  version integer NOT NULL CHECK (version >= 1),
  account_id uuid NOT NULL,
  declining text NOT NULL,           -- JSON: ids of rules
  reason text NOT NULL,
  set_by text NOT NULL,              -- an actor, as in the journal
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, version)
);

-- Records that a rule matched, with the values its counters had. Written by the reader of the journal, once for each.
CREATE TABLE risk_matches (
  psp_id uuid NOT NULL,
  record_id uuid NOT NULL,
  rule text NOT NULL,
  version integer NOT NULL,
  operation text NOT NULL,
  account_id uuid NOT NULL,
  shadow boolean NOT NULL,           -- by a proposed version, which has no effect
  currency text NOT NULL,
  amount numeric NOT NULL,
  counters text NOT NULL,            -- JSON: values by name
  matched_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, record_id, rule, version)
);
CREATE INDEX risk_matches_by_rule ON risk_matches (psp_id, rule, matched_at DESC);

-- How many records of a client a rule matched on a day in UTC: of a rule that opens no review the first of a day alone have
-- rows above, so that one that matches everything costs little.
CREATE TABLE risk_match_counts (
  psp_id uuid NOT NULL,
  rule text NOT NULL,
  version integer NOT NULL,
  day date NOT NULL,
  account_id uuid NOT NULL,
  matches bigint NOT NULL,
  PRIMARY KEY (psp_id, rule, version, day, account_id)
);

-- Recent activity by client, customer, wallet and so on: one row each, of bounded size (core/risk/activity.ts).
CREATE TABLE risk_activity (
  psp_id uuid NOT NULL,
  dimension text NOT NULL,
  key text NOT NULL,                 -- a keyed hash, or what is public anyway
  state text NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, dimension, key)
);

GRANT SELECT, INSERT, UPDATE ON risk_rules TO assay_app;
GRANT SELECT, INSERT ON risk_policies TO assay_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON risk_matches TO assay_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON risk_activity, risk_match_counts TO assay_app;

-- Also a rule of the risk book can be proposed.
ALTER TABLE proposals DROP CONSTRAINT proposals_kind_check;
ALTER TABLE proposals ADD CONSTRAINT proposals_kind_check
  CHECK (kind IN ('TAX', 'FEE', 'FEE_END', 'CORRECTION', 'RISK'));
