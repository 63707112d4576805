// assay webhook, beside a running service that delivers to a receiver on this machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { answers, type Receiver, startReceiver } from '../support/receivers.ts';
import { makeWorld, me, order, type World } from './world.ts';

let w: World;
let receiver: Receiver;
let client: { clientId: string; apiKey: string };
let webhookId: string;

beforeAll(async () => {
  w = await makeWorld({ WEBHOOK_ALLOW_HTTP: 'true' });
  receiver = await startReceiver();
  const psp = await w.makePsp('Hook Pay');
  client = await w.makeClient(psp.apiKey);
  await w.call('/v1/client/subscribeToClient', client.apiKey, { webhookUrl: receiver.url });
  webhookId = (await w.json('webhook', 'list', client.clientId)).json().items[0].webhookId;
});
afterAll(async () => {
  await w.stop();
  await receiver.stop();
});

const shown = async () => (await w.call(`/v1/webhook/${webhookId}`, client.apiKey)).body.content;
const deliveryOf = async (id: string) =>
  (await w.call(`/v1/webhook/${webhookId}/deliveries/${id}`, client.apiKey)).body.content;

describe('assay webhook', () => {
  it('lists and shows addresses as the API does, and says so in words', async () => {
    const [list, one, table] = [
      await w.json('webhook', 'list', client.clientId),
      await w.json('webhook', 'show', webhookId),
      await w.plain('webhook', 'list', client.clientId),
    ];
    expect(list.json().items.map((h: { webhookId: string }) => h.webhookId)).toEqual([webhookId]);
    expect(one.json()).toMatchObject({ webhookId, clientId: client.clientId, url: receiver.url, state: 'ACTIVE' });
    expect(table.stdout).toContain(`${webhookId}  ${receiver.url}  ACTIVE`);
  });

  it('pauses, resumes and tests an address: what was kept arrives after it', async () => {
    const paused = await w.json('webhook', 'pause', webhookId, '--reason', 'maintenance');
    expect(paused.json()).toMatchObject({ webhookId, state: 'PAUSED', stateReason: 'maintenance' });
    expect(await shown()).toMatchObject({ state: 'PAUSED' });
    const made = (await w.json('webhook', 'test', webhookId)).json();
    expect((await deliveryOf(made.deliveryId)).state).toBe('held');
    const resumed = await w.plain('webhook', 'resume', webhookId);
    expect([resumed.exitCode, resumed.stdout]).toEqual([0, `${webhookId} (${receiver.url}) is ACTIVE\n`]);
    await until('the test arrived', () => receiver.received.some((r) => r.headers['webhook-id'] === made.eventId));
    const entries = (await w.journal('client.updated')).filter((e) => e.evidence?.webhookId === webhookId);
    expect(entries.map((e) => [e.actor.by, e.evidence.state])).toEqual([
      [me, 'PAUSED'],
      [me, 'ACTIVE'],
    ]);
    const [tested] = await w.journal('client.webhook_tested');
    expect(tested).toMatchObject({ actor: { by: me }, clientId: client.clientId, data: made });
  });

  it('shows deliveries with their attempts, and sends one again', async () => {
    receiver.behave(answers(500, 'no luck'));
    const { deliveryId } = (await w.json('webhook', 'test', webhookId)).json();
    await until('it failed', async () => (await deliveryOf(deliveryId)).attempts.length > 0);
    const detail = await w.plain('webhook', 'deliveries', webhookId, deliveryId);
    expect(detail.stdout).toMatch(/HTTP_NOT_200 +no luck/);
    receiver.behave(answers(200));
    const again = await w.json('webhook', 'retry', webhookId, deliveryId);
    expect(again.json()).toMatchObject({ deliveryId });
    const [retried] = await w.journal('client.webhook_retried');
    expect(retried).toMatchObject({ actor: { by: me }, data: { webhookId, deliveryId } });
    await until('it was delivered', async () => (await deliveryOf(deliveryId)).state === 'delivered');
    const list = await w.json('webhook', 'deliveries', webhookId, '--state', 'delivered', '--type', 'webhook.test');
    expect(list.json().items.map((d: { deliveryId: string }) => d.deliveryId)).toContain(deliveryId);
  });

  it('replays what an address was never told', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const r = await w.json('webhook', 'replay', webhookId, '--since', since, '--only', 'missing');
    // The registration and the first key are from before the subscription.
    expect(r.json()).toMatchObject({ webhookId, retried: 0, added: 2 });
    const [journalled] = await w.journal('client.webhook_replayed');
    expect(journalled).toMatchObject({ actor: { by: me }, data: { webhookId, since, only: 'missing', added: 2 } });
    await until('they arrived', () => receiver.received.some((q) => JSON.parse(q.body).type === 'client.created'));
    const none = await w.json('webhook', 'replay', webhookId, '--since', since, '--until', since);
    expect([none.exitCode, none.stderr]).toEqual([2, 'assay: --until must be later than --since\n']);
  });

  it('rotates the secret and prints it once', async () => {
    const r = await w.json('webhook', 'rotate-secret', client.clientId, '--grace-hours', '0');
    expect(r.json()).toEqual({
      clientId: client.clientId,
      secret: expect.stringMatching(/^whsec_/),
      previousUntil: null,
    });
    expect(r.stderr).toContain('Keep the secret');
    const entries = (await w.journal('client.updated')).filter((e) => e.evidence?.reason === 'webhook secret replaced');
    expect(entries.map((e) => [e.actor.by, e.clientId])).toEqual([[me, client.clientId]]);
    expect(JSON.stringify(entries)).not.toContain(r.json().secret);
  });

  it('deletes an address: nothing reaches it any more', async () => {
    const gone = await w.json('webhook', 'delete', webhookId, '--reason', 'receiver gone');
    expect(gone.json()).toEqual({ webhookId, url: receiver.url, state: 'DELETED' });
    expect((await w.json('webhook', 'list', client.clientId)).json().items).toEqual([]);
    expect((await w.call('/v1/transaction/verifyTransaction', client.apiKey, order('after'))).status).toBe(200);
    const again = await w.json('webhook', 'delete', webhookId);
    expect([again.exitCode, again.json().code]).toEqual([3, 'NOT_FOUND']);
  });

  it.each([
    [3, ['show', 'whk_01h455vb4pex5vsknk084sn02q'], 'not found, or not yours to see'],
    [3, ['list', 'nobody'], 'not found, or not yours to see'],
    [2, ['replay', 'whk_01h455vb4pex5vsknk084sn02q'], "required option '--since <time>' not specified"],
    [2, ['deliveries', 'whk_01h455vb4pex5vsknk084sn02q', '--state', 'lost'], 'Allowed choices are pending, '],
    [2, ['rotate-secret', 'x', '--grace-hours', '200'], 'A whole number from 0 to 168 is expected'],
  ])('ends with %i for %j', async (exitCode, args, says) => {
    const r = await w.plain('webhook', ...args);
    expect([r.exitCode, r.stdout]).toEqual([exitCode, '']);
    expect(r.stderr).toContain(says);
  });
});
