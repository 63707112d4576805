-- Call detail records that their operator withdrew. The record itself never changes; of a corrected one, the record that
-- took its place is named. The ref of its cdr_id leads to the record in force.
CREATE TABLE cdr_withdrawals (
  psp_id uuid NOT NULL,
  id uuid NOT NULL,                  -- the record's
  account_id uuid NOT NULL,
  entry_id uuid NOT NULL,            -- the journal entry that tells of it
  superseded_by uuid,                -- the record in its place; null where it was withdrawn alone
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (psp_id, id)
);
GRANT SELECT, INSERT ON cdr_withdrawals TO assay_app;

-- The month that a withdrawal is taken off in: that in which the record counts, or the first open one after it. Only in
-- the latter case does the record stay among those of its own month.
ALTER TABLE cdr_analyses ADD COLUMN withdrawn_in text;
