-- store_subjects for the batch of one PSP, which each statement names.
CREATE FUNCTION store_subjects_of(p_psp uuid, p_subjects json) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  failed integer[];
  more integer[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(727477, hashtext(p_psp::text));

  SELECT array_agg(c) INTO failed
  FROM json_to_recordset(p_subjects) AS x(epoch integer, cs integer[]), unnest(x.cs) c
  WHERE x.epoch <> coalesce((SELECT e.epoch FROM subject_epochs e WHERE e.psp_id = p_psp), 0);

  WITH want AS (
    SELECT * FROM json_to_recordset(p_subjects)
      AS x(subject text, key_sealed text, generation integer, created_at timestamptz, cs integer[])
    WHERE subject IS NOT NULL
  ), done AS (
    INSERT INTO subject_keys AS k (psp_id, subject, key_sealed, generation, created_at)
    SELECT p_psp, subject, key_sealed, generation, created_at FROM want ORDER BY subject
    ON CONFLICT (psp_id, subject) DO UPDATE SET key_sealed = excluded.key_sealed, created_at = excluded.created_at
      WHERE k.generation = excluded.generation AND (k.key_sealed IS NULL OR k.key_sealed = excluded.key_sealed)
    RETURNING k.subject
  )
  SELECT array_agg(c) INTO more FROM want w, unnest(w.cs) c
  WHERE NOT EXISTS (SELECT 1 FROM done d WHERE d.subject = w.subject);
  RETURN coalesce(failed, '{}') || coalesce(more, '{}');
END $$;

GRANT EXECUTE ON FUNCTION store_subjects_of TO assay_app;
