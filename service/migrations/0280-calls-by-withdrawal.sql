-- names statements
-- Finds what was taken off in a month. Made while records are analysed: each partition gets its own index, which then becomes
-- part of the whole. One that a killed start left unfinished is made again.
WITH parts AS (
  SELECT p.relname AS part, p.relname || '_by_withdrawal' AS own
  FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid
  WHERE h.inhparent = 'cdr_analyses'::regclass AND NOT EXISTS (
    SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
    WHERE i.indrelid = p.oid AND a.inhparent = to_regclass('cdr_analyses_by_withdrawal'))
), made AS (
  SELECT parts.*, i.indisvalid FROM parts LEFT JOIN pg_index i ON i.indexrelid = to_regclass(own)
), what AS (
  SELECT '(psp_id, account_id, withdrawn_in, class, cdr_id) WHERE withdrawn_in IS NOT NULL' AS what
)
SELECT statement FROM (
  SELECT 1 AS nth, '' AS part, 'CREATE INDEX cdr_analyses_by_withdrawal ON ONLY cdr_analyses ' || what AS statement FROM what
  WHERE to_regclass('cdr_analyses_by_withdrawal') IS NULL
  UNION ALL SELECT 2, part, format('DROP INDEX %I', own) FROM made WHERE NOT indisvalid
  UNION ALL SELECT 3, part, format('ALTER INDEX cdr_analyses_by_withdrawal ATTACH PARTITION %I', own) FROM made WHERE indisvalid
  UNION ALL
  SELECT 4, part, format('CREATE INDEX CONCURRENTLY %I ON %I ', own, part) || what FROM made, what
  WHERE indisvalid IS NULL
) s ORDER BY nth, part LIMIT 1;
