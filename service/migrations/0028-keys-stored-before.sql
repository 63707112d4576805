-- A command that is left out for another reason may have had its person's new key stored already. Decided again it brings
-- the very same key, and finds it there: that is what it expects, not a failure.
CREATE OR REPLACE FUNCTION store_subjects(p_subjects json) RETURNS integer[] LANGUAGE plpgsql AS $$
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
      WHERE k.generation = excluded.generation AND (k.key_sealed IS NULL OR k.key_sealed = excluded.key_sealed)
    RETURNING k.psp_id, k.subject
  )
  SELECT array_agg(c) INTO more FROM want w, unnest(w.cs) c
  WHERE NOT EXISTS (SELECT 1 FROM done d WHERE d.psp_id = w.psp_id AND d.subject = w.subject);
  RETURN coalesce(failed, '{}') || coalesce(more, '{}');
END $$;
