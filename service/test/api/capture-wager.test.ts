// The operation captureWager (Spec 4.12).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  limitsText,
  namesIgnoredFields,
  put,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  setStanding,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const path = '/captureWager';
const bet = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  amount: 250,
  ref: `bet-${++n}`,
  customer: { email: 'kip@example.com' },
  ip: '102.0.2.44',
  coordinates: { lat: -1.2864, lng: 36.8172 },
  type: 'sports',
  ...over,
});
const capture = (body: unknown = bet(), key = client.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, body, key, headers);
const wager = async (id: string) => contentOf(await t.get(`/v1/wager/${id}`, psp.apiKey));
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: bet };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Nairobi Pay', 'KE');
  client = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'KE' });
});
afterAll(() => t?.stop());

describe('captureWager', () => {
  describe('accepts', () => {
    it('answers with exactly the id of the wager', async () => {
      const r = await capture();
      expect(contentOf(r)).toEqual({ wagerId: expect.stringMatching(/^wgr_[0-9a-z]{26}$/) });
      expect(r.body.message).toBe('wager recorded');
    });

    it('takes zero, the stake of a free bet, and the customer as serializers write it', async () => {
      const body = bet({ amount: 0, customer: { email: 'kip@example.com', name: null, phoneNumber: 254700000001 } });
      const { wagerId } = contentOf(await capture({ ...body, coordinates: null }));
      expect((await wager(wagerId)).amount).toBe(0);
      const again = {
        ...body,
        customer: { email: 'kip@example.com', phoneNumber: '254700000001' },
        coordinates: undefined,
      };
      expect(contentOf(await capture(again)).wagerId).toBe(wagerId);
    });

    it('records the wager as sent, in the legal tender of the country of its account', async () => {
      const body = bet();
      const { wagerId } = contentOf(await capture(body));
      expect(await wager(wagerId)).toMatchObject({
        wagerId,
        ref: body.ref,
        amount: 250,
        currency: 'KES',
        countryCode: 'KE',
        clientId: client.id,
        recordedBy: client.id,
        type: 'sports',
        ipNetwork: '102.0.2.0/24',
        createdAt: new Date(t.now()).toISOString(),
      });
    });

    it('shows neither the customer nor the address nor the coordinates in the record', async () => {
      const { wagerId } = contentOf(await capture());
      const text = JSON.stringify(await wager(wagerId));
      for (const hidden of ['kip@example.com', '102.0.2.44', '36.8172', 'customer', 'coordinates'])
        expect(text).not.toContain(hidden);
    });

    it('answers again for a wager of version 0.1, which kept the address in clear', async () => {
      const body = bet();
      const { wagerId } = contentOf(await capture(body));
      await t.database.admin.query(
        `UPDATE wagers SET ip = $2, request = regexp_replace(request, '"ip":"[^"]+"', '"ip":"' || $2 || '"') WHERE id = $1`,
        [uuidOf(wagerId), body.ip],
      );
      expect(contentOf(await capture(body)).wagerId).toBe(wagerId);
      const other = await capture({ ...body, type: 'casino' });
      expectRefusal(other, 409, 'REF_CONFLICT', `the ref '${body.ref}' was used before with another 'type'`);
      const { request } = contentOf(await t.get(`/v1/wager/${wagerId}?expand=request`, client.apiKey));
      expect(request.ip).toBe(body.ip);
    });

    it('takes a wager without coordinates, and an address of either family', async () => {
      const { coordinates, ...without } = bet({ ip: '2c0f:fe38:2000::1' });
      expect(coordinates).toBeDefined();
      contentOf(await capture(without));
    });

    it('notes the taxes on the stake by its product line', async () => {
      const { wagerId } = contentOf(await capture(bet({ type: 'Lottery' })));
      // Kenya: 5 % of lottery stakes since July 2025, sports stakes no longer.
      expect((await wager(wagerId)).taxes).toContainEqual({
        ruleId: 'KE-EXCISE-LOTTERY-STAKE-2025',
        taxableAmount: 250,
        tax: 12.5,
      });
      const sports = contentOf(await capture());
      const { taxes } = await wager(sports.wagerId);
      expect(taxes.every((x: { tax: number }) => x.tax === 0)).toBe(true);
    });

    it('takes the German tax out of the stake that contains it', async () => {
      const german = await t.makeClient(psp, { classification: 'IGAMING_GLOBAL', countryCode: 'DE' });
      const { wagerId } = contentOf(await capture(bet({ amount: 105.3 }), german.apiKey));
      const w = await wager(wagerId);
      expect(w.currency).toBe('EUR');
      expect(w.taxes).toContainEqual({ ruleId: 'DE-STAKE-WAGER-2021', taxableAmount: 100, tax: 5.3 });
    });

    it('keeps amounts beyond a double exact', async () => {
      const text = JSON.stringify(bet({ amount: '@' })).replace('"@"', '123456789012345.123456789012345678');
      const { wagerId } = contentOf(await capture(text));
      const r = await t.get(`/v1/wager/${wagerId}`, client.apiKey);
      expect(r.text).toContain('"amount":123456789012345.123456789012345678,');
    });

    it("concerns the PSP's own account without x-client-id, and the named client with it", async () => {
      const own = contentOf(await capture(bet(), psp.apiKey));
      expect(await wager(own.wagerId)).toMatchObject({ clientId: psp.id, recordedBy: psp.id });
      const named = contentOf(await capture(bet(), psp.apiKey, { 'x-client-id': client.id }));
      expect(await wager(named.wagerId)).toMatchObject({ clientId: client.id, recordedBy: psp.id });
    });

    it('records what a suspended client reports: a record is no approval', async () => {
      const someone = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'KE' });
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      contentOf(await capture(bet(), someone.apiKey));
    });

    it('has no version in its path', async () => {
      expectRefusal(await t.post('/v1/captureWager', bet(), client.apiKey), 404, 'NO_ROUTE');
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['amount', 'ref', 'customer', 'customer.email', 'ip', 'type']);
    refusesWrongTypes(wire, {
      number: ['amount', 'coordinates.lat', 'coordinates.lng'],
      text: ['ref', 'ip', 'type', 'customer.email', 'customer.name', 'customer.phoneNumber'],
      object: ['customer', 'coordinates'],
    });
    limitsText(wire, { ref: 200, type: 60 });
    namesIgnoredFields(wire);

    it.each(['lat', 'lng'])("requires '%s' where coordinates are given", async (field) => {
      expectRefusal(
        await capture(put(bet(), `coordinates.${field}`, undefined)),
        400,
        'FIELD_REQUIRED',
        `the field 'coordinates.${field}' is required`,
      );
    });

    it('refuses coordinates beyond the earth', async () => {
      for (const [field, value, range] of [
        ['coordinates.lat', 90.0001, '-90 to 90'],
        ['coordinates.lat', -91, '-90 to 90'],
        ['coordinates.lng', 180.5, '-180 to 180'],
      ] as const)
        expectRefusal(
          await capture(put(bet(), field, value)),
          400,
          'FIELD_INVALID',
          `the field '${field}' must be a number from ${range}`,
        );
      contentOf(await capture(bet({ coordinates: { lat: 90, lng: -180 } })));
    });

    it.each(['999.1.1.1', '102.0.2', 'example.com', '::g', '102.0.2.44/8', '0x66000001'])(
      "refuses '%s' as an address",
      async (ip) => {
        expectRefusal(
          await capture(bet({ ip })),
          400,
          'FIELD_INVALID',
          "the field 'ip' must be an IPv4 or IPv6 address",
        );
      },
    );

    it.each([
      ['-1', 'FIELD_INVALID', "the field 'amount' must be zero or more"],
      ['-0.01', 'FIELD_INVALID', "the field 'amount' must be zero or more"],
      [`1${'0'.repeat(38)}`, 'FIELD_INVALID', "the field 'amount' must have at most 38 digits"],
      ['1e-19', 'AMOUNT_PRECISION', "the field 'amount' has more than 18 decimals or 38 digits"],
    ])('refuses an amount of %s', async (amount, code, message) => {
      const text = JSON.stringify(bet({ amount: '@' })).replace('"@"', amount);
      expectRefusal(await capture(text), 400, code, message);
    });

    it('records nothing of what it refuses', async () => {
      const before = [await entryCount(t), await rowCount(t, 'wagers'), await rowCount(t, 'refs')];
      await capture(bet({ ip: 'x' }));
      await capture(bet({ amount: -1 }));
      expect([await entryCount(t), await rowCount(t, 'wagers'), await rowCount(t, 'refs')]).toEqual(before);
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'captureWager');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    it('answers an equal body with the identical reply, marked as a repetition, and records nothing new', async () => {
      const body = bet();
      const first = await capture(body);
      const before = await entryCount(t);
      t.advance(400 * 86_400_000);
      const again = await capture(Object.fromEntries(Object.entries(body).reverse()));
      expect(again.text).toBe(first.text);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await entryCount(t)).toBe(before);
    });

    it.each([
      ['amount', 251],
      ['customer', { email: 'other@example.com' }],
      ['ip', '102.0.2.45'],
      ['coordinates', { lat: 0, lng: 0 }],
      ['coordinates', undefined],
      ['type', 'casino'],
    ])("refuses the same ref with another '%s', naming it", async (field, value) => {
      const body = bet();
      contentOf(await capture(body));
      expectRefusal(
        await capture(put(body, field, value)),
        409,
        'REF_CONFLICT',
        `the ref '${body.ref}' was used before with another '${field}'`,
      );
    });

    it('keeps refs of wagers apart from those of transactions and of other accounts', async () => {
      const ref = `shared-${++n}`;
      const other = await t.makeClient(psp, { countryCode: 'KE' });
      contentOf(
        await t.post(
          '/v1/payment/deposit',
          {
            ref,
            totalAmount: 100,
            currency: 'KES',
            customer: { email: 'kip@example.com' },
            countryCode: 'KE',
            transactionFee: 0,
          },
          client.apiKey,
        ),
      );
      const one = contentOf(await capture(bet({ ref })));
      const two = contentOf(await capture(bet({ ref, amount: 1 }), other.apiKey));
      expect(one.wagerId).not.toBe(two.wagerId);
    });

    it('records many concurrent equal requests once and answers all alike', async () => {
      const body = bet();
      const answers = await Promise.all(Array.from({ length: 20 }, () => capture(body)));
      expect(new Set(answers.map((r) => r.text)).size).toBe(1);
      expect(await rowCount(t, 'wagers', 'ref = $1', [body.ref])).toBe(1);
    });
  });

  describe('tells', () => {
    it('writes one entry with the exact resource, customer and coordinates sealed', async () => {
      const { wagerId } = contentOf(await capture(bet(), psp.apiKey, { 'x-client-id': client.id }));
      const [entry, ...more] = await told(t, wagerId);
      expect(more).toEqual([]);
      expect(entry?.body).toMatchObject({
        type: 'wager.created',
        clientId: client.id,
        version: 1,
        actor: { account: psp.id, by: expect.stringMatching(/^key_/) },
        evidence: { tax: expect.any(Array) },
        sealed: expect.any(String),
        subject: expect.any(String),
      });
      expect(entry?.body.data).toEqual(await wager(wagerId));
      for (const hidden of ['kip@example.com', '36.8172', '1.2864']) expect(entry?.text).not.toContain(hidden);
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await Promise.all(Array.from({ length: 10 }, () => capture()));
      await expectJournalComplete(t);
    });
  });
});
