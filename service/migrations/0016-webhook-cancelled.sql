-- What was still to be delivered to an address when it was deleted has an end: it is cancelled, and kept.
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_state_check;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_state_check
  CHECK (state IN ('pending', 'delivering', 'delivered', 'retrying', 'exhausted', 'held', 'cancelled'));
