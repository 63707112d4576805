// What other modules may use of webhooks.
export { announcedTypes, deleteWebhook, pauseWebhook, resumeWebhook } from './administer.ts';
export { webhookAttention } from './attention.ts';
export { WebhookDelivery } from './delivery.ts';
export { type Attempt, deliveryStates } from './delivery-reads.ts';
export { webhookFlags } from './flags.ts';
export { replay, replayed, retry, sendTest, testType } from './redeliver.ts';
export { removeTold } from './retention.ts';
export { signatureHeaders } from './signature.ts';
export { rotateSecret } from './signing-secrets.ts';
export { findAnyWebhook, type Webhook } from './webhook-store.ts';
