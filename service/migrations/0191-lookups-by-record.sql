-- names statements
-- Finds the parties of a record, for what counts by them. The index is made while records are written; one that a killed
-- start left unfinished is made again.
WITH made AS (
  SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('lookups_by_record')
)
SELECT statement FROM (
  SELECT 1 AS nth, 'DROP INDEX lookups_by_record' AS statement FROM made WHERE NOT indisvalid
  UNION ALL
  SELECT 2, 'CREATE INDEX CONCURRENTLY lookups_by_record ON lookups (psp_id, record_id)' WHERE NOT EXISTS (SELECT FROM made)
) s ORDER BY nth LIMIT 1;
