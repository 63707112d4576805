-- names statements
-- The index by which what is kept of the receivers of calls is counted, made as those of 0050.
WITH parts AS (
  SELECT p.relname AS part, p.relname || '_by_receiver_subject' AS own
  FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid
  WHERE h.inhparent = 'cdrs'::regclass AND NOT EXISTS (
    SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
    WHERE i.indrelid = p.oid AND a.inhparent = to_regclass('cdrs_by_receiver_subject'))
), made AS (
  SELECT parts.*, i.indisvalid FROM parts LEFT JOIN pg_index i ON i.indexrelid = to_regclass(own)
)
SELECT statement FROM (
  SELECT 1 AS nth, '' AS part, 'CREATE INDEX cdrs_by_receiver_subject ON ONLY cdrs (psp_id, receiver_subject) WHERE receiver_subject IS NOT NULL' AS statement
  WHERE to_regclass('cdrs_by_receiver_subject') IS NULL
  UNION ALL SELECT 2, part, format('DROP INDEX %I', own) FROM made WHERE NOT indisvalid
  UNION ALL SELECT 3, part, format('ALTER INDEX cdrs_by_receiver_subject ATTACH PARTITION %I', own) FROM made WHERE indisvalid
  UNION ALL
  SELECT 4, part, format('CREATE INDEX CONCURRENTLY %I ON %I (psp_id, receiver_subject) WHERE receiver_subject IS NOT NULL', own, part)
  FROM made WHERE indisvalid IS NULL
) s ORDER BY nth, part LIMIT 1;
