// The operation registerClient (Spec 4.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { upTo } from '../support/depth.ts';
import {
  contentOf,
  expectRefusal,
  limitsText,
  namesIgnoredFields,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  send,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let n = 0;
const required = [
  'registeredName',
  'registrationNumber',
  'countryCode',
  'email',
  'phoneNumber',
  'classification',
  'organizationTin',
];
const form = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  registeredName: 'Lagos Books Ltd',
  registrationNumber: `RC-${1_000_000 + ++n}`,
  countryCode: 'NG',
  email: 'accounts@lagosbooks.example',
  phoneNumber: '+2348030000001',
  classification: 'ECOMM_LOCAL',
  organizationTin: '12345678-0001',
  ...over,
});
const wire: Wire = {
  app: () => t,
  method: 'POST',
  path: '/v1/client/registerClient',
  caller: () => psp,
  body: form,
};
/** Content and the id of the new client. */
const made = (r: Answer) => ({ ...contentOf(r), clientId: r.headers.get('x-client-id') as string });
const register = (over: Record<string, unknown> = {}, key = psp.apiKey) => t.post(wire.path, form(over), key);

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

describe('registerClient', () => {
  describe('accepts', () => {
    it('returns exactly the key and the secret of the new client, and its id in a header', async () => {
      const r = await register();
      const c = contentOf(r);
      expect(Object.keys(c)).toEqual(['apiKey', 'secret']);
      expect(c.apiKey).toMatch(/^asy_[0-9a-z]{26}_[\w-]{43}_[0-9a-f]{8}$/);
      expect(c.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(r.headers.get('x-client-id')).toMatch(/^cli_[0-9a-z]{26}$/);
      expect(r.headers.get('cache-control')).toBe('no-store');
    });

    it('gives a key that works at once, for a client that may trade at once', async () => {
      const { apiKey, clientId } = made(await register());
      expect(contentOf(await t.get('/v1/client/verifyClientStatus', apiKey))).toMatchObject({
        clientId,
        registeredName: 'Lagos Books Ltd',
        classification: 'ECOMM_LOCAL',
        countryCode: 'NG',
        verificationLevel: 'BASIC',
        operationalStanding: 'ACTIVE',
        acceptable: true,
        flags: [],
      });
    });

    it.each(['IGAMING_GLOBAL', 'IGAMING_LOCAL', 'ECOMM_GLOBAL', 'ECOMM_LOCAL', 'CRYPTO_GLOBAL', 'CRYPTO_LOCAL'])(
      'knows the classification %s',
      async (classification) => {
        const { apiKey } = contentOf(await register({ classification }));
        expect(contentOf(await t.get('/v1/client/verifyClientStatus', apiKey)).classification).toBe(classification);
      },
    );

    it('stores a country of three letters in any case as two', async () => {
      const { clientId } = made(await register({ countryCode: 'gha' }));
      expect(contentOf(await t.get(`/v1/client/${clientId}`, psp.apiKey)).countryCode).toBe('GH');
    });

    it('gives every client its own key and secret', async () => {
      const all = await Promise.all(Array.from({ length: 5 }, () => register()));
      for (const field of ['apiKey', 'secret', 'clientId'])
        expect(new Set(all.map((r) => made(r)[field])).size).toBe(5);
    });

    it('keeps names of any script', async () => {
      const registeredName = 'Ọjà Èkó — 市場 🏪 Ltd';
      const { clientId } = made(await register({ registeredName }));
      expect(contentOf(await t.get(`/v1/client/${clientId}`, psp.apiKey)).registeredName).toBe(registeredName);
    });
  });

  describe('validates', () => {
    requiresFields(wire, required);
    refusesWrongTypes(wire, { text: required.filter((f) => f !== 'classification') });
    limitsText(wire, {
      registeredName: 300,
      registrationNumber: 100,
      countryCode: 3,
      email: 254,
      phoneNumber: 32,
      organizationTin: 60,
    });
    namesIgnoredFields(wire);

    it('refuses a classification that is not one of the six, naming them', async () => {
      for (const classification of ['ecomm_local', 'ECOMM', '', 1, ['ECOMM_LOCAL']])
        expectRefusal(
          await register({ classification }),
          400,
          'FIELD_INVALID',
          "the field 'classification' must be one of IGAMING_GLOBAL, IGAMING_LOCAL, ECOMM_GLOBAL, ECOMM_LOCAL, CRYPTO_GLOBAL, CRYPTO_LOCAL",
        );
    });

    it.each(['nobody', '@x.example', 'ab@', 'a b@x.example', 'a@b@c'])(
      "refuses '%s' as an e-mail address",
      async (email) => {
        expectRefusal(await register({ email }), 400, 'FIELD_INVALID', "the field 'email' must be an e-mail address");
      },
    );

    it('refuses a country that does not exist', async () => {
      expectRefusal(
        await register({ countryCode: 'ZZ' }),
        400,
        'UNKNOWN_COUNTRY',
        "the field 'countryCode' is not an ISO 3166-1 country code: 'ZZ'",
      );
    });

    it('records nothing of what it refuses', async () => {
      const before = [await entryCount(t), await rowCount(t, 'accounts'), await rowCount(t, 'api_keys')];
      await register({ countryCode: 'ZZ' });
      await register({ email: 'x' });
      expect([await entryCount(t), await rowCount(t, 'accounts'), await rowCount(t, 'api_keys')]).toEqual(before);
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'registerClient');

    it("refuses a client's key", async () => {
      const client = await t.makeClient(psp);
      expectRefusal(await send(wire, client.apiKey), 403, 'AUDIENCE', "registerClient is for a psp's key");
    });

    it('makes the client one of the calling PSP, and of no other', async () => {
      const other = await t.makePsp();
      const { clientId } = made(await register());
      expect(contentOf(await t.get(`/v1/client/${clientId}`, psp.apiKey)).clientId).toBe(clientId);
      expectRefusal(await t.get(`/v1/client/${clientId}`, other.apiKey), 404, 'NOT_FOUND');
    });
  });

  describe('repeats', () => {
    it('refuses the same registration number and country with other data, and records nothing', async () => {
      const registrationNumber = `RC-${++n}`;
      const { clientId } = made(await register({ registrationNumber }));
      const before = await entryCount(t);
      for (const over of [{ registeredName: 'Other' }, { email: 'other@lagosbooks.example' }, { phoneNumber: '1' }])
        expectRefusal(
          await register({ registrationNumber, ...over }),
          409,
          'ALREADY_REGISTERED',
          `a client with the registration number '${registrationNumber}' in NG is registered already (${clientId}), with other data; change what is registered with updateClient`,
        );
      expect(await entryCount(t)).toBe(before);
    });

    it('answers an equal request with the key of the first, as long as nobody has used it', async () => {
      const body = form();
      const first = await t.post(wire.path, body, psp.apiKey);
      for (const over of [{}, { countryCode: 'NGA' }, { countryCode: 'ng' }]) {
        const again = await t.post(wire.path, { ...body, ...over }, psp.apiKey);
        expect(made(again)).toEqual(made(first));
        expect(again.headers.get('idempotency-replayed')).toBe('true');
      }
      const { apiKey } = made(first);
      contentOf(await t.get('/v1/client/verifyClientStatus', apiKey));
      const used = await t.post(wire.path, body, psp.apiKey);
      expectRefusal(
        used,
        409,
        'ALREADY_REGISTERED',
        /, and its key was used or is older than a day; if it is lost, issue another/,
      );
      // Still when the use is written and forgotten here.
      await t.app.services.keys.flushUse();
      expect((await t.post(wire.path, body, psp.apiKey)).status).toBe(409);
      expect((await t.get('/v1/client/verifyClientStatus', apiKey)).status).toBe(200);
    });

    it('leaves a key that was used as it is while its use cannot be stored', async () => {
      const body = form();
      const { apiKey } = made(await t.post(wire.path, body, psp.apiKey));
      const { admin } = t.database;
      await admin.query(
        `CREATE FUNCTION refuse_uses() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no uses'; END $$;
         CREATE TRIGGER no_uses BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_uses()`,
      );
      contentOf(await t.get('/v1/client/verifyClientStatus', apiKey));
      await expect(t.app.services.keys.flushUse()).rejects.toThrow('no uses');
      await admin.query('DROP FUNCTION refuse_uses CASCADE');
      expectRefusal(await t.post(wire.path, body, psp.apiKey), 409, 'ALREADY_REGISTERED', /its key was used/);
      expect((await t.get('/v1/client/verifyClientStatus', apiKey)).status).toBe(200);
      await t.app.services.keys.flushUse();
      expectRefusal(await t.post(wire.path, body, psp.apiKey), 409, 'ALREADY_REGISTERED', /its key was used/);
    });

    it('leaves a key as it is that another process has just seen used', async () => {
      const env = { ASSAY_MASTER_KEY: '5d'.repeat(32) };
      const one = await makeTestApp({ env });
      const two = await makeTestApp({ env, database: one.database });
      const its = await one.makePsp();
      const body = form();
      const { apiKey } = made(await one.post(wire.path, body, its.apiKey));
      for (const app of [one, two]) app.advance(10 * 60_000);
      contentOf(await two.get('/v1/client/verifyClientStatus', apiKey));
      await until('its use is stored', async () => {
        const used = await one.database.admin.query('SELECT 1 FROM api_keys WHERE last_used_at IS NOT NULL');
        return used.length >= 2;
      });
      expectRefusal(await one.post(wire.path, body, its.apiKey), 409, 'ALREADY_REGISTERED', /its key was used/);
      expect((await two.get('/v1/client/verifyClientStatus', apiKey)).status).toBe(200);
      await two.stop();
      await one.stop();
    });

    it('gives a working key and secret in place of those lost with the first answer, which end', async () => {
      const own = await makeTestApp();
      const its = await own.makePsp();
      const body = form();
      const first = made(await own.post(wire.path, body, its.apiKey));
      own.advance(10 * 60_000);
      const again = made(await own.post(wire.path, body, its.apiKey));
      expect(again.clientId).toBe(first.clientId);
      expect([again.apiKey === first.apiKey, again.secret === first.secret]).toEqual([false, false]);
      expect((await own.get('/v1/client/verifyClientStatus', first.apiKey)).status).toBe(401);
      expect(contentOf(await own.get('/v1/client/verifyClientStatus', again.apiKey)).clientId).toBe(first.clientId);
      const rows = await own.database.admin.query('SELECT kind FROM journal WHERE account_id = $1 ORDER BY seq', [
        uuidOf(first.clientId),
      ]);
      expect(rows.map((r) => r.kind)).toEqual([
        'client.created',
        'key.issued',
        'client.updated',
        'key.revoked',
        'key.issued',
      ]);
      await expectJournalComplete(own);
      await own.stop();
    });

    it('leaves the key of a registration that is older than a day as it is', async () => {
      const own = await makeTestApp();
      const its = await own.makePsp();
      const body = form();
      const { apiKey } = made(await own.post(wire.path, body, its.apiKey));
      own.advance(24 * 3_600_000 + 1);
      expectRefusal(await own.post(wire.path, body, its.apiKey), 409, 'ALREADY_REGISTERED');
      expect((await own.get('/v1/client/verifyClientStatus', apiKey)).status).toBe(200);
      await own.stop();
    });

    it('gives no other PSP anything: the same body there is another client', async () => {
      const other = await t.makePsp();
      const body = form();
      const [mine, theirs] = [
        made(await t.post(wire.path, body, psp.apiKey)),
        made(await t.post(wire.path, body, other.apiKey)),
      ];
      expect(theirs.clientId).not.toBe(mine.clientId);
      expect(theirs.apiKey).not.toBe(mine.apiKey);
    });

    it('takes registration numbers as equal whatever their case and outer blanks', async () => {
      const registrationNumber = `rc-x${++n}`;
      contentOf(await register({ registrationNumber }));
      expectRefusal(
        await register({ registeredName: 'Other', registrationNumber: ` ${registrationNumber.toUpperCase()} ` }),
        409,
        'ALREADY_REGISTERED',
      );
    });

    it('accepts the same number in another country and under another PSP', async () => {
      const registrationNumber = `RC-${++n}`;
      const other = await t.makePsp();
      const ids = [
        made(await register({ registrationNumber })),
        made(await register({ registrationNumber, countryCode: 'GH' })),
        made(await register({ registrationNumber }, other.apiKey)),
      ].map((c) => c.clientId);
      expect(new Set(ids).size).toBe(3);
    });

    it('registers one client of many equal requests at once, and all of them get its key', async () => {
      const body = form();
      const answers = await Promise.all(
        Array.from({ length: upTo(60, 300) }, () => t.post(wire.path, body, psp.apiKey)),
      );
      const all = answers.map(made);
      expect(new Set(all.map((c) => `${c.clientId} ${c.apiKey} ${c.secret}`)).size).toBe(1);
      expect(await rowCount(t, 'accounts', 'registration_number = $1', [body.registrationNumber])).toBe(1);
      contentOf(await t.get('/v1/client/verifyClientStatus', all[0]?.apiKey));
    });
  });

  describe('tells', () => {
    it('writes an entry for the client, its contacts sealed, and one for its key, without key or secret', async () => {
      const email = 'first.contact@lagosbooks.example';
      const phoneNumber = '+2348037654321';
      const { apiKey, secret, clientId } = made(await register({ email, phoneNumber }));
      const [entry, ...more] = await told(t, clientId);
      expect(more).toEqual([]);
      expect(entry?.body).toMatchObject({
        type: 'client.created',
        event: 'Client Change',
        clientId,
        version: 1,
        actor: { account: psp.id, by: expect.stringMatching(/^key_/) },
        sealed: expect.any(String),
        subject: expect.any(String),
      });
      expect(entry?.body.data).toEqual(contentOf(await t.get(`/v1/client/${clientId}`, psp.apiKey)));
      const rows = await t.database.admin.query(
        'SELECT seq, kind, body FROM journal WHERE account_id = $1 ORDER BY seq',
        [uuidOf(clientId)],
      );
      expect(rows.map((r) => r.kind)).toEqual(['client.created', 'key.issued']);
      expect(rows[1]?.seq).toBe((rows[0]?.seq as number) + 1);
      for (const hidden of [
        email,
        phoneNumber,
        apiKey,
        apiKey.split('_').slice(2, -1).join('_'),
        secret,
        secret.slice(6),
      ])
        for (const r of rows) expect(r.body).not.toContain(hidden);
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await Promise.all(Array.from({ length: 10 }, () => register()));
      await expectJournalComplete(t);
    });
  });
});
