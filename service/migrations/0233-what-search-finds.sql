-- names statements
-- Indexes for what the search over everything finds besides records: accounts by the words of their name, the accounts that
-- have holds, and the cases about a person. Made while records are written; one that a killed start left unfinished is made
-- again.
WITH wanted(name, definition) AS (
  VALUES
    ('accounts_by_words', 'accounts USING gin (to_tsvector(''simple'', translate(name || '' '' || coalesce(registration_number, ''''), ''-_./,:;&@#()'', ''            '')))'),
    ('accounts_on_hold', 'accounts (psp_id, id) WHERE holds <> ''[]'''),
    ('accounts_of_psps', 'accounts (id) WHERE kind = ''psp'''),
    ('cases_by_person', 'cases (psp_id, person) WHERE person IS NOT NULL')
), made AS (
  SELECT w.*, i.indisvalid FROM wanted w LEFT JOIN pg_index i ON i.indexrelid = to_regclass(w.name)
)
SELECT statement FROM (
  SELECT 1 AS nth, name, format('DROP INDEX %I', name) AS statement FROM made WHERE NOT indisvalid
  UNION ALL
  SELECT 2, name, format('CREATE INDEX CONCURRENTLY %I ON %s', name, definition) FROM made WHERE indisvalid IS NULL
) s ORDER BY nth, name LIMIT 1;
