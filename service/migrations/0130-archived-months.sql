-- Months whose records are in an archive file and no longer in the tables. A row appears in the commit that detaches the
-- month's partitions; its hash is known when the file is written and was read back.
CREATE TABLE archived_months (
  month date PRIMARY KEY,          -- its first day, UTC, as ids are partitioned
  detached_at timestamptz NOT NULL,
  sha256 text,                     -- of the file; null while the month's tables still wait to be written to it
  bytes bigint,
  rows text                        -- JSON: number of rows by table
);
-- How far each PSP's journal is in the archive: the highest number of an archived entry.
CREATE TABLE archived_journals (
  psp_id uuid NOT NULL,
  month date NOT NULL,
  through bigint NOT NULL,
  PRIMARY KEY (psp_id, month)
);
-- Only the owner archives, by `assay archive`.
GRANT SELECT ON archived_months, archived_journals TO assay_app;

-- A row of an archived month would go to the partition of all other months, and a record whose first decision is in the
-- archive would exist twice. Only rows for that partition are checked, and there are none in an ordinary month.
CREATE FUNCTION refuse_archived() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF current_setting('assay.archiving', true) IS DISTINCT FROM 'on'
     AND (to_jsonb(NEW) ->> TG_ARGV[0])::uuid
       < (SELECT uuid_floor((month + interval '1 month') AT TIME ZONE 'UTC') FROM archived_months ORDER BY month DESC LIMIT 1) THEN
    RAISE EXCEPTION 'this month is in the archive' USING ERRCODE = '23A10';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION ensure_partitions(from_month date, months integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  t text;
  k text;
  m date;
  part text;
BEGIN
  FOR t, k IN
    SELECT c.relname, a.attname FROM pg_partitioned_table p
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
    -- Only where something is archived: no trigger elsewhere.
    IF EXISTS (SELECT FROM archived_months) AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(format('public.%I', part)) AND tgname = 'refuse_archived') THEN
      EXECUTE format('CREATE TRIGGER refuse_archived BEFORE INSERT ON public.%I FOR EACH ROW EXECUTE FUNCTION public.refuse_archived(%L)', part, k);
    END IF;
    FOR i IN 0 .. months - 1 LOOP
      m := (date_trunc('month', from_month) + make_interval(months => i))::date;
      part := t || '_' || to_char(m, 'YYYYMM');
      -- A month in the archive gets no partition again: `assay archive restore` brings back its own.
      CONTINUE WHEN m <= (SELECT max(month) FROM archived_months);
      IF to_regclass(format('public.%I', part)) IS NULL THEN
        EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL)', part, t);
        EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', t, part,
          uuid_floor(m::timestamp AT TIME ZONE 'UTC'),
          uuid_floor((m + interval '1 month') AT TIME ZONE 'UTC'));
      END IF;
    END LOOP;
  END LOOP;
END $$;
