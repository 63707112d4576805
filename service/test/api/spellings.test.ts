// A code of a currency or country means the same in whatever letters it is written, and a country in either of its
// forms: a repetition is one, and a filter finds what was recorded.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localDate } from '../../src/core/calendar.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

const sale = { totalAmount: 100, currency: 'NGN', countryCode: 'NG', paymentMethods: { card: 100 }, transactionFee: 1 };
const customer = { name: 'Ada Obi', email: 'ada@example.ng', phoneNumber: '+2348030000001' };
const moved = { totalAmount: 100, currency: 'NGN', countryCode: 'NG', transactionFee: 1, customer };
const spellings = [{ currency: 'ngn' }, { countryCode: 'ng' }, { countryCode: 'NGA' }, { countryCode: 'nga' }];

describe.each([
  ['verifyTransaction', '/v1/transaction/verifyTransaction', sale],
  ['deposit', '/v1/payment/deposit', moved],
  ['withdrawal', '/v1/payment/withdrawal', { ...moved, toAddress: { iban: 'NG00' } }],
  ['cryptoDeposit', '/v1/payment/cryptoDeposit', { ...moved, currency: 'BTC', blochainHash: 'h-1' }],
])('a repetition of %s', (_, path, body) => {
  it.each(spellings)('is one with %j', async (over) => {
    const ref = `sp-${++n}`;
    const first = await t.post(path, { ref, ...body }, client.apiKey);
    const currency = 'currency' in over ? body.currency.toLowerCase() : body.currency;
    const again = await t.post(path, { ref, ...body, ...over, currency }, client.apiKey);
    expect(contentOf(again)).toEqual(contentOf(first));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('is none in another currency or country, or with an unknown one', async () => {
    const ref = `sp-${++n}`;
    contentOf(await t.post(path, { ref, ...body }, client.apiKey));
    for (const over of [{ currency: 'KES' }, { countryCode: 'KE' }, { countryCode: 'XQ' }]) {
      const other = await t.post(path, { ref, ...body, ...over }, client.apiKey);
      expect(other.headers.get('idempotency-replayed')).toBe(null);
    }
  });
});

it('a declined transaction stays declined, whatever letters its currency is repeated in', async () => {
  const ref = `sp-${++n}`;
  const path = '/v1/transaction/verifyTransaction';
  const behalf = { 'x-client-id': client.id };
  contentOf(await t.post(path, { ref, ...sale }, psp.apiKey, behalf));
  contentOf(await t.post('/v1/transaction/declineTransaction', { ref }, psp.apiKey, behalf));
  for (const over of [{}, ...spellings])
    expect(contentOf(await t.post(path, { ref, ...sale, ...over }, psp.apiKey, behalf)).status).toBe('DECLINED');
});

describe('a filter by country', () => {
  const day = () => localDate('Europe/London', t.now());
  const lists = () => [
    '/v1/transaction?',
    `/v1/transaction?dayFrom=${day()}&dayTo=${day()}&`,
    `/v1/settlement/statement?dayFrom=${day()}&dayTo=${day()}&`,
    `/v1/totals?dayFrom=${day()}&dayTo=${day()}&`,
    `/v1/totals/tax?dayFrom=${day()}&dayTo=${day()}&`,
  ];

  it('finds what was recorded by its alias, and by either form of its code', async () => {
    const path = '/v1/transaction/verifyTransaction';
    const body = { ...sale, ref: `sp-${++n}`, currency: 'GBP', countryCode: 'UK' };
    contentOf(await t.post(path, body, client.apiKey));
    await totalled(t);
    for (const list of lists())
      for (const countryCode of ['GB', 'gb', 'GBR', 'UK'])
        expect(contentOf(await t.get(`${list}countryCode=${countryCode}`, client.apiKey)).items.length, list).toBe(1);
    const nigerian = contentOf(await t.get('/v1/client?countryCode=NGA', psp.apiKey)).items;
    expect(nigerian).toEqual(contentOf(await t.get('/v1/client?countryCode=NG', psp.apiKey)).items);
    expect(nigerian.length).toBeGreaterThan(0);
  });

  it('is refused with a code that is none, in place of an empty list', async () => {
    for (const list of [...lists(), '/v1/wager?', '/v1/payout?', '/v1/client?'])
      expectRefusal(
        await t.get(`${list}countryCode=ZZ`, psp.apiKey),
        400,
        'QUERY_INVALID',
        "the query parameter 'countryCode' is not an ISO 3166-1 country code: 'ZZ'",
      );
  });
});
