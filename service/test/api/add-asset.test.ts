// The operations addAsset and listAssets: crypto assets that staff add while the service runs.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  limitsText,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { rowCount } from '../support/journal.ts';

interface Shown {
  readonly symbol: string;
  readonly network: string;
  readonly decimals: number;
  readonly name: string;
  readonly origin: string;
  readonly checked: boolean;
}

let t: TestApp;
/** Another process on the same database. */
let two: TestApp;
let operator: Account;
let psp: Account;
let client: Account;
let n = 0;
const env = { ASSAY_MASTER_KEY: 'cd'.repeat(32) };

beforeAll(async () => {
  t = await makeTestApp({ env });
  two = await makeTestApp({ env, database: t.database });
  operator = await t.makeOperator();
  psp = await t.makePsp();
  client = await t.makeClient(psp, { classification: 'CRYPTO_GLOBAL' });
});
afterAll(() => Promise.all([two?.stop(), t?.stop()]));

const asset = (over: Record<string, unknown> = {}) => ({
  ...{ symbol: `COIN${++n}`, network: 'ETHEREUM', decimals: 18, name: 'A coin', reason: 'listed on 1 December' },
  ...over,
});
const add = (body: unknown, key = operator.apiKey) => t.post('/v1/admin/asset', body, key);
const listed = async (symbol = '', a = t): Promise<Shown[]> =>
  contentOf(await a.get(`/v1/asset${symbol && `?symbol=${symbol}`}`, client.apiKey)).items;
const deposit = (currency: string, over: Record<string, unknown> = {}, a = t): Promise<Answer> =>
  a.post(
    '/v1/payment/cryptoDeposit',
    {
      ref: `dep-${++n}`,
      totalAmount: 1000,
      currency,
      blochainHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
      customer: { email: 'ada@example.com' },
      countryCode: 'NG',
      transactionFee: 0,
      ...over,
    },
    client.apiKey,
  );
const added = () => rowCount(t, 'journal', "kind = 'asset.added'");

const wire: Wire = {
  app: () => t,
  method: 'POST',
  path: '/v1/admin/asset',
  caller: () => operator,
  body: asset,
};

describe('addAsset', () => {
  describe('accepts', () => {
    it('lets the very next deposit be in the asset, split exactly in its decimals, where it was refused before', async () => {
      const { symbol } = asset();
      expectRefusal(await deposit(symbol), 400, 'UNKNOWN_CURRENCY');
      expect(contentOf(await add(asset({ symbol, decimals: 9 })))).toEqual({
        ...{ symbol, network: 'ETHEREUM', decimals: 9, name: 'A coin' },
        ...{ origin: 'operator', checked: true },
      });
      const c = contentOf(await deposit(symbol.toLowerCase(), { totalAmount: 0.123456789 }));
      const parts = [c.vatAmount, c.processingFee, c.netAmount].map((x: number) => BigInt(Math.round(x * 1e9)));
      expect(c.status).toBe('APPROVED');
      expect(parts.reduce((sum, x) => sum + x)).toBe(123_456_789n);
      expectRefusal(await deposit(symbol, { totalAmount: 0.1234567891 }), 400, 'AMOUNT_PRECISION');
    });

    it('is taken over by another process on the same database within a second', async () => {
      const { symbol } = asset();
      contentOf(await add(asset({ symbol })));
      await until('the other process knows it', async () => (await listed(symbol, two)).length === 1);
      expect(contentOf(await deposit(symbol, {}, two)).status).toBe('APPROVED');
    });

    it('is known at the next start', async () => {
      const { symbol } = asset();
      contentOf(await add(asset({ symbol })));
      const third = await makeTestApp({ env, database: t.database });
      expect(await listed(symbol, third)).toMatchObject([{ symbol, origin: 'operator' }]);
      await third.stop();
    });

    it('checks addresses and hashes by the forms of its network, and not where one of its networks is unknown', async () => {
      const { symbol } = asset();
      contentOf(await add(asset({ symbol })));
      const observed = async () => {
        const { transactionId } = contentOf(await deposit(symbol, { blochainHash: 'no-hash' }));
        const r = await t.get(`/v1/transaction/verifyTransactionStatus?transactionId=${transactionId}`, psp.apiKey);
        return contentOf(r).observations.map((o: { code: string }) => o.code);
      };
      expect(await observed()).toContain('HASH_FORM');
      expect(contentOf(await add(asset({ symbol, network: 'MY_CHAIN' }))).checked).toBe(false);
      expect(await listed(symbol)).toMatchObject([
        { network: 'ETHEREUM', checked: false },
        { network: 'MY_CHAIN', checked: false },
      ]);
      expect(await observed()).not.toContain('HASH_FORM');
    });

    it('adds a network to an asset that is shipped, whose amounts keep their decimals', async () => {
      const before = await listed('BTC');
      contentOf(await add(asset({ symbol: 'BTC', network: 'LIGHTNING', decimals: 8, name: 'Bitcoin' })));
      expect(await listed('BTC')).toEqual([
        ...before.map((a) => ({ ...a, checked: false })),
        { ...before[0], network: 'LIGHTNING', origin: 'operator', checked: false },
      ]);
    });

    it('gives an asset more decimals, and never fewer', async () => {
      const { symbol } = asset();
      contentOf(await add(asset({ symbol, decimals: 8 })));
      contentOf(await add(asset({ symbol, decimals: 18 })));
      expect(await listed(symbol)).toMatchObject([{ decimals: 18 }]);
      expectRefusal(await add(asset({ symbol, decimals: 6 })), 400, 'FIELD_INVALID', /up to 18/);
      expectRefusal(await add(asset({ symbol: 'BTC', network: 'BITCOIN', decimals: 2 })), 400, 'FIELD_INVALID');
    });
  });

  it.each([
    ['was added with fewer decimals', { decimals: 4 }, { decimals: 9 }],
    [
      'was shipped',
      { symbol: 'LTC', network: 'LITECOIN', decimals: 8 },
      { symbol: 'LTC', network: 'LITECOIN', decimals: 12 },
    ],
    ['gets a network with fewer', { decimals: 9 }, { network: 'TRON', decimals: 3 }],
  ])('leaves nothing to correct of deposits in an asset that %s', async (_, before, after) => {
    const body = asset(before);
    contentOf(await add(body));
    const paid = contentOf(await deposit(body.symbol, { totalAmount: 7.7, transactionFee: 1.1 }));
    contentOf(await add(asset({ ...body, ...after })));
    const more = contentOf(await deposit(body.symbol, { totalAmount: 7.7, transactionFee: 1.1 }));
    expect(paid.vatAmount).toBeGreaterThan(0);
    expect(more.vatAmount).toBeGreaterThan(0);
    const range = { countryCode: 'NG', from: '2026-11-01', to: '2026-11-30', reason: 'looked at' };
    const done = contentOf(await t.post('/v1/correction', { clientId: client.id, ...range }, operator.apiKey));
    expect(done).toMatchObject({ adjusted: 0 });
  });

  describe('validates', () => {
    requiresFields(wire, ['symbol', 'network', 'decimals', 'name', 'reason']);
    refusesWrongTypes(wire, { text: ['symbol', 'network', 'name', 'reason'] });
    limitsText(wire, { name: 80 });
    it.each(['USD', 'NGN', 'ANG'])('refuses %s, which is a currency, in use or not', async (symbol) => {
      expectRefusal(await add(asset({ symbol })), 400, 'FIELD_INVALID');
    });
    it.each([
      { symbol: 'eth' },
      { symbol: 'A' },
      { symbol: 'ＢＴＣ' },
      { symbol: 'WAY_TOO_LONG' },
      { network: 'my chain' },
      { decimals: -1 },
      { decimals: 25 },
      { decimals: 1.5 },
      { name: '' },
    ])('refuses %o, and adds nothing', async (over) => {
      const before = await added();
      expectRefusal(await add(asset(over)), 400, 'FIELD_INVALID');
      expect(await added()).toBe(before);
    });
  });

  describe('authorises', () => {
    it('refuses the keys of PSPs and clients', async () => {
      for (const { apiKey } of [psp, client]) expectRefusal(await add(asset(), apiKey), 403, 'AUDIENCE');
    });
  });

  describe('repeats', () => {
    it('answers as before, and journals once', async () => {
      const body = asset();
      const first = contentOf(await add(body));
      const before = await added();
      expect(contentOf(await add({ ...body, reason: 'again' }))).toEqual(first);
      expect(await added()).toBe(before);
    });

    it('adds an asset once that many add at the same moment', async () => {
      const body = asset();
      const before = await added();
      const answers = await Promise.all(Array.from({ length: 20 }, () => add(body)));
      for (const a of answers) expect(contentOf(a)).toEqual(contentOf(answers[0] as Answer));
      expect(await added()).toBe(before + 1);
    });
  });

  describe('journals', () => {
    it('writes one entry with the asset, the actor and the reason', async () => {
      const { reason, ...data } = asset();
      contentOf(await add({ ...data, reason }));
      const [r] = await t.database.admin.query(
        "SELECT body FROM journal WHERE kind = 'asset.added' ORDER BY id DESC LIMIT 1",
      );
      expect(JSON.parse(r?.body as string)).toMatchObject({ data, evidence: { reason }, schema: 'asset.added/1' });
    });
  });
});

describe('listAssets', () => {
  it('lists what is shipped, row by row, to every caller', async () => {
    const file = JSON.parse(readFileSync(new URL('../../data/assets.json', import.meta.url), 'utf8')) as Shown[];
    // A test above gave this one more decimals.
    const pairs = (all: readonly Shown[]) =>
      all
        .filter((a) => a.symbol !== 'LTC')
        .map((a) => `${a.symbol} ${a.network} ${a.decimals} ${a.name}`)
        .sort();
    const shipped = (await listed()).filter((a) => a.origin === 'shipped');
    expect(pairs(shipped)).toEqual(pairs(file));
    for (const { apiKey } of [psp, operator])
      expect(contentOf(await t.get('/v1/asset?symbol=usdc', apiKey)).items.length).toBeGreaterThan(1);
  });
});
