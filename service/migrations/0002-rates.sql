-- Rates in force and their past, bitemporal: when a rule is valid (local dates) and when it was recorded here.
-- Rows are never updated but for the moment they were superseded.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- A country's file as it was loaded.
CREATE TABLE tax_countries (
  jurisdiction text NOT NULL,
  recorded_at timestamptz NOT NULL,
  superseded_at timestamptz,
  origin text NOT NULL CHECK (origin IN ('shipped', 'operator')),
  actor text NOT NULL,
  reason text NOT NULL,
  hash text NOT NULL,
  document text NOT NULL,
  PRIMARY KEY (jurisdiction, recorded_at)
);
CREATE UNIQUE INDEX tax_countries_live ON tax_countries (jurisdiction) WHERE superseded_at IS NULL;

-- Its rows. Two live rows that would answer the same question on the same day cannot both stand.
CREATE TABLE tax_rules (
  rule_id text NOT NULL,
  jurisdiction text NOT NULL,
  slot text NOT NULL,                -- what the row competes for
  valid daterange NOT NULL,
  recorded tstzrange NOT NULL,
  rule text NOT NULL,
  PRIMARY KEY (rule_id, recorded),
  EXCLUDE USING gist (jurisdiction WITH =, slot WITH =, valid WITH &&, recorded WITH &&)
);

-- Each state of the whole: transactions name the version they were priced with.
CREATE TABLE tax_datasets (
  recorded_at timestamptz PRIMARY KEY,
  version text NOT NULL
);

-- Supersedes countries in one step, all or nothing. The version is the hash over all live country files.
CREATE FUNCTION load_tax(p_countries json, p_origin text, p_actor text, p_reason text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
  made text;
BEGIN
  LOCK TABLE tax_datasets IN SHARE ROW EXCLUSIVE MODE;
  SELECT greatest(clock_timestamp(), max(recorded_at) + interval '1 microsecond') INTO moment FROM tax_datasets;
  moment := coalesce(moment, clock_timestamp());
  UPDATE tax_countries t SET superseded_at = moment
  FROM json_to_recordset(p_countries) AS c(jurisdiction text)
  WHERE t.jurisdiction = c.jurisdiction AND t.superseded_at IS NULL;
  UPDATE tax_rules r SET recorded = tstzrange(lower(r.recorded), moment)
  FROM json_to_recordset(p_countries) AS c(jurisdiction text)
  WHERE r.jurisdiction = c.jurisdiction AND upper_inf(r.recorded);
  INSERT INTO tax_countries (jurisdiction, recorded_at, origin, actor, reason, hash, document)
  SELECT c.jurisdiction, moment, p_origin, p_actor, p_reason, c.hash, c.document
  FROM json_to_recordset(p_countries) AS c(jurisdiction text, hash text, document text);
  INSERT INTO tax_rules (rule_id, jurisdiction, slot, valid, recorded, rule)
  SELECT r.rule_id, c.jurisdiction, r.slot, daterange(r.valid_from, r.valid_to), tstzrange(moment, NULL), r.rule
  FROM json_to_recordset(p_countries) AS c(jurisdiction text, rules json),
    json_to_recordset(c.rules) AS r(rule_id text, slot text, valid_from date, valid_to date, rule text);
  SELECT left(encode(sha256(convert_to(string_agg(jurisdiction || ':' || hash, E'\n' ORDER BY jurisdiction), 'UTF8')), 'hex'), 16)
  INTO made FROM tax_countries WHERE superseded_at IS NULL;
  INSERT INTO tax_datasets (recorded_at, version) VALUES (moment, made);
  RETURN made;
END $$;

GRANT SELECT, INSERT, UPDATE ON tax_countries, tax_rules, tax_datasets TO assay_app;
GRANT EXECUTE ON FUNCTION load_tax TO assay_app;
