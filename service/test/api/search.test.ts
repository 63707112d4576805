// Finding transactions by the beginning of a ref or id and by amount, and clients by name or registration number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let other: Account;
/** Transaction ids by ref. */
const ids = new Map<string, string>();

beforeAll(async () => {
  t = await makeTestApp({ env: { LOG_LEVEL: 'info' } });
  psp = await t.makePsp();
  client = await t.makeClient(psp, { registeredName: 'Lagos Books Ltd', registrationNumber: 'RC-778899' });
  other = await t.makeClient(psp, { registeredName: 'Abuja 100% Shoes', registrationNumber: 'BN_42' });
  const sale = { paymentMethods: {}, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
  for (const [ref, totalAmount, by] of [
    ['order-1', 100, client],
    ['order-2', 250.5, client],
    ['order_2', 250.51, client],
    ['invoice-1', 1000, other],
    ['100%', 5000, other],
  ] as const) {
    const r = await t.post('/v1/transaction/verifyTransaction', { ...sale, ref, totalAmount }, by.apiKey);
    ids.set(ref, contentOf(r).transactionId);
    t.advance(1000);
  }
});
afterAll(() => t?.stop());

const refs = async (query: string, key = psp.apiKey): Promise<string[]> =>
  contentOf(await t.get(`/v1/transaction?${query}`, key)).items.map((i: { ref: string }) => i.ref);
const names = async (path: string, key = psp.apiKey): Promise<string[]> =>
  contentOf(await t.get(path, key)).items.map((i: { registeredName: string }) => i.registeredName);

describe('listTransactions', () => {
  it.each([
    ['q=order', ['order_2', 'order-2', 'order-1']],
    ['q=order-', ['order-2', 'order-1']],
    ['q=order_', ['order_2']],
    ['q=100%25', ['100%']],
    ['q=Order', []],
    ['q=rder', []],
    ['q=order&amountFrom=200', ['order_2', 'order-2']],
    ['q=order&amountTo=250.5', ['order-2', 'order-1']],
    ['amountFrom=250.5&amountTo=1000', ['invoice-1', 'order_2', 'order-2']],
    ['amountFrom=250.500&amountTo=250.5', ['order-2']],
    ['q=i&limit=1', ['invoice-1']],
  ])('finds by %s', async (query, found) => {
    expect(await refs(query)).toEqual(found);
  });

  it('finds by the beginning of an id, and by the whole of it', async () => {
    const id = ids.get('order-2') as string;
    expect(await refs(`q=${id}`)).toEqual(['order-2']);
    expect(await refs(`q=${id.slice(0, 16)}`)).toEqual(['order-2']);
    expect(await refs('q=txn_')).toHaveLength(ids.size);
    expect(await refs('q=txn_z')).toEqual([]);
    expect(await refs(`q=${id}x`)).toEqual([]);
    expect(await refs(`q=${id.toUpperCase()}`)).toEqual([]);
    // What can be the beginning of no id is counted too.
    const none = contentOf(await t.get('/v1/transaction?q=txn_z&count=true', psp.apiKey));
    expect(none).toEqual({ items: [], nextCursor: null, total: { rows: 0, more: false } });
  });

  it('searches within days and pages', async () => {
    expect(await refs('q=order&dayFrom=2026-11-21&dayTo=2026-11-21')).toHaveLength(3);
    expect(await refs('q=order&dayFrom=2026-11-22&dayTo=2026-11-22')).toEqual([]);
    const first = contentOf(await t.get('/v1/transaction?q=order&limit=2', psp.apiKey));
    const rest = contentOf(await t.get(`/v1/transaction?q=order&limit=2&cursor=${first.nextCursor}`, psp.apiKey));
    expect([...first.items, ...rest.items].map((i: { ref: string }) => i.ref)).toEqual([
      'order_2',
      'order-2',
      'order-1',
    ]);
  });

  it('finds a client only its own', async () => {
    expect(await refs('q=i', client.apiKey)).toEqual([]);
    expect(await refs('q=i', other.apiKey)).toEqual(['invoice-1']);
    expect(await refs(`q=${ids.get('invoice-1')}`, client.apiKey)).toEqual([]);
    expect(await refs('q=order', (await t.makePsp()).apiKey)).toEqual([]);
  });

  it.each(['q=', `q=${'x'.repeat(201)}`, 'amountFrom=x', 'amountFrom=-1', 'amountTo=1e3', 'amountTo=1.'])(
    'refuses %s',
    async (query) => {
      expectRefusal(await t.get(`/v1/transaction?${query}`, psp.apiKey), 400, 'QUERY_INVALID');
    },
  );
});

describe('listClients', () => {
  it.each([
    ['lagos', ['Lagos Books Ltd']],
    ['BOOKS', ['Lagos Books Ltd']],
    ['7788', ['Lagos Books Ltd']],
    ['bn_', ['Abuja 100% Shoes']],
    ['0%25', ['Abuja 100% Shoes']],
    ['_oo', []],
    ['nobody', []],
  ])('finds by %s', async (q, found) => {
    expect(await names(`/v1/client?q=${q}`)).toEqual(found);
  });

  it('finds a PSP only its own, and an operator those of all', async () => {
    const stranger = await t.makePsp('Lagos Pay');
    expect(await names('/v1/client?q=lagos', stranger.apiKey)).toEqual([]);
    const operator = await t.makeOperator();
    expect(await names('/v1/admin/account?q=lagos', operator.apiKey)).toEqual(['Lagos Pay', 'Lagos Books Ltd']);
    expect(await names('/v1/admin/account?q=lagos&kind=client', operator.apiKey)).toEqual(['Lagos Books Ltd']);
  });
});
