// What other modules may use of webhooks.
export { deleteWebhook } from './administer.ts';
export { eventsAsTold, untoldEvents } from './as-told.ts';
export { backlog as deliveriesWaiting } from './attempt-store.ts';
export { webhookAttention } from './attention.ts';
export { WebhookDelivery } from './delivery.ts';
export { webhookFlags } from './flags.ts';
export { replay, retry } from './redeliver.ts';
export { removeTold } from './retention.ts';
export { signatureHeaders } from './signature.ts';
export { findAnyWebhook } from './webhook-store.ts';
