-- Citus knows no triggers on its tables: there a check has the partitions of all other months refuse rows of archived ones.
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('ensure_partitions(date, integer)'::regprocedure), 'IF EXISTS (SELECT FROM archived_months)',
    'IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = ''citus'') AND EXISTS (SELECT FROM archived_months)');
END $$;
CREATE FUNCTION is_live(id uuid, first_live uuid) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF id < first_live THEN RAISE EXCEPTION 'this month is in the archive' USING ERRCODE = '23A10'; END IF;
  RETURN true;
END $$;
