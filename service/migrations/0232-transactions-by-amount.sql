-- names statements
-- Finds transactions by their exact amount, the newest first. Made while records are written: each partition gets its own
-- index, which then becomes part of the whole. One that a killed start left unfinished is made again.
WITH parts AS (
  SELECT p.relname AS part, p.relname || '_by_amount' AS own
  FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid
  WHERE h.inhparent = 'transactions'::regclass AND NOT EXISTS (
    SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
    WHERE i.indrelid = p.oid AND a.inhparent = to_regclass('transactions_by_amount'))
), made AS (
  SELECT parts.*, i.indisvalid FROM parts LEFT JOIN pg_index i ON i.indexrelid = to_regclass(own)
)
SELECT statement FROM (
  SELECT 1 AS nth, '' AS part, 'CREATE INDEX transactions_by_amount ON ONLY transactions (psp_id, amount, id)' AS statement
  WHERE to_regclass('transactions_by_amount') IS NULL
  UNION ALL SELECT 2, part, format('DROP INDEX %I', own) FROM made WHERE NOT indisvalid
  UNION ALL SELECT 3, part, format('ALTER INDEX transactions_by_amount ATTACH PARTITION %I', own) FROM made WHERE indisvalid
  UNION ALL
  SELECT 4, part, format('CREATE INDEX CONCURRENTLY %I ON %I (psp_id, amount, id)', own, part)
  FROM made WHERE indisvalid IS NULL
) s ORDER BY nth, part LIMIT 1;
