-- The key of the seal can be replaced: a row for each key, in order. The role may still change no checkpoint that was signed,
-- only put beside it the same one signed by the keys of today.
ALTER TABLE audit_keys
  ADD COLUMN change text,                 -- signed note that names the key before and this one; null for the first
  ADD COLUMN both_until timestamptz;      -- until then the key before signs too; null if it ended at once
ALTER TABLE audit_checkpoints
  ADD COLUMN resigned text;               -- the checkpoint signed by later keys
GRANT UPDATE (resigned) ON audit_checkpoints TO assay_app;
