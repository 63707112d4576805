// Outgoing webhooks and incoming files while the service is killed: receivers of every kind, and call detail files
// whose upload breaks off.
import { afterAll, beforeAll, it } from 'vitest';
import { makeDatabase } from '../support/app.ts';
import { scenario as fileDrop, settings as ofFiles } from './scenarios/file-drop.ts';
import { clients, settings as ofWebhooks, scenario as webhookReceivers } from './scenarios/webhook-receivers.ts';
import { onSharedServer, type SharedPlace } from './support/scenes.ts';
import { Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';

const stage = new Stage();
let place: SharedPlace;
beforeAll(async () => {
  place = await onSharedServer(stage, { database: makeDatabase }, clients, { ...ofFiles, ...ofWebhooks });
});
afterAll(() => stage.end());

it('accounts once for every line of files whose senders break off, though it is killed', async () => {
  await holds(fileDrop, 1, { place });
});

it('announces every event once to receivers that are slow, dead, resetting or redirecting, though it is killed', async () => {
  await holds(webhookReceivers, 1, { place });
});
