// What other modules may use of webhooks.
export { deleteWebhook } from './administer.ts';
export { backlog as deliveriesWaiting } from './attempt-store.ts';
export { webhookWaits } from './attention.ts';
export { compareEvents, eventsWithoutEntry } from './compare-with-journal.ts';
export { WebhookDelivery } from './delivery.ts';
export { webhookFlags } from './flags.ts';
export { replay, retry } from './redeliver.ts';
export { removePublished } from './retention.ts';
export { signatureHeaders } from './signature.ts';
export { findAnyWebhook } from './webhook-store.ts';
