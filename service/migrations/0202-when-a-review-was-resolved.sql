-- When a review was resolved: notes may be added later. Null also for those that earlier versions resolved.
ALTER TABLE reviews ADD COLUMN resolved_at timestamptz;
