-- names statements
-- Finds the few transactions that are dated to a later day than they were made on, so that all others are found by their ids.
-- Made while records are written: each partition gets its own index, which then becomes part of the whole. One that a killed
-- start left unfinished is made again.
WITH parts AS (
  SELECT p.relname AS part, p.relname || '_later' AS own
  FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid
  WHERE h.inhparent = 'transactions'::regclass AND NOT EXISTS (
    SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
    WHERE i.indrelid = p.oid AND a.inhparent = to_regclass('transactions_decided_later'))
), made AS (
  SELECT parts.*, i.indisvalid FROM parts LEFT JOIN pg_index i ON i.indexrelid = to_regclass(own)
), form AS (
  SELECT '(psp_id, decided_on) WHERE id < uuid_floor((decided_on - 1)::timestamp AT TIME ZONE ''UTC'')' AS form
)
SELECT statement FROM (
  SELECT 1 AS nth, '' AS part, 'CREATE INDEX transactions_decided_later ON ONLY transactions ' || form AS statement
  FROM form WHERE to_regclass('transactions_decided_later') IS NULL
  UNION ALL SELECT 2, part, format('DROP INDEX %I', own) FROM made WHERE NOT indisvalid
  UNION ALL
  SELECT 3, part, format('ALTER INDEX transactions_decided_later ATTACH PARTITION %I', own) FROM made WHERE indisvalid
  UNION ALL
  SELECT 4, part, format('CREATE INDEX CONCURRENTLY %I ON %I ', own, part) || form FROM made, form WHERE indisvalid IS NULL
) s ORDER BY nth, part LIMIT 1;
