// A client's registered data is changed by its PSP, its contact also by the client itself: Client Change (Spec 6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, namesIgnoredFields, setStanding, type Wire } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, told, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

const update = (body: unknown, key = psp.apiKey, of = client) => t.post(`/v1/client/${of.id}/update`, body, key);
const shown = async (of = client) => contentOf(await t.get(`/v1/client/${of.id}`, psp.apiKey));
const wire: Wire = {
  app: () => t,
  method: 'POST',
  get path() {
    return `/v1/client/${client.id}/update`;
  },
  caller: () => psp,
  body: () => ({ registeredName: `Lagos Books ${++n} Ltd` }),
};
describe('updateClient', () => {
  describe('accepts', () => {
    it('changes what is given and nothing else, in force at once', async () => {
      const own = await t.makeClient(psp);
      const before = await shown(own);
      t.advance(1000);
      const change = { registeredName: 'Eko Books Ltd', classification: 'IGAMING_LOCAL', organizationTin: '1' };
      const r = await update({ ...change, reason: 'it was registered wrongly' }, psp.apiKey, own);
      expect(contentOf(r)).toEqual(await shown(own));
      expect(await shown(own)).toMatchObject({
        ...before,
        ...change,
        observations: expect.any(Array),
        updatedAt: new Date(t.now()).toISOString(),
      });
      const status = contentOf(await t.get('/v1/client/verifyClientStatus', own.apiKey));
      expect(status).toMatchObject({ registeredName: 'Eko Books Ltd', classification: 'IGAMING_LOCAL' });
    });

    it("takes a client's own contact from the client itself", async () => {
      const own = await t.makeClient(psp);
      contentOf(await update({ email: 'new@lagosbooks.example' }, own.apiKey, own));
      const last = (await told(t, own.id)).at(-1);
      expect(last?.body).toMatchObject({ type: 'client.updated', version: 2, sealed: expect.any(String) });
    });

    it('takes the same from an operator', async () => {
      const operator = await t.makeOperator();
      expect(contentOf(await update(wire.body?.(), operator.apiKey)).clientId).toBe(client.id);
    });
  });

  describe('validates', () => {
    namesIgnoredFields(wire);

    it('asks for at least one field, and for a classification that there is', async () => {
      for (const body of [{}, { reason: 'none' }, { registeredName: null }])
        expectRefusal(await update(body), 400, 'FIELD_INVALID', /^one of the fields registeredName, email, /);
      expectRefusal(await update({ classification: 'BANK' }), 400, 'FIELD_INVALID');
      expectRefusal(await update({ email: 'nobody' }), 400, 'FIELD_INVALID');
    });

    it('changes neither country nor registration number', async () => {
      const r = await update({ registeredName: 'Lagos Books Ltd', countryCode: 'GH', registrationNumber: 'X' });
      expect(r.headers.get('x-ignored-fields')).toBe('countryCode, registrationNumber');
      expect((await shown()).countryCode).toBe('NG');
    });

    it('refuses a closed client', async () => {
      const own = await t.makeClient(psp);
      await setStanding(t, own, { operationalStanding: 'CLOSED' });
      expectRefusal(await update({ registeredName: 'X' }, psp.apiKey, own), 409, 'STATE_CONFLICT');
    });
  });

  describe('authorises', () => {
    it("refuses a client's key what decides about its taxes and fees", async () => {
      for (const body of [{ classification: 'CRYPTO_GLOBAL' }, { registeredName: 'X' }, { organizationTin: '1' }])
        expectRefusal(await update(body, client.apiKey), 403, 'AUDIENCE', /is changed by its PSP only$/);
    });

    it("refuses other PSPs and other clients as if there were no such client, and a PSP's own account", async () => {
      const [other, sibling] = [await t.makePsp(), await t.makeClient(psp)];
      for (const key of [other.apiKey, sibling.apiKey])
        expectRefusal(await update({ email: 'a@b.example' }, key), 404, 'NOT_FOUND');
      expectRefusal(await update({ registeredName: 'X' }, psp.apiKey, psp), 404, 'NOT_FOUND');
    });
  });

  describe('repeats', () => {
    it('answers an equal body and records nothing new', async () => {
      const body = { registeredName: `Lagos Books ${++n} Ltd`, email: 'same@lagosbooks.example' };
      const first = contentOf(await update(body));
      const before = await entryCount(t);
      expect(contentOf(await update(body))).toEqual(first);
      expect(await entryCount(t)).toBe(before);
    });

    it('makes each of many changes at once, one after the other, beside changes of standing', async () => {
      const own = await t.makeClient(psp);
      const names = Array.from({ length: 20 }, (_, i) => `Name ${i}`);
      await Promise.all([
        ...names.map(async (registeredName) => contentOf(await update({ registeredName }, psp.apiKey, own))),
        ...names.map(() => setStanding(t, own, { verificationLevel: 'ENHANCED' })),
      ]);
      const entries = await told(t, own.id);
      expect(entries.map((e) => e.body.version)).toEqual(Array.from({ length: entries.length }, (_, i) => i + 1));
      const last = await shown(own);
      expect(entries.at(-1)?.body.data).toEqual(last);
      expect(last.verificationLevel).toBe('ENHANCED');
    });
  });

  describe('tells', () => {
    it('writes one entry with the full client, its contact sealed, what changed and why', async () => {
      const own = await t.makeClient(psp);
      contentOf(await update({ phoneNumber: '+2348039999999', reason: 'a new number' }, psp.apiKey, own));
      const [, entry, ...more] = await told(t, own.id);
      expect(more).toEqual([]);
      expect(entry?.body).toMatchObject({
        type: 'client.updated',
        event: 'Client Change',
        clientId: own.id,
        version: 2,
        data: await shown(own),
        evidence: { changed: ['contact'], reason: 'a new number' },
        subject: `account:${uuidOf(own.id)}`,
      });
      expect(entry?.text).not.toContain('+2348039999999');
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await expectJournalComplete(t);
    });
  });
});
