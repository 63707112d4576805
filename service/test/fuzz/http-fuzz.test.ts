// Every HTTP operation with requests generated from its schema: valid ones, invalid ones and noise. The reply is always
// one that the OpenAPI description documents, in its documented shape, and never an internal error.
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RefusalCode, refusalCodes } from '../../src/core/refusal.ts';
import { openApi, refusalsOf } from '../../src/entrances/http/openapi.ts';
import { operations } from '../../src/entrances/http/operations.ts';
import type { Schema } from '../../src/entrances/http/reader.ts';
import { statusOf } from '../../src/entrances/http/status.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { workbookType } from '../../src/modules/reports/workbook.ts';
import { shippedTax } from '../../src/platform/data-files.ts';
import { type Account, type Answer, type KeyKind, makeTestApp, type TestApp } from '../support/app.ts';
import { upTo } from '../support/depth.ts';
import { expectJournalComplete } from '../support/journal.ts';
import { type Known, type Members, objectOf, spoiled, treeOf, write } from './generate.ts';
import { type Cast, soundCall } from './sound-calls.ts';

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
let cast: Cast;
let tree: (o: Operation) => Record<string, unknown>;

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
  cast = { t, psp, keys, country };
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
  const { paths } = openApi(operations, t.address) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  tree = (o) => paths[o.path.replace(/:(\w+)/g, '{$1}')]?.[o.method.toLowerCase()] as Record<string, unknown>;
});

afterAll(() => t.stop());

const checks = new Map(operations.map((o) => [o.id, Compile(o.content)]));

/** What every answer keeps to, whatever was asked. */
function expectConforming(o: Operation, r: Answer, asked: string): void {
  const told = `${o.id} ${asked.slice(0, 600)}\nanswered ${r.status} ${r.text.slice(0, 400)}`;
  const documented = Object.keys(tree(o).responses as object).map(Number);
  if (r.status >= 500) expect.fail(`a fault: ${told}`);
  if (!documented.includes(r.status)) expect.fail(`a status the description does not name: ${told}`);
  const type = (r.status === 200 && o.produces) || 'application/json';
  const isBinary = type === workbookType || type === 'application/octet-stream';
  expect(r.headers.get('content-type'), told).toBe(isBinary ? type : `${type}; charset=utf-8`);
  expect(r.headers.get('x-request-id'), told).toMatch(/^[0-9a-f-]{36}$/);
  if (r.status === 200 && o.produces) return;
  if (r.status === 200) {
    expect(Object.keys(r.body), told).toEqual(['success', 'message', 'content']);
    expect([r.body.success, typeof r.body.message], told).toEqual([true, 'string']);
    const check = checks.get(o.id);
    if (!check?.Check(r.body.content))
      expect.fail(
        `content off its schema: ${JSON.stringify([...(check?.Errors(r.body.content) ?? [])].slice(0, 3))} ${told}`,
      );
    return;
  }
  expect(Object.keys(r.body), told).toEqual(['success', 'message']);
  expect([r.body.success, typeof r.body.message], told).toEqual([false, 'string']);
  expect(r.body.message.length, told).toBeGreaterThan(5);
  expect(r.body.message.length, told).toBeLessThan(2_000);
  const code = r.headers.get('x-error-code') as RefusalCode;
  if (!refusalsOf(o).includes(code)) expect.fail(`a code the description does not name: ${code}: ${told}`);
  expect(statusOf[refusalCodes[code][0]], told).toBe(r.status);
}

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

/** Without those of signing in, which take no key; what they are sent is in sign-in.test.ts. */
const keyed = operations.filter((o) => o.access === undefined);

describe.each(keyed.map((o) => [o.id, o] as const))(`%s (seed ${seed})`, (_, o) => {
  const schema = o.body as Schema | undefined;
  const good = (): fc.Arbitrary<Members> => objectOf(schema as Schema, known, o.example);

  // What keys are refused is in every-key.test.ts and security.test.ts: here it is told in the described form.
  it('asks for a key, a true one, and one of its audience', async () => {
    t.advance(5_000);
    const path = fill(o);
    const body = o.body ? '{}' : undefined;
    for (const [key, code] of [
      [undefined, 'KEY_MISSING'],
      [`${client.apiKey}0`, 'KEY_INVALID'],
    ] as const) {
      const r = await send(o, path, key, body);
      expect([r.status, r.headers.get('x-error-code')]).toEqual([401, code]);
      expectConforming(o, r, `with the key ${key}`);
    }
    for (const [kind, key] of Object.entries(keys) as [KeyKind, string][]) {
      if (o.audience.includes(kind)) continue;
      const r = await send(o, path, key, body);
      expect([kind, r.status, r.headers.get('x-error-code')]).toEqual([kind, 403, 'AUDIENCE']);
      expectConforming(o, r, `with a key of the ${kind}`);
    }
  });

  // Whatever chance makes of the other calls, none of them alone tells that success can be reached.
  it('answers a sound call with success', async () => {
    const { params, query, body, key } = await soundCall(cast, operations, o);
    const path = `${fill(o, { ...places, ...params })}${query ? `?${query}` : ''}`;
    const text = body && write(treeOf(body));
    const r = await send(o, path, key ?? keyFor(o), text);
    expect(r.status, `${o.id} ${path} ${text}: ${r.text}; see sound-calls.ts`).toBe(200);
    expectConforming(o, r, `${path} ${text}`);
  });

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

/** What examples hold of persons, and of secrets. */
const personal = (value: unknown, name = ''): string[] => {
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([k, v]) => personal(v, Array.isArray(value) ? name : k));
  const telling = /email|phone|imei|secret|password|toAddress|accountNumber|latitude|longitude|caller_number/i;
  return telling.test(name) && String(value).length > 5 ? [String(value)] : [];
};

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
  it('no fault was logged', () => {
    const faults = t.logged.filter((line) => /"level":(50|60)/.test(line));
    expect(faults).toEqual([]);
  });

  it('no key, secret or person stood in a log line of any level, or in a metric', async () => {
    const told = [...t.logged, (await t.get('/metrics')).text];
    expect(told.length).toBeGreaterThan(operations.length);
    const sent = [psp, client, operator].flatMap((a) => [a.apiKey.slice(31, 74), a.secret.slice(6)]);
    const canaries = [...new Set([...sent, ...operations.flatMap((o) => personal(o.example))])];
    expect(canaries.length).toBeGreaterThan(15);
    const formed = /asy(test)?_[0-9a-z]{26}_[\w-]{43}|whsec_[\w+/]{20}|ses_[0-9a-z]{26}_[\w-]{43}/;
    // How long an answer took has as many digits as a place on earth.
    for (const line of told.map((l) => l.replace(/"ms":[\d.]+/, ''))) {
      const found = canaries.filter((word) => line.includes(word));
      if (found.length > 0 || formed.test(line)) expect.fail(`${found} stood in ${line.slice(0, 400)}`);
    }
  });

  it('every split recorded sums to its total, and records and journal agree', async () => {
    const off = await t.database.admin.query(
      `SELECT id, kind, amount FROM transactions
       WHERE amount <> vat_amount + processing_fee + transaction_fee + transaction_vat + remainder OR remainder < 0`,
    );
    expect(off).toEqual([]);
    const [n] = await t.database.admin.query<{ n: number }>('SELECT count(*) AS n FROM transactions');
    expect(n?.n).toBeGreaterThan(20);
    await expectJournalComplete(t);
  });
});
