-- The tax analysis of call detail records: what each record is and bears, its sums, and the months that are closed.
-- All of it follows from the journal, the records, the rules and the number ranges, and can be made again from them.

-- Partitions for every table of this schema that is partitioned by an id, so that a new one needs no further word.
CREATE OR REPLACE FUNCTION ensure_partitions(from_month date, months integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  t text;
  m date;
BEGIN
  FOR t IN
    SELECT c.relname FROM pg_partitioned_table p
    JOIN pg_class c ON c.oid = p.partrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
    WHERE c.relnamespace = current_schema()::regnamespace AND p.partstrat = 'r' AND p.partnatts = 1
      AND a.atttypid = 'uuid'::regtype
    ORDER BY c.relname
  LOOP
    IF to_regclass(t || '_other') IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', t || '_other', t);
    END IF;
    FOR i IN 0 .. months - 1 LOOP
      m := (date_trunc('month', from_month) + make_interval(months => i))::date;
      IF to_regclass(t || '_' || to_char(m, 'YYYYMM')) IS NULL THEN
        EXECUTE format(
          'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          t || '_' || to_char(m, 'YYYYMM'), t,
          uuid_floor(m::timestamp AT TIME ZONE 'UTC'),
          uuid_floor((m + interval '1 month') AT TIME ZONE 'UTC'));
      END IF;
    END LOOP;
  END LOOP;
END $$;

-- One row per record. A record is late where the month it counts in is not the month of its call.
CREATE TABLE cdr_analyses (
  psp_id uuid NOT NULL,
  cdr_id uuid NOT NULL,
  account_id uuid NOT NULL,
  country text NOT NULL,             -- the operator's, ISO 3166-1 alpha-2; ZZ where the account names none
  period text NOT NULL,              -- YYYY-MM it counts in
  call_period text NOT NULL,         -- YYYY-MM of the call in the country's calendar
  class text NOT NULL CHECK (class IN ('ONNET', 'OFFNET', 'INTL_OUT', 'INTL_IN', 'ROAMING', 'SMS', 'DATA', 'VOIP',
    'SHORTCODE', 'UNCLASSIFIED')),
  other_country text,                -- of the other side, where it is another country and known
  currency text NOT NULL,            -- of the cost
  cost numeric NOT NULL,             -- before tax
  duration_s integer NOT NULL,
  data_kb numeric NOT NULL,
  answered integer NOT NULL,         -- 1 where the call came about
  tax numeric NOT NULL,              -- sum of its taxes in the currency of the cost
  taxes text NOT NULL,               -- JSON: [[ruleId, tax, currency, taxable, quantity, reason], …]
  finding text CHECK (finding IN ('NO_RULE', 'NO_COUNTRY')), -- why nothing could be charged
  dataset text NOT NULL,             -- version of the tax rules
  ranges text NOT NULL,              -- version of the number ranges
  PRIMARY KEY (psp_id, cdr_id)
) PARTITION BY RANGE (cdr_id);
CREATE INDEX cdr_analyses_by_figure ON cdr_analyses (psp_id, account_id, period, class, cdr_id);

-- Sums of that table, one row per figure. rule_id '' stands for the records themselves; every other row is one tax of
-- them. quantity is what an amount per unit is charged on: seconds of one per minute, kilobytes of one per megabyte.
CREATE TABLE cdr_totals (
  psp_id uuid NOT NULL,
  account_id uuid NOT NULL,
  period text NOT NULL,
  call_period text NOT NULL,
  class text NOT NULL,
  currency text NOT NULL,            -- of the cost
  rule_id text NOT NULL,
  tax_currency text NOT NULL,        -- '' with rule_id ''
  reason text NOT NULL,              -- why a tax is zero, or ''; with rule_id '' the finding, or ''
  country text NOT NULL,
  tax_code text NOT NULL,            -- '' with rule_id ''
  base text NOT NULL,                -- CALL_COST, MINUTES, COUNT, DATA_MB; '' with rule_id ''
  records bigint NOT NULL,
  answered bigint NOT NULL,
  seconds bigint NOT NULL,
  data_kb numeric NOT NULL,
  cost numeric NOT NULL,
  taxable numeric NOT NULL,
  quantity numeric NOT NULL,
  tax numeric NOT NULL,
  PRIMARY KEY (psp_id, account_id, period, call_period, class, currency, rule_id, tax_currency, reason)
);

-- Closed months of an operator. Records analysed after the closing count in the first month that is open.
CREATE TABLE cdr_periods (
  psp_id uuid NOT NULL,
  account_id uuid NOT NULL,
  period text NOT NULL,
  country text NOT NULL,
  entry_id uuid NOT NULL,            -- the journal entry of the closing
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, account_id, period)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON cdr_analyses, cdr_totals, cdr_periods TO assay_app;
