-- names statements
-- Finds what a key or a person made by the actor of the entries about it: only entries of these kinds are in the index, so
-- that it costs sales and records nothing. Each partition gets its own while entries are written, which then becomes part of
-- the whole. One that a killed start left unfinished is made again.
WITH parts AS (
  SELECT p.relname AS part, p.relname || '_by_maker' AS own
  FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhrelid
  WHERE h.inhparent = 'journal'::regclass AND NOT EXISTS (
    SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
    WHERE i.indrelid = p.oid AND a.inhparent = to_regclass('journal_by_maker'))
), made AS (
  SELECT parts.*, i.indisvalid FROM parts LEFT JOIN pg_index i ON i.indexrelid = to_regclass(own)
), definition(what) AS (
  VALUES ($$ (split_part(split_part(body, '"by":"', 2), '"', 1), id) WHERE kind IN ('client.created', 'client.updated', 'key.issued',
    'sftp_login.issued', 'sftp_login.updated', 'user.created', 'user.password_changed')$$)
)
SELECT statement FROM (
  SELECT 1 AS nth, '' AS part, 'CREATE INDEX journal_by_maker ON ONLY journal' || what AS statement
  FROM definition WHERE to_regclass('journal_by_maker') IS NULL
  UNION ALL SELECT 2, part, format('DROP INDEX %I', own) FROM made WHERE NOT indisvalid
  UNION ALL SELECT 3, part, format('ALTER INDEX journal_by_maker ATTACH PARTITION %I', own) FROM made WHERE indisvalid
  UNION ALL
  SELECT 4, part, format('CREATE INDEX CONCURRENTLY %I ON %I', own, part) || what FROM made, definition WHERE indisvalid IS NULL
) s ORDER BY nth, part LIMIT 1;
