-- names statements
-- Indexes by which the calls of a telephone number are found, of either side. Intake goes on while they are made: each
-- partition gets its own, which then becomes part of the whole. One that a killed start left half made is made again.
WITH wanted(name, side) AS (
  VALUES ('cdrs_by_caller', 'caller'), ('cdrs_by_receiver', 'receiver')
), parts AS (
  SELECT w.name, w.side, p.relname AS part, p.relname || '_by_' || w.side AS own
  FROM wanted w, pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid
  WHERE h.inhparent = 'cdrs'::regclass AND NOT EXISTS (
    SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
    WHERE i.indrelid = p.oid AND a.inhparent = to_regclass(w.name))
), made AS (
  SELECT parts.*, i.indisvalid FROM parts LEFT JOIN pg_index i ON i.indexrelid = to_regclass(own)
)
SELECT statement FROM (
  SELECT 1 AS nth, '' AS part, format('CREATE INDEX %I ON ONLY cdrs (psp_id, %I, id)', name, side || '_number') AS statement
  FROM wanted WHERE to_regclass(name) IS NULL
  UNION ALL SELECT 2, part, format('DROP INDEX %I', own) FROM made WHERE NOT indisvalid
  UNION ALL SELECT 3, part, format('ALTER INDEX %I ATTACH PARTITION %I', name, own) FROM made WHERE indisvalid
  UNION ALL
  SELECT 4, part, format('CREATE INDEX CONCURRENTLY %I ON %I (psp_id, %I, id)', own, part, side || '_number')
  FROM made WHERE indisvalid IS NULL
) s ORDER BY nth, part LIMIT 1;
