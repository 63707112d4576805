-- A month whose partition was not there when its first rows came, because it could not be made or a clock ran ahead, has
-- them in the partition of all other months, and could then never be attached: no start, no later month. Its rows are
-- moved under the lock that attaching takes anyway.
CREATE OR REPLACE FUNCTION ensure_partitions(from_month date, months integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  t text;
  k text;
  columns text;
  m date;
  other text;
  part text;
  lower uuid;
  upper uuid;
  moved bigint;
BEGIN
  FOR t, k, columns IN
    SELECT c.relname, a.attname,
      (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)
    FROM pg_partitioned_table p
    JOIN pg_class c ON c.oid = p.partrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
    WHERE c.relnamespace = 'public'::regnamespace AND p.partstrat = 'r' AND p.partnatts = 1
      AND a.atttypid = 'uuid'::regtype
    ORDER BY c.relname
  LOOP
    other := t || '_other';
    IF to_regclass(format('public.%I', other)) IS NULL THEN
      EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL)', other, t);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I DEFAULT', t, other);
    END IF;
    -- Only where something is archived: no trigger elsewhere.
    IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AND EXISTS (SELECT FROM archived_months) AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = to_regclass(format('public.%I', other)) AND tgname = 'refuse_archived') THEN
      EXECUTE format('CREATE TRIGGER refuse_archived BEFORE INSERT ON public.%I FOR EACH ROW EXECUTE FUNCTION public.refuse_archived(%L)', other, k);
    END IF;
    FOR i IN 0 .. months - 1 LOOP
      m := (date_trunc('month', from_month) + make_interval(months => i))::date;
      part := t || '_' || to_char(m, 'YYYYMM');
      -- A month in the archive gets no partition again: `assay archive restore` brings back its own.
      CONTINUE WHEN m <= (SELECT max(month) FROM archived_months);
      IF to_regclass(format('public.%I', part)) IS NULL THEN
        lower := uuid_floor(m::timestamp AT TIME ZONE 'UTC');
        upper := uuid_floor((m + interval '1 month') AT TIME ZONE 'UTC');
        EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING ALL)', part, t);
        EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', other);
        EXECUTE format('INSERT INTO public.%1$I (%2$s) SELECT %2$s FROM public.%3$I WHERE %4$I >= %5$L AND %4$I < %6$L', part, columns, other, k, lower, upper);
        GET DIAGNOSTICS moved = ROW_COUNT;
        IF moved > 0 THEN
          EXECUTE format('DELETE FROM public.%1$I WHERE %2$I >= %3$L AND %2$I < %4$L', other, k, lower, upper);
        END IF;
        EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', t, part, lower, upper);
        -- On a cluster attaching copies the rows to its servers; the coordinator keeps none.
        IF moved > 0 AND EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
          PERFORM truncate_local_data_after_distributing_table(format('public.%I', part)::regclass);
        END IF;
      END IF;
    END LOOP;
  END LOOP;
END $$;
