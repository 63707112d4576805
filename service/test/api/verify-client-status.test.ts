// The operation verifyClientStatus (Spec 4.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  placeHold,
  refusesOperators,
  setStanding,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, uuidOf } from '../support/journal.ts';
import { setHealth, subscribe } from '../support/webhooks.ts';

let t: TestApp;
let psp: Account;
let client: Account;
const path = '/v1/client/verifyClientStatus';
const ask = (key = client.apiKey, headers: Record<string, string> = {}) => t.get(path, key, headers);
const wire: Wire = { app: () => t, method: 'GET', path, caller: () => client };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp, { classification: 'CRYPTO_GLOBAL' });
});
afterAll(() => t?.stop());

describe('verifyClientStatus', () => {
  describe('accepts', () => {
    it("answers with the calling client's level, standing, flags and requirements", async () => {
      const r = await ask();
      expect(contentOf(r)).toEqual({
        clientId: client.id,
        registeredName: 'Lagos Books Ltd',
        classification: 'CRYPTO_GLOBAL',
        countryCode: 'NG',
        verificationLevel: 'BASIC',
        operationalStanding: 'ACTIVE',
        acceptable: true,
        flags: [],
        requirements: { currentlyDue: [], items: expect.any(Array) },
      });
      expect(r.body.message).toBe('the client is in acceptable standing');
    });

    it("answers a PSP's key about its own account, or about the client in x-client-id", async () => {
      expect(contentOf(await ask(psp.apiKey))).toMatchObject({ clientId: psp.id, classification: null });
      expect(contentOf(await ask(psp.apiKey, { 'x-client-id': client.id })).clientId).toBe(client.id);
      expect(contentOf(await ask(client.apiKey, { 'x-client-id': client.id })).clientId).toBe(client.id);
    });

    it.each([
      ['SUSPENDED', 'not acceptable: the client is suspended'],
      ['CLOSED', 'not acceptable: the client is closed'],
    ])('says in plain words why a %s client is not acceptable', async (operationalStanding, message) => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { operationalStanding });
      const r = await ask(someone.apiKey);
      expect(contentOf(r)).toMatchObject({ operationalStanding, acceptable: false });
      expect(r.body.message).toBe(message);
    });

    it('names the verification level that is still due', async () => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { verificationLevel: 'UNVERIFIED' });
      expect(contentOf(await ask(someone.apiKey))).toMatchObject({
        verificationLevel: 'UNVERIFIED',
        acceptable: false,
        requirements: { currentlyDue: ['verificationLevel:BASIC'] },
      });
    });

    it('takes the standing of the PSP into account', async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      await setStanding(t, house, { operationalStanding: 'SUSPENDED' });
      const r = await ask(shop.apiKey);
      expect(contentOf(r)).toMatchObject({ operationalStanding: 'ACTIVE', acceptable: false });
      expect(r.body.message).toBe("not acceptable: the client's PSP is suspended");
    });

    it('shows a hold by its public code while it is in force, to the client and to its PSP alike', async () => {
      const someone = await t.makeClient(psp);
      const from = t.now() + 1000;
      await placeHold(t, someone, {
        code: 'DOCUMENTS',
        reason: 'licence copy is missing',
        from: new Date(from).toISOString(),
        until: new Date(from + 1000).toISOString(),
      });
      const flag = {
        id: expect.stringMatching(/^hld_/),
        code: 'UNDER_REVIEW',
        reason: 'the account is under review',
        blocking: true,
        since: new Date(from).toISOString(),
        until: new Date(from + 1000).toISOString(),
      };
      expect(contentOf(await ask(someone.apiKey))).toMatchObject({ acceptable: true, flags: [] });
      t.advance(1000);
      for (const a of [await ask(someone.apiKey), await ask(psp.apiKey, { 'x-client-id': someone.id })])
        expect(contentOf(a)).toMatchObject({ acceptable: false, flags: [flag] });
      t.advance(1000);
      expect(contentOf(await ask(someone.apiKey))).toMatchObject({ acceptable: true, flags: [] });
    });

    it('flags each of its own webhook addresses that was warned about or disabled, beside its holds', async () => {
      const someone = await t.makeClient(psp);
      const [failing, fine, given, paused] = await Promise.all(Array.from({ length: 4 }, () => subscribe(t, someone)));
      const set = (id: string | undefined, state: string, reason: string | null) =>
        t.database.admin.query('UPDATE webhooks SET state = $2, state_reason = $3 WHERE id = $1', [
          uuidOf(id as string),
          state,
          reason,
        ]);
      const failingSince = new Date(t.now() - 30 * 3_600_000).toISOString();
      await setHealth(t, failing as string, { failingSince, failures: 12, warnedHours: 24 });
      await set(failing, 'ACTIVE', 'failing for 24 hours');
      // It failed of late, and nobody was warned of it yet.
      await setHealth(t, fine as string, { failingSince, failures: 1, warnedHours: 0 });
      await set(given, 'DISABLED', 'gave up');
      await set(paused, 'PAUSED', 'maintenance');
      await placeHold(t, someone, {
        from: new Date(t.now() + 60_000).toISOString(),
        publicCode: 'INFORMATION_REQUIRED',
      });
      const { acceptable, flags } = contentOf(await ask(someone.apiKey));
      expect(acceptable).toBe(true);
      expect(flags.map((f: { code: string }) => f.code).sort()).toEqual([
        'INFORMATION_REQUIRED',
        'WEBHOOK_DISABLED',
        'WEBHOOK_FAILING',
      ]);
      expect(flags).toContainEqual({
        id: failing,
        code: 'WEBHOOK_FAILING',
        reason: expect.stringMatching(/^https:\/\/hooks\.example\.com\/\d+: failing for 24 hours$/),
        blocking: false,
        since: failingSince,
        until: null,
      });
      expect(flags).toContainEqual(expect.objectContaining({ id: given, since: new Date(t.now()).toISOString() }));
      expect(contentOf(await ask(psp.apiKey, { 'x-client-id': someone.id })).flags).toEqual(flags);
      expect(contentOf(await ask(psp.apiKey)).flags).toEqual([]);
    });

    it('agrees with the verdict of verifyTransaction', async () => {
      const someone = await t.makeClient(psp);
      const verdict = async (ref: string) =>
        contentOf(
          await t.post(
            '/v1/transaction/verifyTransaction',
            {
              ref,
              totalAmount: 100,
              currency: 'NGN',
              countryCode: 'NG',
              paymentMethods: {},
              transactionFee: 0,
            },
            someone.apiKey,
          ),
        ).status;
      const steps = [
        {},
        { verificationLevel: 'UNVERIFIED' },
        { verificationLevel: 'ENHANCED' },
        { operationalStanding: 'SUSPENDED' },
      ];
      for (const [i, change] of steps.entries()) {
        if (i > 0) await setStanding(t, someone, change);
        const { acceptable } = contentOf(await ask(someone.apiKey));
        expect(await verdict(`agree-${i}`)).toBe(acceptable ? 'APPROVED' : 'DECLINED');
      }
    });
  });

  describe('validates', () => {
    it('needs no body and no parameter', async () => {
      const r = await t.get(path, client.apiKey);
      contentOf(r);
    });

    it('answers other methods with 405 and what is supported', async () => {
      const r = await t.post(path, {}, client.apiKey);
      expectRefusal(r, 405, 'METHOD', 'POST is not supported here; use GET');
      expect(r.headers.get('allow')).toBe('GET');
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'verifyClientStatus');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    it('answers the same until the standing changes', async () => {
      const someone = await t.makeClient(psp);
      const first = await ask(someone.apiKey);
      t.advance(86_400_000);
      expect((await ask(someone.apiKey)).text).toBe(first.text);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      expect((await ask(someone.apiKey)).text).not.toBe(first.text);
    });
  });

  describe('tells', () => {
    it('writes nothing into the journal', async () => {
      const before = await entryCount(t);
      await ask();
      await ask(psp.apiKey);
      expect(await entryCount(t)).toBe(before);
    });
  });
});
