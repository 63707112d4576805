-- A partition is made as a table of its own and attached: what reads and writes the tables goes on meanwhile, where
-- CREATE TABLE … PARTITION OF waits for every reader and has everybody else wait behind it. The partition of all other
-- months is locked for the attaching, so the wait for that has an end (55P03): who finds it in use tries again later.
CREATE OR REPLACE FUNCTION ensure_partitions(from_month date, months integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  t text;
  m date;
  part text;
BEGIN
  FOR t IN
    SELECT c.relname FROM pg_partitioned_table p
    JOIN pg_class c ON c.oid = p.partrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
    WHERE c.relnamespace = 'public'::regnamespace AND p.partstrat = 'r' AND p.partnatts = 1
      AND a.atttypid = 'uuid'::regtype
    ORDER BY c.relname
  LOOP
    part := t || '_other';
    IF to_regclass(format('public.%I', part)) IS NULL THEN
      EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL)', part, t);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I DEFAULT', t, part);
    END IF;
    FOR i IN 0 .. months - 1 LOOP
      m := (date_trunc('month', from_month) + make_interval(months => i))::date;
      part := t || '_' || to_char(m, 'YYYYMM');
      IF to_regclass(format('public.%I', part)) IS NULL THEN
        EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL)', part, t);
        EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', t, part,
          uuid_floor(m::timestamp AT TIME ZONE 'UTC'),
          uuid_floor((m + interval '1 month') AT TIME ZONE 'UTC'));
      END IF;
    END LOOP;
  END LOOP;
END $$;
