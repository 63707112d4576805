-- The local day that decided the taxes of a record, as a column. A process of an earlier version writes none: a trigger
-- takes it from the evidence then, and the next step of the upgrade fills in those of the rows there are.
ALTER TABLE transactions ADD COLUMN decided_on date;
ALTER TABLE transaction_revisions ADD COLUMN decided_on date;
ALTER TABLE wagers ADD COLUMN decided_on date;
ALTER TABLE payouts ADD COLUMN decided_on date;

CREATE FUNCTION day_of_evidence(evidence text) RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(left(split_part(evidence, '"date":"', 2), 10), '')::date
$$;

CREATE FUNCTION take_day_of_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.decided_on := day_of_evidence(NEW.evidence);
  RETURN NEW;
END $$;

CREATE TRIGGER day_of_new_row BEFORE INSERT ON transactions
  FOR EACH ROW WHEN (NEW.decided_on IS NULL) EXECUTE FUNCTION take_day_of_evidence();
CREATE TRIGGER day_of_changed_row BEFORE UPDATE ON transactions
  FOR EACH ROW WHEN (NEW.evidence IS DISTINCT FROM OLD.evidence AND NEW.decided_on IS NOT DISTINCT FROM OLD.decided_on)
  EXECUTE FUNCTION take_day_of_evidence();
CREATE TRIGGER day_of_new_row BEFORE INSERT ON wagers
  FOR EACH ROW WHEN (NEW.decided_on IS NULL) EXECUTE FUNCTION take_day_of_evidence();
CREATE TRIGGER day_of_new_row BEFORE INSERT ON payouts
  FOR EACH ROW WHEN (NEW.decided_on IS NULL) EXECUTE FUNCTION take_day_of_evidence();

-- Fills in some rows, and returns the table they are of; nothing once all have their day. The session keeps up to where.
CREATE FUNCTION fill_days_of_decisions() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  t text;
  reached text;
BEGIN
  FOREACH t IN ARRAY ARRAY['transactions', 'transaction_revisions', 'wagers', 'payouts'] LOOP
    reached := coalesce(nullif(current_setting('assay.days_of_' || t, true), ''),
      repeat('00000000-0000-0000-0000-000000000000', 2));
    EXECUTE format('WITH next AS MATERIALIZED (
        SELECT psp_id, id FROM %1$I WHERE (psp_id, id) > ($1, $2) AND decided_on IS NULL ORDER BY psp_id, id LIMIT 10000
      ), filled AS (
        UPDATE %1$I c SET decided_on = day_of_evidence(c.evidence) FROM next n WHERE c.psp_id = n.psp_id AND c.id = n.id
      )
      SELECT psp_id::text || id FROM next ORDER BY psp_id DESC, id DESC LIMIT 1', t)
      INTO reached USING left(reached, 36)::uuid, right(reached, 36)::uuid;
    IF reached IS NOT NULL THEN
      PERFORM set_config('assay.days_of_' || t, reached, false);
      RETURN NEXT t;
      RETURN;
    END IF;
  END LOOP;
END $$;
