-- The local day that decided the taxes of a record, as a column. A process of an earlier version writes none: a trigger
-- takes it from the evidence then.
ALTER TABLE transactions ADD COLUMN decided_on date;
ALTER TABLE transaction_revisions ADD COLUMN decided_on date;
ALTER TABLE wagers ADD COLUMN decided_on date;
ALTER TABLE payouts ADD COLUMN decided_on date;

CREATE FUNCTION day_of_evidence(evidence text) RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(left(split_part(evidence, '"date":"', 2), 10), '')::date
$$;

UPDATE transactions SET decided_on = day_of_evidence(evidence);
UPDATE transaction_revisions SET decided_on = day_of_evidence(evidence);
UPDATE wagers SET decided_on = day_of_evidence(evidence);
UPDATE payouts SET decided_on = day_of_evidence(evidence);

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
