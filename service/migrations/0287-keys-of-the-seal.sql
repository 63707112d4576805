-- The key of the seal can be replaced: a row for each key, in order.
ALTER TABLE audit_keys
  ADD COLUMN change text,                 -- signed note that names the key before and this one; null for the first
  ADD COLUMN both_until timestamptz;      -- until then the key before signs too; null if it ended at once

-- The last checkpoint of a journal, signed by later keys as well. Rows are written once, as those of the checkpoints.
CREATE TABLE audit_resigned (
  psp_id uuid NOT NULL,
  size bigint NOT NULL,                   -- of the checkpoint
  version integer NOT NULL,               -- of the newest key that signed it
  note text NOT NULL,
  PRIMARY KEY (psp_id, size, version)
);
GRANT SELECT, INSERT ON audit_resigned TO assay_app;
