// What others may ask about webhooks.
export { announcedTypes, deleteWebhook, pauseWebhook, resumeWebhook } from './administer.ts';
export { deliveryStates } from './delivery-reads.ts';
export { replay, replayed, retry, sendTest, testType } from './redeliver.ts';
export { rotateSecret } from './signing-secrets.ts';
export { findAnyWebhook, type Webhook } from './webhook-store.ts';
