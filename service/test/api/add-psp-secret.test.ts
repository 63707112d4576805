// The operation addPSPSecret (Spec 4.7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  limitsText,
  namesIgnoredFields,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
const path = '/v1/client/addPSPSecret';
const secret = 'sk_live_Qm9va3NBcmVGdW4';
const wire: Wire = {
  app: () => t,
  method: 'POST',
  path,
  caller: () => client,
  body: () => ({ psp: 'PAYSTACK', secret }),
};
const add = (body: Record<string, unknown> = {}, key = client.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, { psp: 'PAYSTACK', secret, ...body }, key, headers);
const stored = (account: Account) =>
  t.database.admin.query('SELECT * FROM provider_secrets WHERE account_id = $1 ORDER BY provider', [account.uuid]);
const opened = (account: Account, row: Record<string, unknown>) =>
  t.app.services.vault.open(row.secret_sealed as string, `provider_secrets/${account.uuid}/${row.provider}`);

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('addPSPSecret', () => {
  describe('accepts', () => {
    it('stores the secret sealed and answers without it', async () => {
      const someone = await t.makeClient(psp);
      const r = await add({}, someone.apiKey);
      expect(contentOf(r)).toEqual({ psp: 'PAYSTACK', updatedAt: new Date(t.now()).toISOString() });
      expect(r.text).not.toContain(secret);
      const [row] = await stored(someone);
      expect(JSON.stringify(row)).not.toContain(secret);
      expect(opened(someone, row!)).toBe(secret);
    });

    it('knows the two configured providers, in any case', async () => {
      const someone = await t.makeClient(psp);
      expect(contentOf(await add({ psp: 'stripe' }, someone.apiKey)).psp).toBe('STRIPE');
      expect(contentOf(await add({ psp: 'PayStack' }, someone.apiKey)).psp).toBe('PAYSTACK');
      expect((await stored(someone)).map((r) => r.provider)).toEqual(['PAYSTACK', 'STRIPE']);
    });

    it('takes the names of providers from the setting', async () => {
      const own = await makeTestApp({ env: { PSP_NAMES: 'FLUTTERWAVE, MPESA' } });
      try {
        const house = await own.makePsp();
        expect(contentOf(await own.post(path, { psp: 'MPESA', secret }, house.apiKey)).psp).toBe('MPESA');
        expectRefusal(
          await own.post(path, { psp: 'STRIPE', secret }, house.apiKey),
          400,
          'FIELD_INVALID',
          "the field 'psp' must be one of FLUTTERWAVE, MPESA",
        );
      } finally {
        await own.stop();
      }
    });

    it('keeps the secret byte for byte', async () => {
      const someone = await t.makeClient(psp);
      const odd = ' pä"ss\\wörd\u2028🔑 ';
      contentOf(await add({ secret: odd }, someone.apiKey));
      expect(opened(someone, (await stored(someone))[0]!)).toBe(odd);
    });

    it("stores it for the PSP's own account, or for the client in x-client-id", async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      contentOf(await add({}, house.apiKey));
      contentOf(await add({ psp: 'STRIPE' }, house.apiKey, { 'x-client-id': shop.id }));
      expect((await stored(house)).map((r) => r.provider)).toEqual(['PAYSTACK']);
      expect((await stored(shop)).map((r) => r.provider)).toEqual(['STRIPE']);
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['psp', 'secret']);
    refusesWrongTypes(wire, { text: ['psp', 'secret'] });
    limitsText(wire, { psp: 60, secret: 4000 });
    namesIgnoredFields(wire);

    it('refuses a provider that is not configured, naming those that are, and not the secret', async () => {
      const before = await entryCount(t);
      const r = await add({ psp: 'NOBODY' });
      expectRefusal(r, 400, 'FIELD_INVALID', "the field 'psp' must be one of STRIPE, PAYSTACK");
      expect(await entryCount(t)).toBe(before);
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'addPSPSecret');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    it('replaces the secret of the same provider', async () => {
      const someone = await t.makeClient(psp);
      contentOf(await add({}, someone.apiKey));
      t.advance(1000);
      expect(contentOf(await add({ secret: 'the-next-one' }, someone.apiKey)).updatedAt).toBe(
        new Date(t.now()).toISOString(),
      );
      const rows = await stored(someone);
      expect(rows).toHaveLength(1);
      expect(opened(someone, rows[0]!)).toBe('the-next-one');
    });

    it('keeps exactly one of many concurrent secrets', async () => {
      const someone = await t.makeClient(psp);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => add({ secret: `secret-${i}` }, someone.apiKey)),
      );
      for (const r of answers) contentOf(r);
      const rows = await stored(someone);
      expect(rows).toHaveLength(1);
      expect(opened(someone, rows[0]!)).toMatch(/^secret-\d$/);
    });
  });

  describe('tells', () => {
    it('writes who stored a secret for which provider, and nothing of the secret', async () => {
      const someone = await t.makeClient(psp);
      const content = contentOf(await add({}, psp.apiKey, { 'x-client-id': someone.id }));
      const entries = await told(t, someone.id);
      expect(entries.map((e) => e.kind)).toEqual(['client.created', 'client.secret_stored']);
      const entry = entries[1]!;
      expect(entry.body).toMatchObject({
        type: 'client.secret_stored',
        clientId: someone.id,
        actor: { account: psp.id },
        data: content,
      });
      expect(entry.body).not.toHaveProperty('event');
      expect(entry.text).not.toContain(secret);
      expect(entry.text).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20));
      expect(entry.text).not.toContain('sealed');
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await Promise.all(Array.from({ length: 10 }, () => add()));
      await expectJournalComplete(t);
    });
  });
});
