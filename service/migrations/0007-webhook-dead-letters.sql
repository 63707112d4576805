-- Deliveries that were given up are counted with their address and looked for to be sent again: few among many.
CREATE INDEX webhook_deliveries_exhausted ON webhook_deliveries (psp_id, webhook_id, id) WHERE state = 'exhausted';
