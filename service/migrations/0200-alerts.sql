-- A review is an alert: of a severity, of a version of its rule, and about a transaction, or about a client or a person
-- without one. Columns are appended, so that digests of earlier rows cover the former ones.
ALTER TABLE reviews ALTER COLUMN transaction_id DROP NOT NULL;
ALTER TABLE reviews
  ADD COLUMN severity text NOT NULL DEFAULT 'MEDIUM' CHECK (severity IN ('LOW', 'MEDIUM', 'HIGH')),
  ADD COLUMN rule_version text,
  ADD COLUMN about text,             -- without a transaction: what the rule names; it opens one review about the same
  ADD COLUMN person text;            -- keyed hash of the person, as in subject_keys
CREATE UNIQUE INDEX reviews_by_about ON reviews (psp_id, about, rule) WHERE about IS NOT NULL;
