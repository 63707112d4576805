-- Erasure: a person's key is destroyed where it stands. What comes of the same person later is sealed under a key of
-- the next generation; a sealed text names its generation, so that the two are never mistaken for each other.
ALTER TABLE subject_keys ADD COLUMN generation integer NOT NULL DEFAULT 0;
UPDATE subject_keys SET generation = 1 WHERE key_sealed IS NULL;

-- How many erasures a PSP has had. Keys known from memory hold as long as it is the number they were read under.
CREATE TABLE subject_epochs (
  psp_id uuid PRIMARY KEY,
  epoch integer NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON subject_epochs TO assay_app;

-- What is kept of a person is found by their keys; most transactions are about none.
CREATE INDEX transactions_by_subject ON transactions (psp_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX wagers_by_subject ON wagers (psp_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX payouts_by_subject ON payouts (psp_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX cdrs_by_subject ON cdrs (psp_id, subject) WHERE subject IS NOT NULL;
-- Keyed hashes of the addresses of withdrawals, by which whoever was paid there is found.
CREATE INDEX transactions_by_address ON transactions (psp_id, substring(request from '"toAddress":"([^"]+)"'))
  WHERE kind IN ('withdrawal', 'cryptoWithdrawal');

-- What a writer of sealed data expects: {psp_id, epoch, cs}, no erasure since its keys were read; and new keys to be
-- stored: {psp_id, subject, key_sealed, generation, created_at, cs}. Until its commit no erasure of these PSPs comes
-- between: it takes the same lock alone. Returns the numbers of the commands whose expectation fails.
CREATE FUNCTION store_subjects(p_subjects json) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  failed integer[];
  more integer[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(727477, k)
  FROM (SELECT DISTINCT hashtext(psp_id::text) AS k FROM json_to_recordset(p_subjects) AS x(psp_id uuid) ORDER BY 1) p;

  SELECT array_agg(c) INTO failed
  FROM json_to_recordset(p_subjects) AS x(psp_id uuid, epoch integer, cs integer[])
    LEFT JOIN subject_epochs e ON e.psp_id = x.psp_id, unnest(x.cs) c
  WHERE x.epoch <> coalesce(e.epoch, 0);

  WITH want AS (
    SELECT * FROM json_to_recordset(p_subjects)
      AS x(psp_id uuid, subject text, key_sealed text, generation integer, created_at timestamptz, cs integer[])
    WHERE subject IS NOT NULL
  ), done AS (
    INSERT INTO subject_keys AS k (psp_id, subject, key_sealed, generation, created_at)
    SELECT psp_id, subject, key_sealed, generation, created_at FROM want ORDER BY psp_id, subject
    ON CONFLICT (psp_id, subject) DO UPDATE SET key_sealed = excluded.key_sealed, created_at = excluded.created_at
      WHERE k.key_sealed IS NULL AND k.generation = excluded.generation
    RETURNING k.psp_id, k.subject
  )
  SELECT array_agg(c) INTO more FROM want w, unnest(w.cs) c
  WHERE NOT EXISTS (SELECT 1 FROM done d WHERE d.psp_id = w.psp_id AND d.subject = w.subject);
  RETURN coalesce(failed, '{}') || coalesce(more, '{}');
END $$;
GRANT EXECUTE ON FUNCTION store_subjects TO assay_app;
