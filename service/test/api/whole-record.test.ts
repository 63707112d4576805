// The record contains everything that a caller submitted: it is shown, announced to subscribers and proved by receipts,
// with personal data sealed wherever it is stored.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerifiedReceipt } from '../../src/core/audit/receipt.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { check, keyOf, receiptOf } from '../support/audit.ts';
import { contentOf } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let gamer: Account;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  gamer = await t.makeClient(psp, { classification: 'IGAMING_LOCAL' });
});
afterAll(() => t?.stop());

const common = (ref: string) => ({ ref, totalAmount: 1000, currency: 'NGN', countryCode: 'NG', transactionFee: 1.5 });
const customer = { email: 'whole.person@example.com', name: 'Ada Whole', phoneNumber: '+2348039998877' };
const hash = `0x${'c0ffee12'.repeat(8)}`;
const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';

interface Submitted {
  readonly path: string;
  readonly body: Record<string, unknown>;
  /** What an entry, a webhook and a receipt must hold of it in clear. */
  readonly plain: Record<string, unknown>;
  /** Texts that must stand nowhere in clear. */
  readonly personal?: readonly string[];
  readonly by?: 'gamer';
}

const person = ['whole.person', 'Ada Whole', '8039998877'];
const submissions: Readonly<Record<string, Submitted>> = {
  verifyTransaction: {
    path: '/v1/transaction/verifyTransaction',
    body: { ...common('w-sale'), paymentMethods: { card: 900.25, 'gift card': 99.75, '7': 0 }, mcc: '5812' },
    plain: { paymentMethods: { card: 900.25, 'gift card': 99.75, '7': 0 }, mcc: '5812' },
  },
  deposit: { path: '/v1/payment/deposit', body: { ...common('w-dep'), customer }, plain: {}, personal: person },
  withdrawal: {
    path: '/v1/payment/withdrawal',
    body: { ...common('w-wd'), customer, toAddress: { bank: 'First Bank', account: '3099887766' } },
    plain: {},
    personal: [...person, '3099887766'],
  },
  cryptoDeposit: {
    path: '/v1/payment/cryptoDeposit',
    body: { ...common('w-cd'), currency: 'USDT', customer, blochainHash: hash },
    plain: { blochainHash: hash },
    personal: person,
  },
  cryptoWithdrawal: {
    path: '/v1/payment/cryptoWithdrawal',
    body: { ...common('w-cw'), currency: 'USDT', customer, blochainHash: hash, toAddress: wallet },
    plain: { blochainHash: hash },
    personal: [...person, wallet],
  },
  captureWager: {
    path: '/captureWager',
    body: {
      amount: 250,
      ref: 'w-bet',
      customer,
      ip: '197.210.77.201',
      coordinates: { lat: 6.52437, lng: 3.37921 },
      type: 'sports',
    },
    plain: { type: 'sports', ipNetwork: '197.210.77.0/24' },
    personal: [...person, '197.210.77.201', '6.52437', '3.37921'],
    by: 'gamer',
  },
  capturePayout: {
    path: '/capturePayout',
    body: { amount: 900, ref: 'w-win', customer, wagerReference: 'w-bet' },
    plain: { wagerReference: 'w-bet' },
    personal: person,
    by: 'gamer',
  },
};

const shownAt = (c: Record<string, string>): string =>
  c.payoutId ? `/v1/payout/${c.payoutId}` : c.wagerId ? `/v1/wager/${c.wagerId}` : `/v1/transaction/${c.transactionId}`;
const ids: Record<string, Record<string, string>> = {};
const callerOf = (s: Submitted): Account => (s.by === 'gamer' ? gamer : client);

beforeAll(async () => {
  for (const [name, s] of Object.entries(submissions))
    ids[name] = contentOf(await t.post(s.path, s.body, callerOf(s).apiKey)) as Record<string, string>;
});

const everyText = async (): Promise<string> => {
  const tables = await t.database.admin.query(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const texts: string[] = [];
  for (const { name } of tables)
    texts.push(...(await t.database.admin.query(`SELECT t::text AS line FROM ${name} t`)).map((r) => r.line as string));
  return texts.join('\n');
};

describe.each(Object.entries(submissions))('%s', (name, s) => {
  const mine = () => shownAt(ids[name] as Record<string, string>);
  const id = () => mine().split('/').at(-1) as string;

  it('shows what was submitted, and with expand=request all of it', async () => {
    expect(contentOf(await t.get(mine(), callerOf(s).apiKey))).toMatchObject(s.plain);
    expect(contentOf(await t.get(`${mine()}?expand=request`, psp.apiKey)).request).toEqual(s.body);
  });

  it('proves what was submitted by its receipt, personal parts sealed', async () => {
    const sealed = check(await receiptOf(t, psp, id()), await keyOf(t, psp)) as VerifiedReceipt;
    const entry = JSON.parse(sealed.entries[0]?.body as string);
    expect(entry.data).toMatchObject(s.plain);
    expect(entry.sealed === undefined).toBe(s.personal === undefined);
    for (const text of s.personal ?? []) expect(sealed.entries[0]?.body).not.toContain(text);
  });

  it('is answered as before when it is submitted again', async () => {
    expect(contentOf(await t.post(s.path, s.body, callerOf(s).apiKey))).toEqual(ids[name]);
  });

  if (s.personal)
    it('keeps what is personal of it in clear in no table', async () => {
      const all = await everyText();
      expect(all).toContain(s.body.ref);
      for (const text of s.personal ?? []) expect(all).not.toContain(text);
    });
});

it('a person who is erased leaves the rest of what was submitted', async () => {
  const done = await t.post(
    '/v1/subject/erase',
    { subjects: [`email:${customer.email}`], reason: 'asked' },
    psp.apiKey,
  );
  expect(contentOf(done).keys).toBe(1);
  for (const [name, s] of Object.entries(submissions)) {
    const shown = contentOf(await t.get(`${shownAt(ids[name] as Record<string, string>)}?expand=request`, psp.apiKey));
    const left = Object.entries(s.body).map(([field, value]) => [
      field,
      ['customer', 'toAddress', 'ip', 'coordinates'].includes(field) ? 'erased' : value,
    ]);
    expect(shown).toMatchObject(s.plain);
    expect(shown.request).toEqual(Object.fromEntries(left));
  }
});
