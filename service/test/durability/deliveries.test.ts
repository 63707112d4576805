// Outgoing webhooks and incoming files while the service is killed: receivers of every kind, and call detail files
// whose upload breaks off.
import { it } from 'vitest';
import { scenario as fileDrop } from './scenarios/file-drop.ts';
import { scenario as webhookReceivers } from './scenarios/webhook-receivers.ts';
import { holds } from './support/short-form.ts';

it('announces every event once to receivers that are slow, dead, resetting or redirecting, though it is killed', async () => {
  await holds(webhookReceivers, 1);
});

it('accounts once for every line of files whose senders break off, though it is killed', async () => {
  await holds(fileDrop, 1);
});
