// Pausing, resuming and deleting a webhook address, and choosing what it receives.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, told, uuidOf } from '../support/journal.ts';
import { deadUrl, plant, quieten, setHealth, statesOf, subscribe } from '../support/webhooks.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let webhookId: string;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  webhookId = await subscribe(t, client);
});
afterAll(() => t?.stop());

const change = (id: string, what: string, by: Account, body: unknown = {}, headers: Record<string, string> = {}) =>
  t.post(`/v1/webhook/${id}/${what}`, body, by.apiKey, headers);
const stateOf = async (id: string, by: Account) => contentOf(await t.get(`/v1/webhook/${id}`, by.apiKey)).state;
const entriesOf = async (a: Account) => (await told(t, a.id)).filter((e) => e.kind === 'client.updated');
/** As the sender leaves an address that it gives up. */
const disable = (id: string) =>
  t.database.admin.query("UPDATE webhooks SET state = 'DISABLED', state_reason = 'gave up' WHERE id = $1", [
    uuidOf(id),
  ]);

/** What every one of these operations keeps to. */
function guarantees(what: string, operationId: string, body: () => Record<string, unknown> = () => ({})): void {
  describe('authenticates', () => {
    it('refuses a call without a key and with one that is not valid', async () => {
      expectRefusal(await t.post(`/v1/webhook/${webhookId}/${what}`, body()), 401, 'KEY_MISSING');
      expectRefusal(await t.post(`/v1/webhook/${webhookId}/${what}`, body(), 'x'), 401, 'KEY_INVALID');
    });
  });

  describe('authorises', () => {
    it("refuses an operator's key", async () => {
      expectRefusal(
        await change(webhookId, what, await t.makeOperator(), body()),
        403,
        'AUDIENCE',
        new RegExp(`^${operationId} is for `),
      );
    });

    it('answers as for an unknown id where the webhook is another account’s, and changes nothing', async () => {
      const [sibling, stranger] = [await t.makeClient(psp), await t.makePsp()];
      const before = await entryCount(t);
      const unknown = await change(toWire('webhook', t.app.services.ids.next()), what, client, body());
      expectRefusal(unknown, 404, 'NOT_FOUND', 'not found, or not yours to see');
      for (const r of [
        await change(webhookId, what, sibling, body()),
        await change(webhookId, what, stranger, body()),
        await change(webhookId, what, stranger, body(), { 'x-client-id': client.id }),
        await change(webhookId, what, psp, body(), { 'x-client-id': sibling.id }),
      ])
        expect([r.status, r.text]).toEqual([404, unknown.text]);
      expect(await entryCount(t)).toBe(before);
      expect(await stateOf(webhookId, client)).toBe('ACTIVE');
    });

    it("lets a PSP do it for its client, with and without the client's name", async () => {
      const someone = await t.makeClient(psp);
      for (const headers of [{}, { 'x-client-id': someone.id }]) {
        const id = await subscribe(t, someone);
        expect(contentOf(await change(id, what, psp, body(), headers))).toMatchObject({ webhookId: id });
      }
    });
  });
}

function takesReason(what: string): void {
  it.each([
    [{ reason: '' }, "the field 'reason' must not be empty"],
    [{ reason: 5 }, "the field 'reason' must be text, not a number"],
    [{ reason: 'x'.repeat(501) }, "the field 'reason' may have at most 500 characters"],
  ])('refuses %j', async (body, says) => {
    expectRefusal(await change(webhookId, what, client, body), 400, 'FIELD_INVALID', says);
  });
}

describe('pauseWebhook', () => {
  describe('accepts', () => {
    it('pauses an address, with the words of who did it', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      const shown = contentOf(await change(id, 'pause', someone, { reason: 'maintenance until noon' }));
      expect(shown).toMatchObject({ webhookId: id, state: 'PAUSED', stateReason: 'maintenance until noon' });
      expect(contentOf(await t.get(`/v1/webhook/${id}`, someone.apiKey))).toMatchObject({ state: 'PAUSED' });
    });

    it('holds what waits for it', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      const [waiting, done] = [
        await plant(t, id, someone, { state: 'retrying', attempts: ['HTTP_NOT_200'] }),
        await plant(t, id, someone),
      ];
      contentOf(await change(id, 'pause', someone));
      expect(await statesOf(t, id)).toMatchObject({ [waiting.eventId]: 'held', [done.eventId]: 'delivered' });
    });
  });

  describe('validates', () => {
    takesReason('pause');
    it('refuses an address that is disabled', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      await disable(id);
      expectRefusal(await change(id, 'pause', someone), 409, 'STATE_CONFLICT', /resume it first$/);
    });
  });

  guarantees('pause', 'pauseWebhook');

  describe('repeats', () => {
    it('changes nothing when it is paused already, and pauses once under many calls at once', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => change(id, 'pause', someone, { reason: `try ${i}` })),
      );
      const shown = new Set(answers.map((r) => contentOf(r).stateReason));
      expect(shown.size).toBe(1);
      expect(answers.filter((r) => r.headers.get('idempotency-replayed') === null)).toHaveLength(1);
      expect(await entriesOf(someone)).toHaveLength(2);
    });
  });

  describe('tells', () => {
    it('writes a Client Change with the addresses, who did it and why', async () => {
      const someone = await t.makeClient(psp);
      const url = deadUrl();
      const id = await subscribe(t, someone, url);
      contentOf(await change(id, 'pause', someone, { reason: 'maintenance' }));
      const entry = (await entriesOf(someone)).at(-1)?.body;
      expect(entry).toMatchObject({
        event: 'Client Change',
        clientId: someone.id,
        actor: { account: someone.id, by: expect.stringMatching(/^key_/) },
        evidence: { webhookId: id, state: 'PAUSED', reason: 'maintenance' },
      });
      expect(entry.data.webhookUrls).toEqual([url]);
    });
  });
});

describe('resumeWebhook', () => {
  describe('accepts', () => {
    it('ends a pause and gives a disabled address a new chance', async () => {
      const someone = await t.makeClient(psp);
      for (const stop of [(id: string) => change(id, 'pause', someone), disable]) {
        const id = await subscribe(t, someone);
        await stop(id);
        expect(contentOf(await change(id, 'resume', someone, { reason: 'repaired' }))).toMatchObject({
          state: 'ACTIVE',
          stateReason: null,
        });
      }
    });

    it('lets go of what was held', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      contentOf(await change(id, 'pause', someone));
      const held = await plant(t, id, someone, { state: 'held', attempts: [] });
      contentOf(await change(id, 'resume', someone));
      expect((await statesOf(t, id))[held.eventId]).not.toBe('held');
    });

    it('forgets the failures that came before', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      await quieten(t, someone, id);
      await disable(id);
      const since = new Date(t.now() - 432_000_000).toISOString();
      await setHealth(t, id, { failingSince: since, failures: 40, warnedHours: 96 });
      contentOf(await change(id, 'resume', someone));
      const { health } = contentOf(await t.get(`/v1/webhook/${id}`, someone.apiKey));
      expect(health.failingSince).not.toBe(since);
      expect(health.failures).toBeLessThan(40);
      const [row] = await t.database.admin.query('SELECT warned_hours FROM webhook_health WHERE webhook_id = $1', [
        uuidOf(id),
      ]);
      expect(row).toEqual({ warned_hours: 0 });
    });
  });

  describe('validates', () => takesReason('resume'));

  guarantees('resume', 'resumeWebhook');

  describe('repeats', () => {
    it('changes nothing on an address that is active, but lets go of what is held all the same', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      const before = await entryCount(t);
      // As if the process had died between the change and its consequence.
      const held = await plant(t, id, someone, { state: 'held', attempts: [] });
      const r = await change(id, 'resume', someone);
      expect([contentOf(r).state, r.headers.get('idempotency-replayed')]).toEqual(['ACTIVE', 'true']);
      expect(await entryCount(t)).toBe(before);
      expect((await statesOf(t, id))[held.eventId]).not.toBe('held');
    });
  });

  describe('tells', () => {
    it('writes a Client Change with its reason', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      contentOf(await change(id, 'pause', someone));
      contentOf(await change(id, 'resume', someone, { reason: 'repaired' }));
      expect((await entriesOf(someone)).map((e) => e.body.evidence)).toEqual([
        undefined,
        { webhookId: id, state: 'PAUSED' },
        { webhookId: id, state: 'ACTIVE', reason: 'repaired' },
      ]);
    });
  });
});

describe('deleteWebhook', () => {
  describe('accepts', () => {
    it('takes the address away and makes room for another', async () => {
      const few = await makeTestApp({ env: { WEBHOOK_LIMIT: '1' } });
      try {
        const house = await few.makePsp();
        const [one, two] = [deadUrl(), deadUrl()];
        const id = await subscribe(few, house, one);
        const r = await few.post(`/v1/webhook/${id}/delete`, { reason: 'gone' }, house.apiKey);
        expect(contentOf(r)).toMatchObject({ webhookId: id, state: 'DELETED', stateReason: 'gone' });
        expect(contentOf(await few.get('/v1/webhook', house.apiKey)).items).toEqual([]);
        expectRefusal(await few.get(`/v1/webhook/${id}`, house.apiKey), 404, 'NOT_FOUND');
        const next = await few.post('/v1/client/subscribeToClient', { webhookUrl: two }, house.apiKey);
        expect(contentOf(next).webhookUrls).toEqual([two]);
      } finally {
        await few.stop();
      }
    });

    it('makes a new subscription of the same address, with nothing of the old one', async () => {
      const someone = await t.makeClient(psp);
      const url = deadUrl();
      const old = await subscribe(t, someone, url);
      contentOf(await change(old, 'eventTypes', someone, { eventTypes: ['basket.created'] }));
      contentOf(await change(old, 'delete', someone));
      const fresh = await subscribe(t, someone, url);
      expect(fresh).not.toBe(old);
      expect(contentOf(await t.get(`/v1/webhook/${fresh}`, someone.apiKey))).toMatchObject({ eventTypes: ['*'] });
    });

    it('cancels what waits for it and what was held, and shows that with the event', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      const waiting = await plant(t, id, someone, { state: 'retrying', attempts: ['TIMEOUT'] });
      const held = await plant(t, id, someone, { state: 'held', attempts: [] });
      const done = await plant(t, id, someone, { state: 'delivered' });
      const exhausted = await plant(t, id, someone, { state: 'exhausted' });
      contentOf(await change(id, 'delete', someone));
      expect(await statesOf(t, id)).toMatchObject({
        [waiting.eventId]: 'cancelled',
        [held.eventId]: 'cancelled',
        [done.eventId]: 'delivered',
        [exhausted.eventId]: 'exhausted',
      });
      const { deliveries } = contentOf(await t.get(`/v1/event/${waiting.eventId}`, someone.apiKey));
      expect(deliveries).toEqual([
        expect.objectContaining({
          deliveryId: waiting.deliveryId,
          state: 'cancelled',
          lastReason: 'TIMEOUT',
          nextAttemptAt: null,
          finishedAt: new Date(t.now()).toISOString(),
        }),
      ]);
    });
  });

  describe('validates', () => takesReason('delete'));

  guarantees('delete', 'deleteWebhook');

  describe('repeats', () => {
    it('deletes once: after it the address is unknown', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      const answers = await Promise.all(Array.from({ length: 5 }, () => change(id, 'delete', someone)));
      expect(answers.map((r) => r.status).sort()).toEqual([200, 404, 404, 404, 404]);
      expect(await entriesOf(someone)).toHaveLength(2);
    });
  });

  describe('tells', () => {
    it('writes a Client Change without the address', async () => {
      const someone = await t.makeClient(psp);
      const [kept, gone] = [deadUrl(), deadUrl()];
      await subscribe(t, someone, kept);
      const id = await subscribe(t, someone, gone);
      contentOf(await change(id, 'delete', someone));
      expect((await entriesOf(someone)).at(-1)?.body.data.webhookUrls).toEqual([kept]);
    });
  });
});

describe('setEventTypes', () => {
  const choose = (id: string, by: Account, eventTypes: unknown) => change(id, 'eventTypes', by, { eventTypes });

  describe('accepts', () => {
    it('chooses some types, in one order and each once, and all again', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      const some = ['transaction.updated', 'basket.created', 'transaction.updated'];
      expect(contentOf(await choose(id, someone, some)).eventTypes).toEqual(['transaction.updated', 'basket.created']);
      expect(contentOf(await choose(id, someone, ['basket.created', '*'])).eventTypes).toEqual(['*']);
    });
  });

  describe('validates', () => {
    it.each([
      [undefined, 'FIELD_REQUIRED', "the field 'eventTypes' is required"],
      [[], 'FIELD_INVALID', "the field 'eventTypes' must have at least 1 entry"],
      ['transaction.created', 'FIELD_INVALID', "the field 'eventTypes' must be an array, not text"],
      [['transaction.vanished'], 'FIELD_INVALID', /^the field 'eventTypes\[0\]' must be one of client\.created, /],
      // What is not announced cannot be asked for.
      [['cdr.recorded'], 'FIELD_INVALID', /^the field 'eventTypes\[0\]' must be one of /],
      [['webhook.test'], 'FIELD_INVALID', /^the field 'eventTypes\[0\]' must be one of /],
      [Array(51).fill('*'), 'FIELD_INVALID', "the field 'eventTypes' may have at most 50 entries"],
    ])('refuses %j', async (eventTypes, code, says) => {
      expectRefusal(await choose(webhookId, client, eventTypes), 400, code, says);
    });
  });

  guarantees('eventTypes', 'setEventTypes', () => ({ eventTypes: ['basket.created'] }));

  describe('repeats', () => {
    it('changes nothing when the same are chosen, in whatever order', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone);
      contentOf(await choose(id, someone, ['transaction.created', 'basket.created']));
      const before = await entryCount(t);
      const again = await choose(id, someone, ['basket.created', 'transaction.created']);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      expect(await entryCount(t)).toBe(before);
    });
  });

  describe('tells', () => {
    it('keeps records and journal one to one', async () => {
      const someone = await t.makeClient(psp);
      const ids = [await subscribe(t, someone), await subscribe(t, someone), await subscribe(t, someone)];
      // Changes of one account at once: each is decided over the one before it.
      for (const r of await Promise.all([
        choose(ids[0] as string, someone, ['basket.created']),
        choose(ids[1] as string, someone, ['client.updated']),
        change(ids[0] as string, 'pause', someone),
        subscribe(t, someone).then(() => undefined),
        change(ids[2] as string, 'delete', someone),
      ]))
        if (r) contentOf(r);
      expect(contentOf(await t.get(`/v1/webhook/${ids[0]}`, someone.apiKey))).toMatchObject({
        state: 'PAUSED',
        eventTypes: ['basket.created'],
      });
      await expectJournalComplete(t);
    });
  });
});
