// Rotating the secret that signs webhooks: which secret signs when, and that the secret appears only in the reply.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecretsOfMany } from '../../src/modules/webhooks/signing-secrets.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  namesIgnoredFields,
  refusesOperators,
  setStanding,
  type Wire,
} from '../support/guarantees.ts';
import { expectJournalComplete, told } from '../support/journal.ts';
import { type Received, type Receiver, startReceiver } from '../support/receivers.ts';
import { subscribe } from '../support/webhooks.ts';

const path = '/v1/client/rotateSecret';
const hour = 3_600_000;
let t: TestApp;
let psp: Account;
let client: Account;
let receiver: Receiver;
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: () => ({}) };

beforeAll(async () => {
  t = await makeTestApp({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_CONCURRENCY: '8' } });
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  receiver = await startReceiver();
});
afterAll(async () => {
  await t?.stop();
  await receiver?.stop();
});

const rotate = async (a: Account, body: object = {}): Promise<{ secret: string; previousUntil: string | null }> =>
  contentOf(await t.post(path, body, a.apiKey));
const secretsOf = (a: Account, afterMs = 0) =>
  new SecretsOfMany(t.app.services).of([{ psp: psp.uuid, account: a.uuid }], t.now() + afterMs)(a.uuid);

describe('rotateSecret', () => {
  describe('accepts', () => {
    it('issues a new secret of the same form, and says until when the old one signs', async () => {
      const someone = await t.makeClient(psp);
      const content = contentOf(await t.post(path, {}, someone.apiKey));
      expect(content).toEqual({
        clientId: someone.id,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        previousUntil: new Date(t.now() + 24 * hour).toISOString(),
      });
      expect(content.secret).not.toBe(someone.secret);
    });

    it('lets the old secret lead until that moment and not beyond', async () => {
      const someone = await t.makeClient(psp);
      expect(await secretsOf(someone)).toEqual({ current: someone.secret });
      const { secret } = await rotate(someone, { graceHours: 2 });
      const both = { current: secret, previous: someone.secret, previousLeads: true };
      expect(await secretsOf(someone)).toEqual(both);
      expect(await secretsOf(someone, 2 * hour - 1)).toEqual(both);
      expect(await secretsOf(someone, 2 * hour)).toEqual({ current: secret });
    });

    it('ends the old secret at once where no grace is asked for', async () => {
      const someone = await t.makeClient(psp);
      const { secret, previousUntil } = await rotate(someone, { graceHours: 0 });
      expect(previousUntil).toBeNull();
      expect(await secretsOf(someone)).toEqual({ current: secret });
    });

    it('rotates for the client that a PSP names, or for the PSP itself', async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      const named = contentOf(await t.post(path, {}, house.apiKey, { 'x-client-id': shop.id }));
      const own = contentOf(await t.post(path, {}, house.apiKey));
      expect([named.clientId, own.clientId]).toEqual([shop.id, house.id]);
      expect(named.secret).not.toBe(own.secret);
    });

    // Spec 6.3
    it('signs what is sent with both, X-Signature with the leading one', async () => {
      const someone = await t.makeClient(psp);
      const id = await subscribe(t, someone, receiver.url);
      const delivered = async (what: () => Promise<unknown>): Promise<Received> => {
        const before = receiver.received.length;
        await what();
        return until('it came', () =>
          receiver.received.slice(before).find((r) => JSON.parse(r.body).type === 'webhook.test'),
        );
      };
      const test = () => delivered(() => t.post(`/v1/webhook/${id}/test`, '', someone.apiKey));
      const hex = (secret: string, r: Received) => createHmac('sha256', secret).update(r.body).digest('hex');
      const v1 = (secret: string, r: Received) =>
        `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
          .update(`${r.headers['webhook-id']}.${r.headers['webhook-timestamp']}.${r.body}`)
          .digest('base64')}`;

      const before = await test();
      expect(before.headers['x-signature']).toBe(hex(someone.secret, before));
      const { secret } = await rotate(someone, { graceHours: 1 });
      const during = await test();
      expect(during.headers['x-signature']).toBe(hex(someone.secret, during));
      expect(String(during.headers['webhook-signature']).split(' ').sort()).toEqual(
        [v1(secret, during), v1(someone.secret, during)].sort(),
      );
      t.advance(hour);
      const after = await test();
      expect(after.headers['x-signature']).toBe(hex(secret, after));
      expect(after.headers['webhook-signature']).toBe(v1(secret, after));
    });
  });

  describe('validates', () => {
    namesIgnoredFields(wire);
    it.each([-1, 169, 1.5, '24'])('refuses %j as graceHours', async (graceHours) => {
      expectRefusal(await t.post(path, { graceHours }, client.apiKey), 400, 'FIELD_INVALID', /'graceHours'/);
    });

    it('refuses an account that is closed', async () => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { operationalStanding: 'CLOSED' });
      expectRefusal(await t.post(path, {}, someone.apiKey), 403, 'ACCOUNT_CLOSED');
      const byPsp = await t.post(path, {}, psp.apiKey, { 'x-client-id': someone.id });
      expectRefusal(byPsp, 409, 'STATE_CONFLICT');
      expect(await secretsOf(someone)).toEqual({ current: someone.secret });
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'rotateSecret');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    it('replaces the secret that does not lead yet, so that a lost answer costs nothing', async () => {
      const someone = await t.makeClient(psp);
      await rotate(someone, { graceHours: 10 });
      t.advance(hour);
      const { secret, previousUntil } = await rotate(someone, { graceHours: 10 });
      expect(previousUntil).toBe(new Date(t.now() + 10 * hour).toISOString());
      expect(await secretsOf(someone)).toEqual({ current: secret, previous: someone.secret, previousLeads: true });
      t.advance(10 * hour);
      const third = await rotate(someone);
      expect(await secretsOf(someone)).toEqual({ current: third.secret, previous: secret, previousLeads: true });
    });

    it('keeps one of many at once, and the one that led before them', async () => {
      const someone = await t.makeClient(psp);
      const made = await Promise.all(Array.from({ length: 8 }, () => rotate(someone)));
      const secrets = await secretsOf(someone);
      expect(made.map((m) => m.secret)).toContain(secrets.current);
      expect(secrets.previous).toBe(someone.secret);
      expect((await told(t, someone.id)).map((e) => e.body.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });
  });

  describe('tells', () => {
    it('writes a Client Change that says who did it and until when', async () => {
      const someone = await t.makeClient(psp);
      const { previousUntil } = await rotate(someone);
      const entry = (await told(t, someone.id)).at(-1)?.body;
      expect(entry).toMatchObject({
        type: 'client.updated',
        actor: { account: someone.id, by: expect.stringMatching(/^key_/) },
        evidence: { reason: `webhook secret rotated until ${previousUntil}` },
      });
    });

    it('keeps every secret out of journal, events, logs and in clear out of the database', async () => {
      const someone = await t.makeClient(psp);
      const { secret } = await rotate(someone);
      const rows = await t.database.admin.query(
        `SELECT body AS text FROM journal UNION ALL SELECT body FROM webhook_events UNION ALL SELECT secret_sealed FROM accounts`,
      );
      const places = [...rows.map((r) => r.text as string), ...t.logged].join('\n');
      for (const hidden of [secret, secret.slice(6), someone.secret]) expect(places).not.toContain(hidden);
    });

    it('keeps records and journal one to one', () => expectJournalComplete(t));
  });
});
