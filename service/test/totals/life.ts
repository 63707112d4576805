// Random histories of transactions, wagers and payouts over HTTP, and the totals they must have, computed in SQL from
// the records.
import { until } from '../durability/support/conditions.ts';
import type { Account, TestApp } from '../support/app.ts';

/** Numbers that repeat with their seed. */
export function numbersOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Cast {
  readonly psp: Account;
  readonly clients: readonly Account[];
  readonly gaming: Account;
  readonly operator: Account;
}

export async function makeCast(t: TestApp): Promise<Cast> {
  const psp = await t.makePsp();
  return {
    psp,
    clients: [await t.makeClient(psp), await t.makeClient(psp)],
    gaming: await t.makeClient(psp, { countryCode: 'KE', classification: 'IGAMING_LOCAL' }),
    operator: await t.makeOperator(),
  };
}

const places = [
  { currency: 'NGN', countryCode: 'NG' },
  { currency: 'EUR', countryCode: 'DE' },
  { currency: 'KES', countryCode: 'KE' },
] as const;
/** Amounts are below and above those of the sales. */
const waysToPay = [{}, {}, { card: 10, cash: 40 }, { discounts: 12.34, cash: 700 }, { vouchers: 20.5, card: 1 }];
const customer = { email: 'ada@example.com' };

/** `count` things happen one after the other; refs come from few, so that most of them happen to the same records. */
export async function live(t: TestApp, c: Cast, seed: number, count: number): Promise<void> {
  const n = numbersOf(seed);
  const one = <T>(list: readonly T[]): T => list[n(list.length)] as T;
  const amount = () => (n(3) === 0 ? 1000 : (5000 + n(100_000)) / 100);
  /** Submitted and not verified yet. */
  const baskets: { transactionId: string; totalAmount: number; by: Account }[] = [];
  for (let i = 0; i < count; i++) {
    const by = one(c.clients);
    const ref = `${seed}-${n(Math.ceil(count / 8))}`;
    const paymentMethods = waysToPay[i % waysToPay.length];
    const sale = { ref, totalAmount: amount(), paymentMethods, transactionFee: n(2), ...one(places) };
    const movement = { ref: `m${ref}`, totalAmount: amount(), customer, transactionFee: 1 };
    const steps: (() => Promise<unknown>)[] = [
      () => t.post('/v1/transaction/verifyTransaction', sale, by.apiKey),
      () => t.post('/v1/transaction/verifyTransaction', sale, by.apiKey),
      () => t.post('/v1/transaction/declineTransaction', { ref }, by.apiKey),
      () =>
        t.post('/v1/transaction/chargeBack', { ref: n(2) === 0 ? ref : `m${ref}` }, c.psp.apiKey, {
          'x-client-id': by.id,
        }),
      () => t.post('/v1/payment/deposit', { ...movement, ...one(places) }, c.gaming.apiKey),
      () => {
        const deposit = { ...movement, totalAmount: '@', transactionFee: 0, blochainHash: '0x1' };
        const body = { ...deposit, currency: 'ETH', countryCode: 'NG' };
        // Eighteen decimals, which no double holds.
        const text = JSON.stringify(body).replace('"@"', `${n(3)}.1234567890123456${n(100)}`);
        return t.post('/v1/payment/cryptoDeposit', text, by.apiKey);
      },
      async () => {
        const totalAmount = 215;
        const item = { sku: 's', title: 't', description: '', quantity: 1, price: 100, subTotal: 100 };
        const body = {
          ref: `b${ref}-${i}`,
          totalAmount,
          items: [item, { ...item, subTotal: 115, price: 115, vatExempt: true }],
          paymentMethods,
          ...places[0],
        };
        const r = await t.post('/v1/basket/submitBasket', body, by.apiKey);
        baskets.push({ transactionId: r.body.content.transactionId, totalAmount, by });
      },
      async () => {
        const b = baskets.length > 1 ? baskets.shift() : undefined;
        if (!b) return;
        const body = { ...sale, ref: `v${ref}-${i}`, totalAmount: b.totalAmount, transactionID: b.transactionId };
        await t.post('/v1/transaction/verifyTransaction', { ...body, ...places[0] }, b.by.apiKey);
      },
      () =>
        t.post(
          '/captureWager',
          {
            amount: amount(),
            ref: `w${ref}`,
            customer,
            ip: '102.0.2.44',
            type: one(['Sports', 'casino', 'null', '"\\{,}']),
          },
          c.gaming.apiKey,
        ),
      () =>
        t.post(
          '/capturePayout',
          { amount: amount(), ref: `p${ref}-${i}`, customer, wagerReference: `w${ref}` },
          c.gaming.apiKey,
        ),
      () => {
        const operationalStanding = one(['ACTIVE', 'ACTIVE', 'SUSPENDED']);
        return t.post(
          `/v1/admin/account/${by.id}/standing`,
          { operationalStanding, reason: 'a test' },
          c.operator.apiKey,
        );
      },
      async () => t.advance(n(10) * 3_600_000),
    ];
    await one(steps)();
  }
}

/** Waits until the service has read the whole journal for its totals. */
export const totalled = (t: TestApp): Promise<true> =>
  until('the totals are up to date', async () => {
    const [r] = await t.database.admin.query(
      `SELECT bool_and(coalesce(c.seq, 0) = h.seq) AS done FROM journal_heads h
       LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = 'daily-totals'`,
    );
    if (r?.done !== true) t.app.following?.readers.find((reader) => reader.name === 'daily-totals')?.wake();
    return r?.done === true;
  });

/** Every cell kept for a PSP, in order, whatever rows it is in; empty cells too. */
export async function rows(
  t: TestApp,
  psp: string,
): Promise<Record<'amounts' | 'taxes' | 'accruals' | 'redated', string[]>> {
  const read = async (from: string) =>
    (await t.database.admin.query<{ r: string }>(`SELECT x::text AS r FROM (${from}) x`, [psp])).map((r) => r.r).sort();
  const cells = (view: string, figures: string[]) =>
    read(
      `SELECT ${place}, product_line, rule, sum(count), ${figures.map((f) => `trim_scale(sum(${f}))`).join(', ')}
       FROM ${view} WHERE psp_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
    );
  return {
    amounts: await cells('totals_by_fee', [
      'gross',
      'vat',
      'processing_fee',
      'transaction_fee',
      'transaction_vat',
      'net',
      'discounts',
      'vouchers',
      'cash',
    ]),
    taxes: await cells('totals_by_tax', ['taxable', 'tax']),
    accruals: await cells('totals_by_accrual', ['contribution']),
    redated: await read('SELECT * FROM redated_transactions WHERE psp_id = $1'),
  };
}

const zones = `CASE country WHEN 'NG' THEN 'Africa/Lagos' WHEN 'DE' THEN 'Europe/Berlin' ELSE 'Africa/Nairobi' END`;
const sides = `
  SELECT psp_id, account_id, country, currency, kind, status AS verdict, '' AS line, evidence::jsonb AS e,
    (evidence::jsonb->>'date')::date AS day, amount, vat_amount, processing_fee, transaction_fee, transaction_vat, remainder
  FROM transactions
  UNION ALL
  SELECT psp_id, account_id, country, currency, kind, 'CHARGED_BACK', '', evidence::jsonb,
    ((chargeback::jsonb->>'at')::timestamptz AT TIME ZONE ${zones})::date,
    amount, vat_amount, processing_fee, transaction_fee, transaction_vat, remainder
  FROM transactions WHERE chargeback IS NOT NULL
  UNION ALL
  SELECT psp_id, account_id, country, currency, 'captureWager', 'RECORDED', lower(product_line), evidence::jsonb,
    (evidence::jsonb->>'date')::date, amount, 0, 0, 0, 0, 0 FROM wagers
  UNION ALL
  SELECT p.psp_id, p.account_id, p.country, p.currency, 'capturePayout', 'RECORDED', lower(w.product_line), p.evidence::jsonb,
    (p.evidence::jsonb->>'date')::date, p.amount, 0, 0, 0, 0, 0
  FROM payouts p JOIN wagers w ON w.psp_id = p.psp_id AND w.id = p.wager_id`;
const place = 'day::text, country, account_id::text, currency, kind, verdict';

/** What totals must be, from the records; and what they are, cells in which nothing stands left out. */
export async function compared(t: TestApp, psp: string): Promise<{ expected: unknown[]; kept: unknown[] }> {
  const ask = async (sql: string) => (await t.database.admin.query(sql, [psp])).map((r) => JSON.stringify(r)).sort();
  return {
    expected: [
      ...(await ask(
        `SELECT ${place}, line, coalesce(e->>'fee', '') AS rule, count(*)::int AS n, trim_scale(sum(amount)) AS gross,
           trim_scale(sum(vat_amount)) AS vat, trim_scale(sum(processing_fee)) AS pf, trim_scale(sum(transaction_fee)) AS tf,
           trim_scale(sum(transaction_vat)) AS tv, trim_scale(sum(remainder)) AS net,
           ${['discounts', 'vouchers', 'cash'].map((m) => `trim_scale(sum(coalesce((e->'notHeld'->>'${m}')::numeric, 0))) AS ${m}`).join(', ')}
         FROM (${sides}) s WHERE psp_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
      )),
      ...(await ask(
        `SELECT ${place}, line, l->>'rule' AS rule, count(*)::int AS n,
           trim_scale(sum((l->>'taxable')::numeric)) AS taxable, trim_scale(sum((l->>'tax')::numeric)) AS tax
         FROM (${sides}) s, jsonb_array_elements(e->'tax') l
         WHERE psp_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
      )),
      ...(await ask(
        `SELECT ${place}, line, l->>'rule' AS rule, count(*)::int AS n,
           trim_scale(sum((l->>'contribution')::numeric)) AS contribution
         FROM (${sides}) s, jsonb_array_elements(e->'accruals') l
         WHERE psp_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
      )),
    ],
    kept: [
      ...(await ask(
        `SELECT ${place}, product_line AS line, rule, sum(count)::int AS n, trim_scale(sum(gross)) AS gross,
           trim_scale(sum(vat)) AS vat, trim_scale(sum(processing_fee)) AS pf, trim_scale(sum(transaction_fee)) AS tf,
           trim_scale(sum(transaction_vat)) AS tv, trim_scale(sum(net)) AS net,
           trim_scale(sum(discounts)) AS discounts, trim_scale(sum(vouchers)) AS vouchers, trim_scale(sum(cash)) AS cash
         FROM totals_by_fee WHERE psp_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(count) > 0`,
      )),
      ...(await ask(
        `SELECT ${place}, product_line AS line, rule, sum(count)::int AS n, trim_scale(sum(taxable)) AS taxable,
           trim_scale(sum(tax)) AS tax
         FROM totals_by_tax WHERE psp_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(count) > 0`,
      )),
      ...(await ask(
        `SELECT ${place}, product_line AS line, rule, sum(count)::int AS n, trim_scale(sum(contribution)) AS contribution
         FROM totals_by_accrual WHERE psp_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(count) > 0`,
      )),
    ],
  };
}
