-- How far each backfill has come: work on the rows of earlier versions that SQL cannot do, since it needs the vault's keys
-- (platform/backfills.ts).
CREATE TABLE backfills (
  name text PRIMARY KEY,
  reached text NOT NULL DEFAULT '',   -- the backfill's own word for how far it came
  ended boolean NOT NULL DEFAULT false
);
GRANT SELECT, INSERT, UPDATE ON backfills TO assay_app;
