// assay tax explain answers as the API does: each field of `taxDetails`, by the schemas of the requests, has an option that
// changes the answer in the same way.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Explanation, explain } from '../../src/adapters/cli/tax-explain.ts';
import type { ExplainOptions } from '../../src/adapters/cli/tax-explain-options.ts';
import { PayoutTaxDetails, PlayerTaxDetails, TaxDetails } from '../../src/modules/kernel/tax-details.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';

let t: TestApp;
let psp: Awaited<ReturnType<TestApp['makePsp']>>;
let n = 0;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Island Pay', 'MT');
});
afterAll(() => t?.stop());

/** Both answers, alike: a rule with what it taxes, or with what it adds to a return. */
interface Answer {
  readonly parts: Readonly<Record<string, number>>;
  readonly rules: readonly unknown[];
  readonly observations: readonly string[];
}
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Wire = any;
const inOrder = (rules: readonly (readonly unknown[])[]) => rules.map((r) => JSON.stringify(r)).sort();
const codes = (observations: readonly { code: string }[]) => observations.map((o) => o.code).sort();
const partNames = ['vatAmount', 'processingFee', 'transactionFee', 'transactionVAT', 'merchantAmount'];

function answered(c: Wire, observations: readonly { code: string }[]): Answer {
  return {
    parts: Object.fromEntries(partNames.filter((p) => p in c).map((p) => [p, c[p]])),
    rules: inOrder([
      ...c.tax.map((r: Wire) => [r.ruleId, r.taxableAmount, r.tax, r.method === 'BY_RETURN' ? null : r.reason]),
      ...(c.accruals ?? []).map((a: Wire) => [a.ruleId, a.contribution]),
    ]),
    observations: codes(observations),
  };
}

function explained({ split, rules, accruals, observations }: Explanation): Answer {
  return {
    parts: (split ?? {}) as Record<string, number>,
    rules: inOrder([
      ...rules.map((r) => [r.ruleId, r.taxable, r.tax, r.reason]),
      ...accruals.flatMap((a) => {
        if (a.contribution !== undefined) return [[a.ruleId, a.contribution]];
        return a.tax === null ? [] : [[a.ruleId, a.taxable, a.tax, null]];
      }),
    ]),
    observations: codes(observations),
  };
}

async function clientIn(countryCode: string, classification: string) {
  return (await t.makeClient(psp, { countryCode, classification })).apiKey;
}

/** What a sale in `country` by a client of `home` is answered. */
async function sale(country: string, home: string, currency: string, amount: number, mcc: string, over: object) {
  const key = await clientIn(home, 'ECOMM_LOCAL');
  const body = {
    ...{ ref: `s-${++n}`, totalAmount: amount, currency, countryCode: country, mcc, transactionFee: 0 },
    ...{ paymentMethods: { card: amount }, ...over },
  };
  const c = contentOf(await t.post('/v1/transaction/verifyTransaction?expand=tax', body, key));
  const { observations } = contentOf(await t.get(`/v1/transaction/${c.transactionId}`, key));
  return answered(c, observations);
}

/** What a wager of 100 with an operator of `home` is answered, or the payout of `paid` for it. */
async function play(
  home: string,
  type: string,
  taxDetails: object | undefined,
  paid?: number,
  stakeReturned?: boolean,
) {
  const key = await clientIn(home, 'IGAMING_LOCAL');
  const customer = { email: 'kip@example.com' };
  const ref = `w-${++n}`;
  const wager = { amount: 100, ref, customer, ip: '102.0.2.44', type, ...(taxDetails ? { taxDetails } : {}) };
  let id = contentOf(await t.post('/captureWager?expand=tax', wager, key));
  if (paid !== undefined) {
    const back = stakeReturned ? { taxDetails: { stakeReturned } } : {};
    const payout = { amount: paid, ref: `p-${n}`, customer, wagerReference: ref, ...back };
    id = contentOf(await t.post('/capturePayout?expand=tax', payout, key));
  }
  const path = paid === undefined ? `/v1/wager/${id.wagerId}` : `/v1/payout/${id.payoutId}`;
  return answered(id, contentOf(await t.get(path, key)).observations);
}

const ask = (o: Partial<ExplainOptions> & Pick<ExplainOptions, 'country' | 'operation' | 'amount'>) =>
  explained(explain({ fee: '0', ...o } as ExplainOptions, t.now()));
const ofSale = (country: string, amount: string, mcc: string, o: Partial<ExplainOptions>) =>
  ask({ ...{ country, amount, mcc, operation: 'verifyTransaction', classification: 'ECOMM_LOCAL' }, ...o });
const ofPlay = (o: Partial<ExplainOptions> & Pick<ExplainOptions, 'country'>) =>
  ask({
    ...{ operation: 'captureWager', amount: '100', classification: 'IGAMING_LOCAL', productLine: 'sports' },
    ...o,
  });

type Pair = () => Promise<readonly [Answer, Answer]>;
/** For each field of each schema: what the API answers with it, and the explanation with its option; then both without. */
const fields: Readonly<Record<string, Readonly<Record<string, readonly [Pair, Pair]>>>> = {
  TaxDetails: {
    category: [
      async () => [
        await sale('ES', 'ES', 'EUR', 104, '5999', { taxDetails: { category: 'books' } }),
        ofSale('ES', '104', '5999', { sells: 'books' }),
      ],
      async () => [await sale('ES', 'ES', 'EUR', 104, '5999', {}), ofSale('ES', '104', '5999', {})],
    ],
    // A consumer abroad is charged as one at home, and the record says so.
    customerCountry: [
      async () => [
        await sale('DE', 'DE', 'EUR', 119, '5734', { taxDetails: { customerCountry: 'FR' } }),
        ofSale('DE', '119', '5734', { customerCountry: 'FR' }),
      ],
      async () => [await sale('DE', 'DE', 'EUR', 119, '5734', {}), ofSale('DE', '119', '5734', {})],
    ],
    customerSubdivision: [
      async () => [
        await sale('CA', 'CA', 'CAD', 113, '5999', { taxDetails: { customerSubdivision: 'CA-ON' } }),
        ofSale('CA', '113', '5999', { customerSubdivision: 'CA-ON' }),
      ],
      async () => [await sale('CA', 'CA', 'CAD', 113, '5999', {}), ofSale('CA', '113', '5999', {})],
    ],
    // Software of a German seller, bought by a Spanish business: it owes the tax itself (art. 84 LIVA).
    customerTaxNumber: [
      async () => [
        await sale('ES', 'DE', 'EUR', 121, '5817', {
          taxDetails: { customerCountry: 'ES', customerTaxNumber: 'ESB58378431' },
        }),
        ofSale('ES', '121', '5817', {
          ...{ clientCountry: 'DE', customerCountry: 'ES', customerTaxNumber: 'ESB58378431' },
        }),
      ],
      async () => [
        await sale('ES', 'DE', 'EUR', 121, '5817', { taxDetails: { customerCountry: 'ES' } }),
        ofSale('ES', '121', '5817', { clientCountry: 'DE', customerCountry: 'ES' }),
      ],
    ],
    singlePurposeVouchers: [
      async () => [
        await sale('NG', 'NG', 'NGN', 1075, '5999', {
          paymentMethods: { card: 645, vouchers: 215, discounts: 107.5, cash: 107.5 },
          taxDetails: { singlePurposeVouchers: 107.5 },
        }),
        ofSale('NG', '1075', '5999', {
          ...{ vouchers: '215', discounts: '107.50', cash: '107.50', singlePurposeVouchers: '107.50' },
        }),
      ],
      async () => [
        await sale('NG', 'NG', 'NGN', 1075, '5999', {
          paymentMethods: { card: 645, vouchers: 215, discounts: 107.5, cash: 107.5 },
        }),
        ofSale('NG', '1075', '5999', { vouchers: '215', discounts: '107.50', cash: '107.50' }),
      ],
    ],
  },
  PlayerTaxDetails: {
    customerCountry: [
      async () => [
        await play('MT', 'sports', { customerCountry: 'DE' }),
        ofPlay({ country: 'MT', customerCountry: 'DE' }),
      ],
      async () => [await play('MT', 'sports', undefined), ofPlay({ country: 'MT' })],
    ],
    customerSubdivision: [
      async () => [
        await play('US', 'sports', { customerSubdivision: 'US-NJ' }),
        ofPlay({ country: 'US', customerSubdivision: 'US-NJ' }),
      ],
      async () => [await play('US', 'sports', undefined), ofPlay({ country: 'US' })],
    ],
  },
  PayoutTaxDetails: {
    stakeReturned: [
      async () => [
        await play('UG', 'sports', undefined, 60, true),
        ofPlay({ country: 'UG', operation: 'capturePayout', amount: '60', stake: '100', stakeReturned: true }),
      ],
      async () => [
        await play('UG', 'sports', undefined, 60),
        ofPlay({ country: 'UG', operation: 'capturePayout', amount: '60', stake: '100' }),
      ],
    ],
  },
};

/** Fields of a sale that only the return of the one-stop shop asks for. */
const ofReturns = { kind: 'SERVICES', suppliedFrom: 'PL' };

it('has an option for every field of every schema of taxDetails that decides a tax', () => {
  for (const [name, schema] of Object.entries({ TaxDetails, PlayerTaxDetails, PayoutTaxDetails })) {
    const deciding = Object.keys(schema.properties).filter((f) => name !== 'TaxDetails' || !(f in ofReturns));
    expect(Object.keys(fields[name] ?? {}), name).toEqual(deciding);
  }
});

it('has none for what a return alone asks for: it makes no difference to the answer', async () => {
  const said = await sale('DE', 'DE', 'EUR', 119, '5734', { taxDetails: ofReturns });
  expect(said).toEqual(await sale('DE', 'DE', 'EUR', 119, '5734', {}));
});

it.each(
  Object.entries(fields).flatMap(([schema, of]) => Object.entries(of).map(([f, pairs]) => [schema, f, pairs] as const)),
)('%s.%s is explained as it is answered, and makes a difference', async (_schema, _field, [withIt, without]) => {
  const [told, toldOffline] = await withIt();
  const [untold, untoldOffline] = await without();
  expect(toldOffline).toEqual(told);
  expect(untoldOffline).toEqual(untold);
  expect(told).not.toEqual(untold);
});

it.each<[string, Partial<ExplainOptions>]>([
  ['a wager in a line that no rule names', { country: 'GB', productLine: 'tiddlywinks' }],
  ['a payout that won', { country: 'PL', operation: 'capturePayout', amount: '5000', stake: '100' }],
  ['a lost bet', { country: 'KE', operation: 'capturePayout', amount: '0', stake: '100' }],
  ['a player whose country taxes operators there only', { country: 'GB', customerCountry: 'KE' }],
])('says of %s what the record says', async (_what, o) => {
  const { country, customerCountry, productLine = 'sports', operation, amount } = o as ExplainOptions;
  const paid = operation === 'capturePayout' ? Number(amount) : undefined;
  const told = await play(country, productLine, customerCountry === undefined ? undefined : { customerCountry }, paid);
  expect(ofPlay({ ...o, country })).toEqual(told);
});

it.each<[string, Partial<ExplainOptions>, string]>([
  ['more of a stake given back than it was', { amount: '101', stake: '100', stakeReturned: true }, 'at most 100'],
  [
    'a part of another country',
    { customerCountry: 'MT', customerSubdivision: 'US-NJ' },
    '--customer-subdivision must be',
  ],
  ['a country of nowhere', { customerCountry: 'ZZ' }, '--customer-country is not'],
])('refuses %s', (_what, o, says) => {
  const { operation = 'capturePayout' } = o;
  expect(() => ofPlay({ country: 'US', operation, ...o })).toThrow(says);
});
