-- Telephone numbers leave call detail records: a record has a number's mask and keyed hash, and the number itself stands
-- once, sealed under the key of its person. Rows of before keep theirs, and have no mask.
ALTER TABLE subject_keys ADD COLUMN number_sealed text;
ALTER TABLE cdrs
  ADD COLUMN caller_mask text,              -- the whole of a short code
  ADD COLUMN receiver_mask text,
  ADD COLUMN caller_generation integer,     -- of the key its number is sealed under; null where nothing of it is hidden
  ADD COLUMN receiver_generation integer;

-- As before, with the numbers of new keys; a key that stands and is brought again without a change gets the number it
-- lacks.
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
    SELECT * FROM json_to_recordset(p_subjects) AS x(psp_id uuid, subject text, key_sealed text, number_sealed text,
      generation integer, created_at timestamptz, cs integer[])
    WHERE subject IS NOT NULL
  ), done AS (
    INSERT INTO subject_keys AS k (psp_id, subject, key_sealed, number_sealed, generation, created_at)
    SELECT psp_id, subject, key_sealed, number_sealed, generation, created_at FROM want ORDER BY psp_id, subject
    ON CONFLICT (psp_id, subject) DO UPDATE SET key_sealed = excluded.key_sealed, created_at = excluded.created_at,
        number_sealed = CASE WHEN k.key_sealed IS NULL THEN excluded.number_sealed
          ELSE coalesce(k.number_sealed, excluded.number_sealed) END
      WHERE k.generation = excluded.generation AND (k.key_sealed IS NULL OR k.key_sealed = excluded.key_sealed)
    RETURNING k.psp_id, k.subject
  )
  SELECT array_agg(c) INTO more FROM want w, unnest(w.cs) c
  WHERE NOT EXISTS (SELECT 1 FROM done d WHERE d.psp_id = w.psp_id AND d.subject = w.subject);
  RETURN coalesce(failed, '{}') || coalesce(more, '{}');
END $$;

CREATE OR REPLACE FUNCTION store_subjects_of(p_psp uuid, p_subjects json) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  failed integer[];
  more integer[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(727477, hashtext(p_psp::text));

  SELECT array_agg(c) INTO failed
  FROM json_to_recordset(p_subjects) AS x(epoch integer, cs integer[]), unnest(x.cs) c
  WHERE x.epoch <> coalesce((SELECT e.epoch FROM subject_epochs e WHERE e.psp_id = p_psp), 0);

  WITH want AS (
    SELECT * FROM json_to_recordset(p_subjects) AS x(subject text, key_sealed text, number_sealed text,
      generation integer, created_at timestamptz, cs integer[])
    WHERE subject IS NOT NULL
  ), done AS (
    INSERT INTO subject_keys AS k (psp_id, subject, key_sealed, number_sealed, generation, created_at)
    SELECT p_psp, subject, key_sealed, number_sealed, generation, created_at FROM want ORDER BY subject
    ON CONFLICT (psp_id, subject) DO UPDATE SET key_sealed = excluded.key_sealed, created_at = excluded.created_at,
        number_sealed = CASE WHEN k.key_sealed IS NULL THEN excluded.number_sealed
          ELSE coalesce(k.number_sealed, excluded.number_sealed) END
      WHERE k.generation = excluded.generation AND (k.key_sealed IS NULL OR k.key_sealed = excluded.key_sealed)
    RETURNING k.subject
  )
  SELECT array_agg(c) INTO more FROM want w, unnest(w.cs) c
  WHERE NOT EXISTS (SELECT 1 FROM done d WHERE d.subject = w.subject);
  RETURN coalesce(failed, '{}') || coalesce(more, '{}');
END $$;
