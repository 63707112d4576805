// Every HTTP operation with requests generated from its schema: valid ones, invalid ones and noise. The reply is always
// one that the OpenAPI description documents, in its documented shape, and never an internal error.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import type { Schema } from '../../src/adapters/http/reader.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { shippedTax } from '../../src/platform/data-files.ts';
import { type Account, type Answer, type KeyKind, makeTestApp, type TestApp } from '../support/app.ts';
import { upTo } from '../support/depth.ts';
import { expectJournalComplete } from '../support/journal.ts';
import { conforming, expectNothingTold } from './conforming.ts';
import { type Known, type Members, objectOf, spoiled, write } from './generate.ts';

/** The same requests every time; the seed stands in every failure. `FUZZ_RUNS` and `FUZZ_SEED` ask for others. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const numRuns = Number(process.env.FUZZ_RUNS ?? upTo(6, 100));

let t: TestApp;
let psp: Account;
let client: Account;
let operator: Account;
let keys: Record<KeyKind, string>;
let known: Known;
/** Ids that stand in paths, good ones of things that are there. */
let places: Readonly<Record<string, string>>;
let expectConforming: ReturnType<typeof conforming>;

beforeAll(async () => {
  t = await makeTestApp({ env: { LOG_LEVEL: 'trace' } });
  [psp, operator] = [await t.makePsp(), await t.makeOperator()];
  client = await t.makeClient(psp);
  const victim = await t.makeClient(psp, { classification: 'CRYPTO_LOCAL' });
  const other = await t.makePsp('Other PSP', 'KE');
  keys = { psp: psp.apiKey, client: client.apiKey, operator: operator.apiKey };
  const content = async (path: string, body: unknown, key = client.apiKey) => {
    const r = await t.post(path, body, key);
    if (r.status !== 200) throw new Error(`${path} answered ${r.status}: ${r.text}`);
    return r.body.content;
  };
  const country = JSON.parse(shippedTax().find((text) => text.includes('"jurisdiction": "LI"')) as string);
  const exampleOf = (id: string) => operations.find((o) => o.id === id)?.example as Record<string, unknown>;
  const basket = await content('/v1/basket/submitBasket', exampleOf('submitBasket'));
  const sale = await content('/v1/transaction/verifyTransaction', { ...exampleOf('verifyTransaction'), ref: 'fuzz-1' });
  const wager = await content('/captureWager', { ...exampleOf('captureWager'), ref: 'bet-1' });
  const payout = await content('/capturePayout', { ...exampleOf('capturePayout'), wagerReference: 'bet-1' });
  const cdr = await content('/v1/telecom/recordCDR', exampleOf('recordCDR'));
  const held = await content(`/v1/admin/account/${victim.id}/hold`, { code: 'TEST', reason: 'fuzz' }, operator.apiKey);
  const spare = await content(`/v1/admin/account/${victim.id}/key`, { name: 'spare' }, operator.apiKey);
  const refs = ['fuzz-1', 'fuzz-2', 'fuzz-3', 'fuzz-4', 'bet-1', 'ünï-😀', 'x'.repeat(200)];
  known = {
    ref: refs,
    wagerReference: ['bet-1', 'bet-2', 'nobody'],
    currency: ['NGN', 'KES', 'EUR', 'JPY', 'ngn', 'USDT', 'BTC', 'GHS'],
    countryCode: ['NG', 'KE', 'DE', 'NGA', 'gh', 'EL', 'US', 'KW'],
    country: ['NG', 'KEN', 'de'],
    mcc: ['5411', '7995', '8011', '3501'],
    transactionID: [basket.transactionId, sale.transactionId, 'txn_01h455vb4pex5vsknk084sn02q'],
    transactionId: [basket.transactionId, sale.transactionId, 'nobody'],
    psp: ['STRIPE', 'paystack', 'ADYEN'],
    pspId: [other.id],
    cdr_id: ['call-1', 'call-2', 'call-3'],
    webhookUrl: ['https://hooks.example.com/a', 'https://hooks.example.com:8443/b', 'https://127.0.0.1/', 'http://x/'],
    expand: ['tax', 'fees,decision', 'revisions', 'customer', 'personal', 'everything', ''],
    cursor: [sale.transactionId, 'abc', ''],
    feeId: ['FUZZ-1', 'FUZZ-2', 'DEFAULT-ECOMM-2024'],
    validFrom: ['2026-01-01', '2027-01-01', '2026-02-30'],
    validTo: ['2028-01-01', '2020-01-01', '9999-99-99'],
    date: ['2026-11-21', '2024-01-01', '2026-02-30', '0000-00-00'],
    operations: ['verifyTransaction', 'deposit', 'sell'],
    classifications: ['ECOMM_LOCAL', 'NONE'],
    countries: ['NG', 'KE', 'ZZ'],
    // A whole country file, for the one operation that takes such a thing.
    '*': [country, { bank: 'Equity', a: [1] }],
  };
  places = {
    transactionId: sale.transactionId,
    clientId: client.id,
    basketId: basket.basketId,
    wagerId: wager.wagerId,
    payoutId: payout.payoutId,
    cdrId: cdr.cdrId ?? cdr.id ?? 'none',
    accountId: victim.id,
    holdId: held.flags[0].id,
    keyId: spare.keyId,
    feeId: 'FUZZ-1',
  };
  expectConforming = conforming(t.address);
});

afterAll(() => t.stop());

const fill = (o: Operation, params = places) =>
  o.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none'));
const keyFor = (o: Operation) => keys[o.audience.includes('client') ? 'client' : (o.audience[0] as KeyKind)];

function send(
  o: Operation,
  path: string,
  key: string | undefined,
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  return t.raw(path, {
    method: o.method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key ? { 'x-api-key': key } : {}),
    },
    ...(body === undefined ? {} : { body }),
  });
}

const check = (property: fc.IAsyncProperty<never> | fc.IAsyncProperty<unknown>) =>
  fc.assert(property as fc.IAsyncProperty<unknown>, { seed, numRuns, endOnFailure: true });

/**
 * Without those of signing in, which take no key; what they are sent is in sign-in.test.ts. What keys are refused, and that
 * each has a call with success, is in every-key.test.ts.
 */
const keyed = operations.filter((o) => o.access === undefined);

describe.each(keyed.map((o) => [o.id, o] as const))(`%s (seed ${seed})`, (_, o) => {
  const schema = o.body as Schema | undefined;
  const good = (): fc.Arbitrary<Members> => objectOf(schema as Schema, known, o.example);

  if (schema) {
    it('answers every body its schema allows', () =>
      check(
        fc.asyncProperty(
          fc.constant(0).chain(good),
          fc.constantFrom(...o.audience.filter((a) => a !== 'authority')),
          async (body, who) => {
            const text = write(body);
            const r = await send(o, fill(o), keys[who], text);
            expectConforming(o, r, text);
            // What the schema allows is not refused for its form.
            expect(['FIELD_REQUIRED', 'BODY_MALFORMED'], text).not.toContain(
              /'operationalStanding' or/.test(r.text) ? '' : r.headers.get('x-error-code'),
            );
          },
        ),
      ));

    it('refuses every spoiled body in which nothing can be mistaken, and answers all others', () =>
      check(
        fc.asyncProperty(
          fc.constant(0).chain(() => spoiled(schema, good())),
          async ({ body, fault, field }) => {
            const text = write(body);
            const r = await send(o, fill(o), keyFor(o), text);
            expectConforming(o, r, text);
            if (fault === undefined) return;
            expect(r.status, `${fault}: ${text.slice(0, 600)}\n${r.text}`).toBe(400);
            if (fault === 'not JSON') expect(r.headers.get('x-error-code'), text.slice(0, 600)).toBe('BODY_MALFORMED');
            if (fault === 'missing') expect(r.body.message).toBe(`the field '${field}' is required`);
          },
        ),
      ));

    // All that is no strict JSON is in security.test.ts: here each kind of refusal is told in the described form.
    it('refuses what is no JSON object, or not sent as one', async () => {
      const path = fill(o);
      for (const [type, bytes, status, code] of [
        ['application/json', '[]', 400, 'BODY_MALFORMED'],
        [
          'application/json',
          `{"x":"${'x'.repeat(typeof o.largeBody === 'number' ? o.largeBody : 1_100_000)}"}`,
          413,
          'BODY_TOO_LARGE',
        ],
        ['text/plain', JSON.stringify(o.example ?? {}), 415, 'CONTENT_TYPE'],
      ] as const) {
        const headers = { 'x-api-key': keyFor(o), 'content-type': type };
        const r = await t.raw(path, { method: o.method, headers, body: bytes });
        expectConforming(o, r, `${type} ${bytes.slice(0, 60)}`);
        expect([r.status, r.headers.get('x-error-code')], bytes.slice(0, 60)).toEqual([status, code]);
      }
    });
  }

  it('answers any query and any place, known or not', () =>
    check(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...names(o)), value()), { maxLength: 4 }),
        fc.oneof(fc.constant(''), value()),
        async (query, odd) => {
          const moved = (v: string): string => (odd === '' ? v : odd);
          const params = Object.fromEntries(Object.entries(places).map(([k, v]) => [k, moved(v)]));
          const search = query.map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`).join('&');
          const path = `${fill(o, params)}${search && `?${search}`}`;
          const r = await send(o, path, keyFor(o), o.body ? JSON.stringify(o.example ?? {}) : undefined);
          // A place that is too long or of another shape is no address of this operation, or that of another.
          if (['NO_ROUTE', 'METHOD'].includes(r.headers.get('x-error-code') ?? ''))
            expect([404, 405]).toContain(r.status);
          else expectConforming(o, r, path);
        },
      ),
    ));
});

/** Names of query parameters, known and not. */
const names = (o: Operation): string[] => [
  ...Object.keys((o.query as Schema | undefined)?.properties ?? {}),
  'limit',
  '__proto__',
  'constructor',
  'ref[]',
  '',
];
const value = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...Object.values(places)),
    fc.constantFrom(
      '1',
      '0',
      '201',
      '-1',
      '1e3',
      'APPROVED',
      'verifyTransaction',
      'psp',
      '2026-11-21T10:00:00Z',
      '2026-11-21',
    ),
    fc.constantFrom(
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-14:00',
      '2026-11-21T10:00:00+23:00',
      '\0',
      '%',
      "' OR 1=1 --",
      '..',
      '.',
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ maxLength: 150 }),
  );

describe('addresses', () => {
  const odd = fc.constantFrom('a', 'v1', 'admin', '%2F', '%ff', '%', ':id', '~', '*', '@', '', "'");
  const any = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((s) => !/^\.{1,2}$/.test(s));
  const segment = fc.oneof(odd, any.map(encodeURIComponent));

  it('that do not exist are answered in the envelope, whatever the method', () =>
    check(
      fc.asyncProperty(
        fc.array(segment, { maxLength: 5 }),
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        async (segments, method) => {
          const path = segments.map((s) => `/${s}`).join('');
          const r = await t.raw(`/v1${path}`, { method, headers: { 'x-api-key': client.apiKey } });
          expect([400, 404, 405], `${method} ${path} ${r.status}`).toContain(r.status);
          expect(Object.keys(r.body)).toEqual(['success', 'message']);
        },
      ),
    ));

  it('that exist under another method name the right one', async () => {
    for (const o of operations) {
      const r = await t.raw(fill(o), { method: 'PUT', headers: { 'x-api-key': keyFor(o) } });
      expect([r.status, r.headers.get('x-error-code')]).toEqual([405, 'METHOD']);
      expect(r.headers.get('allow')).toContain(o.method);
    }
  });
});

describe('afterwards', () => {
  // Nor a fault.
  it('no key, secret or person stood in a log line of any level, or in a metric', () =>
    expectNothingTold(t, [psp, client, operator]));

  it('every split recorded sums to its total, and records and journal agree', async () => {
    const off = await t.database.admin.query(
      `SELECT id, kind, amount FROM transactions
       WHERE amount <> vat_amount + processing_fee + transaction_fee + transaction_vat + remainder OR remainder < 0`,
    );
    expect(off).toEqual([]);
    const [n] = await t.database.admin.query<{ n: number }>('SELECT count(*) AS n FROM transactions');
    expect(n?.n).toBeGreaterThan(10);
    await expectJournalComplete(t);
  });
});
