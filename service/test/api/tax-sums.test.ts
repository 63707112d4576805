// Taxes whose law counts what a client was paid in a month or year, or what a customer moved in a day: each transaction
// bears what the sum before it leaves, however many are made at once and by how many processes, and a reversal gives back
// what it took.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CountryTax } from '../../src/core/tax/rule.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { expectJournalComplete, readersAtEnd } from '../support/journal.ts';

let t: TestApp;
/** Another process on the same database. */
let beside: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const day = 86_400_000;
const key = { ASSAY_MASTER_KEY: '22'.repeat(32) };

beforeAll(async () => {
  t = await makeTestApp({ env: key, startAt: '2026-11-10T12:00:00Z' });
  beside = await makeTestApp({ env: key, database: t.database, startAt: '2026-11-10T12:00:00Z' });
});
beforeEach(async () => {
  psp = await t.makePsp('Manila Payments', 'PH');
  client = await t.makeClient(psp, { countryCode: 'PH' });
});
afterAll(async () => {
  await beside?.stop();
  await t?.stop();
});

const later = (ms: number) => {
  t.advance(ms);
  beside.advance(ms);
};
const sale = (totalAmount: number, over: object = {}) => ({
  ...{ ref: `order-${++n}`, totalAmount, currency: 'PHP', countryCode: 'PH' },
  ...{ paymentMethods: { card: totalAmount }, transactionFee: 0, ...over },
});
const verify = async (body: object, by = client, app = t) => {
  // Two processes that count in one sum may wait for each other too long, and say so; the same request again resolves it.
  for (;;) {
    const answer = await app.post('/v1/transaction/verifyTransaction?expand=tax', body, by.apiKey);
    if (answer.status !== 503) return contentOf(answer);
  }
};
interface Answer {
  readonly merchantAmount: number;
  readonly ref: string;
  readonly tax: readonly { readonly ruleId: string; readonly taxableAmount: number; readonly tax: number }[];
}
const withheldOf = (a: Answer, rule = /^PH-WHT-REMITTANCE/) => a.tax.find((l) => rule.test(l.ruleId))?.tax;
const cents = (amounts: readonly (number | undefined)[]) =>
  amounts.reduce<number>((sum, a) => sum + Math.round((a ?? 0) * 100), 0);
const post = async (path: string, body: unknown, by = psp) => contentOf(await t.post(path, body, by.apiKey));

describe('a year of a client: Philippines, RR 16-2023, above 500,000 pesos', () => {
  it('taxes from the payment on that exceeds the limit, and what is left for the merchant after VAT and fees', async () => {
    const first = await verify(sale(500_000));
    expect(withheldOf(first)).toBe(0);
    const second = await verify(sale(1120));
    // 1,120 less VAT of 120 and the processing fee with its VAT: half a per cent of what is left.
    const left = Math.round((second.merchantAmount + (withheldOf(second) as number)) * 100);
    expect(cents([withheldOf(second)])).toBe(Math.round(left * 0.005));
    expect(second.tax.find((l: { ruleId: string }) => l.ruleId.startsWith('PH-WHT')).taxableAmount).toBe(left / 100);
    later(60 * day);
    // January: a year of its own.
    expect(withheldOf(await verify(sale(400_000)))).toBe(0);
  });

  it('is exact with a thousand payments at once, in two processes: 500 of them come before the limit', async () => {
    const all = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => verify(sale(1000), client, i % 2 ? t : beside)),
    );
    const withheld = all.map((a) => withheldOf(a));
    expect(withheld.filter((w) => w === 0)).toHaveLength(500);
    const taxed = withheld.filter((w) => w !== 0);
    expect(new Set(taxed).size).toBe(1);
    const [sum] = await t.database.admin.query<{ base: string; records: number }>(
      'SELECT base::text AS base, records FROM tax_sums WHERE psp_id = $1',
      [psp.uuid],
    );
    expect([Number(sum?.base), sum?.records]).toEqual([1_000_000, 1000]);
  });

  it('has exactly one of two payments at once exceed it', async () => {
    for (let i = 0; i < 5; i++) {
      const one = await t.makeClient(psp, { countryCode: 'PH' });
      await verify(sale(400_000), one);
      const both = await Promise.all([verify(sale(80_000), one), verify(sale(80_000), one, beside)]);
      expect(both.map((a) => withheldOf(a) === 0).sort()).toEqual([false, true]);
    }
  });

  it.each(['DECLINE', 'CHARGE_BACK'])('gives room again by %s from a case', async (action) => {
    const { transactionId } = await verify(sale(450_000));
    await post('/v1/review', { transactionId, reason: 'stolen' });
    await readersAtEnd(t, ['reviews', 'cases']);
    const [opened] = contentOf(await t.get(`/v1/case?clientId=${client.id}`, psp.apiKey)).items;
    expect(withheldOf(await verify(sale(60_000)))).toBeGreaterThan(0);
    await post(`/v1/case/${opened.caseId}/action`, { action, reason: 'stolen', transactionId });
    // 60,000 are left, and a payment that reaches the limit without exceeding it is free.
    expect(withheldOf(await verify(sale(440_000)))).toBe(0);
    expect(withheldOf(await verify(sale(1120)))).toBeGreaterThan(0);
  });

  it('gives room again once a payment is declined, charged back or made smaller, and takes it once a dispute is won', async () => {
    const one = await verify(sale(300_000));
    const two = await verify(sale(150_000));
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: one.ref }, client.apiKey));
    expect(withheldOf(await verify(sale(300_000)))).toBe(0);
    const { chargebackId } = await post('/v1/transaction/chargeBack', { ref: two.ref });
    const small = sale(190_000);
    expect(withheldOf(await verify(small))).toBe(0);
    // 490,000 so far. The same payment again as one of 100,000 leaves 400,000.
    expect(withheldOf(await verify({ ...small, totalAmount: 100_000, paymentMethods: { card: 100_000 } }))).toBe(0);
    expect(withheldOf(await verify(sale(90_000)))).toBe(0);
    const evidenceDueAt = new Date(t.now() + 7 * day).toISOString();
    const { disputeId } = await post('/v1/dispute', { chargebackId, reason: 'it was delivered', evidenceDueAt });
    await post(`/v1/dispute/${disputeId}/resolve`, { outcome: 'WON', reason: 'the scheme says so' });
    expect(withheldOf(await verify(sale(1000)))).toBeGreaterThan(0);
    await expectJournalComplete(t);
  });

  it('counts what is approved only, once for each ref, and another client by itself', async () => {
    const body = sale(499_000);
    await Promise.all(Array.from({ length: 20 }, () => verify(body)));
    const declined = await t.makeClient(psp, { countryCode: 'PH' });
    expect(withheldOf(await verify(sale(600_000), declined))).toBeGreaterThan(0);
    expect(withheldOf(await verify(sale(1000)))).toBe(0);
    const quote = contentOf(
      await t.post(
        '/v1/tax/quote',
        { operation: 'verifyTransaction', totalAmount: 10, currency: 'PHP', countryCode: 'PH' },
        client.apiKey,
      ),
    );
    expect(quote.observations.map((o: { code: string }) => o.code)).toContain('TAX_OF_A_SUM');
  });

  it('is left out in another currency, which is said', async () => {
    const dollars = await verify(sale(900_000, { currency: 'USD' }));
    expect(withheldOf(dollars)).toBeUndefined();
    const { observations } = contentOf(await t.get(`/v1/transaction/${dollars.transactionId}`, client.apiKey));
    expect(observations.map((o: { code: string }) => o.code)).toContain('TAX_NOT_CONVERTED');
  });
});

describe('a month of a client that is not registered: Argentina, RG 4622', () => {
  const argentine = { currency: 'ARS', countryCode: 'AR' };
  const rule = /^AR-WHT-IVA/;
  const seller = async (registered: boolean) => {
    const made = await t.makeClient(psp, { countryCode: 'AR' });
    const profile = { countryCode: 'AR', validFrom: '2026-01-01', registered };
    await post(`/v1/client/${made.id}/tax-profile`, profile);
    return made;
  };

  it('begins with the tenth payment if they are 50,000 pesos by then, and holds in the months after', async () => {
    const made = await seller(false);
    const nine = [];
    for (let i = 0; i < 9; i++) nine.push(await verify(sale(6000, argentine), made));
    expect(nine.map((a) => withheldOf(a, rule))).toEqual(Array.from({ length: 9 }, () => 0));
    const tenth = await verify(sale(6000, argentine), made);
    const left = cents([tenth.merchantAmount, withheldOf(tenth, rule)]);
    expect(cents([withheldOf(tenth, rule)])).toBe(Math.round(left * 0.105));
    later(31 * day);
    expect(withheldOf(await verify(sale(100, argentine), made), rule)).toBeGreaterThan(0);
  });

  it('needs both: ten small ones do not, nor nine large ones in each month', async () => {
    const small = await seller(false);
    for (let i = 0; i < 12; i++) expect(withheldOf(await verify(sale(100, argentine), small), rule)).toBe(0);
    const large = await seller(false);
    for (let month = 0; month < 2; month++) {
      for (let i = 0; i < 9; i++) expect(withheldOf(await verify(sale(20_000, argentine), large), rule)).toBe(0);
      later(31 * day);
    }
  });

  it('does not concern who is registered, or of whom nothing is known', async () => {
    for (const made of [await seller(true), await t.makeClient(psp, { countryCode: 'AR' })]) {
      const answers = [];
      for (let i = 0; i < 11; i++) answers.push(await verify(sale(20_000, argentine), made));
      expect(answers.map((a) => withheldOf(a, rule))).toEqual(answers.map(() => undefined));
    }
  });
});

describe('a day of a customer', () => {
  it('frees the first hundred of each, whichever client is paid, and a thousand at once are taxed as their sum', async () => {
    const file = join(import.meta.dirname, '../../data/tax/MW.json');
    const country = JSON.parse(readFileSync(file, 'utf8')) as CountryTax;
    const levy = {
      ...{ ruleId: 'MW-LEVY-DAY', taxCode: 'ETL', category: 'payment_service', operations: ['deposit'] },
      ...{ classifications: [], mccRanges: [], base: 'DEPOSIT_VALUE', rate: '1', allowance: '100', compoundsOn: [] },
      ...{ summedOver: { per: 'DAY', of: 'CUSTOMER' }, bearer: 'CUSTOMER', inTransaction: true, rounding: 'HALF_UP' },
      ...{ validFrom: '2026-01-01', validTo: null, source: Object.keys(country.sources)[0], legalRef: null },
      confidence: 'unverified',
    };
    const staff = await t.makeOperator();
    const changed = { ...country, rules: [...country.rules, levy] };
    contentOf(await t.post('/v1/admin/tax', { reason: 'a levy', country: changed }, staff.apiKey));
    const casinos = [await t.makeClient(psp, { countryCode: 'MW' }), await t.makeClient(psp, { countryCode: 'MW' })];
    const deposit = async (email: string, totalAmount: number, by: Account) => {
      const body = { ref: `dep-${++n}`, totalAmount, currency: 'MWK', customer: { email }, countryCode: 'MW' };
      const a = contentOf(await t.post('/v1/payment/deposit?expand=tax', { ...body, transactionFee: 0 }, by.apiKey));
      return withheldOf(a, /^MW-LEVY-DAY$/);
    };
    const [a, b] = casinos as [Account, Account];
    expect(await deposit('ada@example.com', 60, a)).toBe(0);
    expect(await deposit('ada@example.com', 60, b)).toBe(0.2);
    expect(await deposit('eve@example.com', 60, b)).toBe(0);
    const taken = await Promise.all(
      Array.from({ length: 300 }, (_, i) => deposit('joe@example.com', 7.35, i % 2 ? a : b)),
    );
    // 300 × 7.35 = 2,205, less 100: 21.05. Each alone would be 0.07, or 0.
    expect(cents(taken)).toBe(2105);
    later(day);
    expect(await deposit('joe@example.com', 100, a)).toBe(0);
  });
});
