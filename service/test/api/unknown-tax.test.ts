// With UNKNOWN_TAX=refuse, nothing is recorded where a tax may be due whose rate nobody found; without it, it is recorded
// with a warning.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { entryCount } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let bookmaker: Account;
let n = 0;
/** Of both services on the database. */
const key = { ASSAY_MASTER_KEY: '11'.repeat(32) };
beforeAll(async () => {
  t = await makeTestApp({ env: { ...key, UNKNOWN_TAX: 'refuse' } });
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  bookmaker = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'AL' });
});
afterAll(() => t?.stop());

const customer = { email: 'ada@example.com' };
/** In Kenya the rate of VAT on fees for crypto assets is UNKNOWN, in Nigeria it is not. */
const deposit = (countryCode: string, ref = `d${++n}`) => ({
  ...{ ref, totalAmount: 1000, currency: 'USDT', customer, countryCode, transactionFee: 1 },
  blochainHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
});
const wager = { amount: 100, ref: 'bet', customer, ip: '102.0.2.44', type: 'casino' };

describe('UNKNOWN_TAX=refuse', () => {
  it('refuses a transaction, names the rule, and leaves no trace', async () => {
    const before = await entryCount(t);
    const body = deposit('KE');
    for (let i = 0; i < 2; i++)
      expectRefusal(
        await t.post('/v1/payment/cryptoDeposit', body, client.apiKey),
        400,
        'TAX_RATE_UNKNOWN',
        'the rate of VAT by KE-VAT-CRYPTO-FEE-2021 is not known; none was worked out, which is no exemption; nothing was recorded',
      );
    expect(await entryCount(t)).toBe(before);
    // The ref is free.
    contentOf(await t.post('/v1/payment/cryptoDeposit', { ...body, countryCode: 'NG' }, client.apiKey));
  });

  it('refuses a quote of it too, and neither where all rates are known', async () => {
    const quote = (countryCode: string) => ({
      operation: 'cryptoDeposit',
      totalAmount: 9,
      currency: 'USDT',
      countryCode,
    });
    expectRefusal(await t.post('/v1/tax/quote', quote('KE'), client.apiKey), 400, 'TAX_RATE_UNKNOWN');
    contentOf(await t.post('/v1/tax/quote', quote('NG'), client.apiKey));
  });

  it('refuses the payout whose tax is not known, though its wager was recorded', async () => {
    contentOf(await t.post('/captureWager', wager, bookmaker.apiKey));
    const payout = { amount: 400, ref: 'win', customer, wagerReference: 'bet' };
    expectRefusal(
      await t.post('/capturePayout', payout, bookmaker.apiKey),
      400,
      'TAX_RATE_UNKNOWN',
      /AL-WHT-PAYOUT-2024 is not known/,
    );
  });

  it('refuses a wager whose tax is not known', async () => {
    const dubai = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'AE' });
    expectRefusal(await t.post('/captureWager', { ...wager, ref: 'ae' }, dubai.apiKey), 400, 'TAX_RATE_UNKNOWN');
  });

  it('answers what was recorded before as it was answered', async () => {
    const before = await makeTestApp({ database: t.database, env: key });
    const body = deposit('KE');
    const first = contentOf(await before.post('/v1/payment/cryptoDeposit', body, client.apiKey));
    await before.stop();
    const again = await t.post('/v1/payment/cryptoDeposit', body, client.apiKey);
    expect([contentOf(again), again.headers.get('idempotency-replayed')]).toEqual([first, 'true']);
  });
});
