// Names, refs and remarks with characters that imitate others or control a display: they are refused, with the
// character and its position, and those recorded before are shown without effect.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { readBody, type Schema } from '../../src/adapters/http/reader.ts';
import { parseJson } from '../../src/core/json.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
let psp: Account;
let client: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

const basketExample = operations.find((o) => o.id === 'submitBasket')?.example as { items: [object] };
const evil = 'a\u202eb';
const said = 'U+202E (right-to-left override) at character 2';
const outcome = (r: Answer) => [r.status, r.headers.get('x-error-code'), r.body.message];
const refused = (field: string, what = said) => [
  400,
  'FIELD_INVALID',
  `the field '${field}' holds ${what}; leave it out`,
];

let businesses = 0;
const business = (over: object) => ({
  registeredName: 'Adunni Fabrics',
  registrationNumber: `RC ${++businesses}`,
  countryCode: 'NG',
  email: 'books@example.com',
  phoneNumber: '+2348012345678',
  classification: 'ECOMM_LOCAL',
  organizationTin: '12345678-0001',
  ...over,
});
const sale = (over: object) => ({
  ref: 'r-1',
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
  ...over,
});
const withdrawal = (toAddress: object) => ({
  ref: 'w-1',
  totalAmount: 1200,
  currency: 'KES',
  customer: { email: 'kip@example.com' },
  toAddress,
  countryCode: 'KE',
  transactionFee: 10,
});

/** Every member of a body that holds text, as a path, and the body with another text there. */
function* texts(value: unknown, path = ''): Generator<[path: string, put: (text: string) => unknown]> {
  if (typeof value === 'string') yield [path, (text) => text];
  if (value === null || typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value))
    for (const [at, put] of texts(inner, Array.isArray(value) ? `${path}[${name}]` : path ? `${path}.${name}` : name))
      yield [
        at,
        (text) => (Array.isArray(value) ? value.with(Number(name), put(text)) : { ...value, [name]: put(text) }),
      ];
}

/** Fields that name what exists, or are secrets: what they hold is never shown to others as a new name. */
const exempt = [
  // The text of a published file: only its codes, days and rates are kept.
  'loadExchangeRates text',
  // Nothing of the rule is kept: the reply says what is wrong with it.
  'checkRiskRule rule.id',
  // The text of a published list, and a name that is searched and not stored.
  ...['loadList text', 'searchLists name', 'searchLists value', 'removeOwnListEntry ref'],
  'chargeBack ref',
  'declineTransaction ref',
  'capturePayout wagerReference',
  'addClientDocument content',
  'addPSPSecret secret',
  // The text of a table of exclusions: players are kept as hashes.
  'importExclusions text',
  ...['findSubject', 'eraseSubject', 'excludePlayer', 'setPlayerLimits', 'getPlayer', 'playerBalance'].flatMap((o) => [
    `${o} subjects[0]`,
    `${o} subjects[1]`,
  ]),
  'findRecords value',
  'searchAll q',
  'signIn email',
  'signIn password',
  'changePassword currentPassword',
  'changePassword newPassword',
  ...['completeSignIn challenge', 'completeSignIn code', 'confirmCodes setUp', 'confirmCodes code'],
  ...['finishProviderSignIn attempt', 'finishProviderSignIn query'],
];

describe('text that comes in', () => {
  it('is refused in every field of every operation where it turns the direction, but in what names the existing or is secret', () => {
    const taken: string[] = [];
    for (const o of operations.filter((o) => o.body && o.example))
      for (const [path, put] of texts(o.example)) {
        const read = readBody(o.body as unknown as Schema, parseJson(JSON.stringify(put('a\u202eb@example.com'))));
        if (!(read instanceof Refusal)) taken.push(`${o.id} ${path}`);
      }
    expect(
      taken.filter((field) => !exempt.includes(field)),
      'use Ref, Text or Prose for these (kernel/operation.ts), or list them in `exempt` with the reason',
    ).toEqual([]);
  });

  it.each([
    ['registeredName', { registeredName: evil }, refused('registeredName')],
    [
      'registrationNumber',
      { registrationNumber: '1\n2' },
      refused('registrationNumber', 'U+000A (a line feed) at character 2'),
    ],
    [
      'phoneNumber',
      { phoneNumber: '+1\u2067' },
      refused('phoneNumber', 'U+2067 (right-to-left isolate) at character 3'),
    ],
    ['email', { email: 'a\u202eb@example.com' }, refused('email')],
  ])('is refused as the %s of a client, and nobody is registered', async (_, over, expected) => {
    const before = (await t.get('/v1/client', psp.apiKey)).body.content.items.length;
    expect(outcome(await t.post('/v1/client/registerClient', business(over), psp.apiKey))).toEqual(expected);
    expect((await t.get('/v1/client', psp.apiKey)).body.content.items).toHaveLength(before);
  });

  it('is refused as a name of a PSP, of a person and of a key, and as a remark', async () => {
    const { apiKey } = await t.makeOperator();
    expect(outcome(await t.post('/v1/admin/psp', { name: evil, countryCode: 'NG' }, apiKey))).toEqual(refused('name'));
    const person = { email: 'ada@example.com', name: evil, role: 'auditor' };
    expect(outcome(await t.post('/v1/admin/user', person, psp.apiKey))).toEqual(refused('name'));
    expect(outcome(await t.post(`/v1/admin/account/${client.id}/key`, { name: evil }, apiKey))).toEqual(
      refused('name'),
    );
    const change = { status: 'SUSPENDED', code: 'KYC', reason: evil };
    expect((await t.post(`/v1/admin/account/${client.id}/standing`, change, apiKey)).status).toBe(400);
  });

  it('is refused as a ref, the name of a payment method and in banking details, and nothing is recorded', async () => {
    const verify = (over: object) => t.post('/v1/transaction/verifyTransaction', sale(over), client.apiKey);
    expect(outcome(await verify({ ref: evil }))).toEqual(refused('ref'));
    expect((await verify({ paymentMethods: { [evil]: 107.5 } })).body.message).toBe(
      `the field 'paymentMethods' has a member whose name holds ${said}`,
    );
    const pay = (to: object) => t.post('/v1/payment/withdrawal', withdrawal(to), client.apiKey);
    expect(outcome(await pay({ bank: { name: evil } }))).toEqual(refused('toAddress.bank.name'));
    expect(outcome(await pay({ [evil]: 'x' }))).toEqual(refused('toAddress'));
    expect((await t.get('/v1/transaction', psp.apiKey)).body.content.items).toEqual([]);
  });

  it('is taken in prose with its line breaks, and nowhere else', async () => {
    const item = { ...basketExample.items[0], description: 'blue,\n\twashable' };
    const basket = (over: object) => ({ ...basketExample, items: [{ ...item, ...over }] });
    const submit = (over: object) => t.post('/v1/basket/submitBasket', basket(over), client.apiKey);
    const messages = [await submit({ title: 'a\nb' }), await submit({ description: evil })].map((r) => r.body.message);
    expect(messages.filter((m) => /holds U\+/.test(m))).toHaveLength(2);
    expect((await submit({})).body.message).not.toMatch(/holds U\+/);
  });

  it.each(['می\u200cخواهم', 'ශ්\u200dරී ලංකා', 'شركة النور (ABC)\u200f'])(
    'is taken as its language is spelt: %j',
    async (registeredName) => {
      const r = await t.post('/v1/client/registerClient', business({ registeredName }), psp.apiKey);
      expect(r.status, r.text).toBe(200);
    },
  );
});

describe('text recorded before', () => {
  const old = 'old\u202eref';

  it('is found by its ref, and can be declined and charged back', async () => {
    const r = await t.post('/v1/transaction/verifyTransaction', sale({ ref: 'plain' }), client.apiKey);
    const { transactionId } = r.body.content;
    const { admin } = t.database;
    await admin.query("UPDATE refs SET ref = $1 WHERE ref = 'plain'", [old]);
    await admin.query("UPDATE transactions SET ref = $1 WHERE ref = 'plain'", [old]);
    const found = await t.get(`/v1/transaction?ref=${encodeURIComponent(old)}`, psp.apiKey);
    expect(found.body.content.items.map((i: { transactionId: string }) => i.transactionId)).toEqual([transactionId]);
    const back = await t.post('/v1/transaction/chargeBack', { ref: old }, psp.apiKey);
    expect([back.status, back.headers.get('x-error-code')], back.text).toEqual([200, null]);
  });
});
