// A month of sales, deposits and withdrawals in five countries, with declines, smaller amounts, chargebacks and disputes:
// each tax is added up by SQL over the journal alone, the boxes by what the authority's form says of them, and both are
// compared with the return. Forms: Nigeria 002; Kenya VAT 3 and excise; VAT100 of the United Kingdom (notice 700/12); USt 1 A of
// Germany; VAT201 of South Africa.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { numbersOf, totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
const clients = new Map<string, readonly Account[]>();
const currencies = { NG: 'NGN', KE: 'KES', GB: 'GBP', DE: 'EUR', ZA: 'ZAR' };
type Country = keyof typeof currencies;
const countries = Object.keys(currencies) as Country[];
const dayMs = 86_400_000;
const perClient = 40;

interface Rule {
  readonly ruleId: string;
  readonly taxCode: string;
  readonly base: string;
  readonly category: string;
  readonly rate?: string;
  readonly reason?: string;
}
/** The rows as they are written in the country's file, read by themselves. */
const rules = new Map(
  countries.flatMap((c) =>
    (JSON.parse(readFileSync(new URL(`../../data/tax/${c}.json`, import.meta.url), 'utf8')).rules as Rule[]).map(
      (r) => [r.ruleId, r] as const,
    ),
  ),
);

const post = async (path: string, body: object, by: Account) => contentOf(await t.post(path, body, by.apiKey));
const n = numbersOf(20_261_126);

/** What a client does in a month: most sales stay, some are undone in one of the ways there are. */
async function act(country: Country, by: Account, i: number): Promise<void> {
  const ref = `${country}-${by.id.slice(-4)}-${i}`;
  const totalAmount = (10_000 + n(90_000)) / 100;
  const body = { ref, totalAmount, currency: currencies[country], countryCode: country, transactionFee: 1.5 };
  const what = n(20);
  if (what < 4) {
    const out = what % 2 === 1;
    const customer = { email: `player${n(9)}@example.com` };
    const to = out ? { toAddress: { bank: 'Equity Bank', accountNumber: '0011223344' } } : {};
    await post(`/v1/payment/${out ? 'withdrawal' : 'deposit'}`, { ...body, customer, ...to }, by);
    return;
  }
  const mcc = ['5411', '5812', '5942', '8062', '7011', '5732', '5732'][n(7)] as string;
  const sale = { ...body, mcc, paymentMethods: { card: totalAmount } };
  await post('/v1/transaction/verifyTransaction', sale, by);
  if (what === 4) await post('/v1/transaction/declineTransaction', { ref }, by);
  if (what === 5) {
    const less = { ...sale, totalAmount: 99.99, paymentMethods: { card: 99.99 } };
    await post('/v1/transaction/verifyTransaction', less, by);
  }
  if (what !== 6 && what !== 7) return;
  const back = await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey, { 'x-client-id': by.id });
  const { chargebackId } = contentOf(back);
  if (what === 6) return;
  const dispute = { chargebackId, reason: 'delivered', evidenceDueAt: new Date(t.now() + 9 * dayMs).toISOString() };
  const { disputeId } = await post('/v1/dispute', dispute, psp);
  await post(`/v1/dispute/${disputeId}/resolve`, { outcome: 'WON', reason: 'the scheme says so' }, psp);
}

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-02T10:00:00Z' });
  psp = await t.makePsp('Five Countries');
  for (const country of countries) {
    const three = await Promise.all(
      [1, 2, 3].map((i) => t.makeClient(psp, { countryCode: country, registeredName: `Shop ${country} ${i}` })),
    );
    clients.set(country, three);
    const profile = { countryCode: country, validFrom: '2026-01-01', registered: false, scheme: 'SMALL_BUSINESS' };
    await post(`/v1/client/${three[2]?.id}/tax-profile`, profile, psp);
  }
  for (let i = 0; i < perClient; i++) {
    if (i % 10 === 9) t.advance(5 * dayMs);
    for (const country of countries) await Promise.all((clients.get(country) ?? []).map((by) => act(country, by, i)));
  }
  t.advance(60 * dayMs);
  await totalled(t);
});
afterAll(() => t?.stop());

interface Added {
  readonly rule: string;
  readonly taxable: number;
  readonly tax: number;
}

/** In cents, by rule: what the last decision of each record says, if it is approved and the money was not taken back. */
async function fromJournal(country: Country, client: Account | undefined): Promise<Added[]> {
  const rows = await t.database.admin.query<{ rule: string; taxable: string; tax: string }>(
    `WITH told AS (
       SELECT resource_id, seq, body::jsonb AS b FROM journal
       WHERE psp_id = $1 AND kind LIKE 'transaction.%' AND ($2::uuid IS NULL OR account_id = $2)
     ), last AS (SELECT DISTINCT ON (resource_id) resource_id, b FROM told ORDER BY resource_id, seq DESC),
     decided AS (
       SELECT DISTINCT ON (resource_id) resource_id, b FROM told WHERE b->'evidence' IS NOT NULL
       ORDER BY resource_id, seq DESC
     )
     SELECT x->>'rule' AS rule, round(100 * sum((x->>'taxable')::numeric))::text AS taxable,
       round(100 * sum((x->>'tax')::numeric))::text AS tax
     FROM last l JOIN decided d USING (resource_id), jsonb_array_elements(d.b->'evidence'->'tax') x
     WHERE l.b->'data'->>'countryCode' = $3 AND l.b->'data'->>'status' = 'APPROVED'
       AND (l.b->'data'->'chargeback' = 'null' OR l.b->'data'->'chargeback' ? 'reversedAt')
     GROUP BY 1`,
    [psp.uuid, client?.uuid ?? null, country],
  );
  return rows.map((r) => ({ rule: r.rule, taxable: Number(r.taxable), tax: Number(r.tax) }));
}

const ruleOf = (l: Added) => rules.get(l.rule) as Rule;
const isVat = (l: Added) => ruleOf(l).taxCode === 'VAT';
/** A client's return has its sales only: the fees are output of the PSP. */
const inReturn = (lines: readonly Added[], own: boolean) => lines.filter((l) => !own || ruleOf(l).base !== 'FEE');
const sum = (lines: readonly Added[], of: 'taxable' | 'tax', which: (r: Rule) => boolean) =>
  lines.filter((l) => which(ruleOf(l))).reduce((s, l) => s + l[of], 0);
const rated = (r: Rule) => Number(r.rate) > 0;
const rate = (percent: number) => (r: Rule) => Number(r.rate) === percent;
const because =
  (...reasons: string[]) =>
  (r: Rule) =>
    r.rate === '0' && reasons.includes(r.reason ?? '');
const whole = (cents: number) => Math.trunc(cents / 100) * 100;

type Boxes = Readonly<Record<string, number>>;
/** What the form says of its boxes, in cents, from the amounts of each rule. */
const forms: readonly { form: string; country: Country; period: string; boxes: (l: readonly Added[]) => Boxes }[] = [
  {
    form: 'NG-VAT',
    country: 'NG',
    period: '2026-11',
    boxes(all) {
      const l = all.filter(isVat);
      const [exempt, zero] = [sum(l, 'taxable', because('EXEMPT')), sum(l, 'taxable', because('ZERO_RATED'))];
      const taxed = sum(l, 'taxable', rated);
      const tax = sum(l, 'tax', rated);
      return { 20: taxed + exempt + zero, 25: exempt, 30: zero, 40: taxed, 45: tax, 80: tax, 120: tax };
    },
  },
  {
    form: 'KE-VAT',
    country: 'KE',
    period: '2026-11',
    boxes(all) {
      const l = all.filter(isVat);
      const [general, zero] = [sum(l, 'taxable', rate(16)), sum(l, 'taxable', because('ZERO_RATED'))];
      const [other, exempt] = [sum(l, 'taxable', rate(8)), sum(l, 'taxable', because('EXEMPT'))];
      const due = sum(l, 'tax', rated);
      return { 1: general, 2: other, 3: zero, 4: exempt, 5: general + other + zero + exempt, 6: due, DUE: due };
    },
  },
  {
    form: 'KE-EXCISE',
    country: 'KE',
    period: '2026-11',
    boxes(all) {
      const l = all.filter((x) => ruleOf(x).taxCode === 'EXCISE');
      const deposits = (r: Rule) => r.base === 'DEPOSIT_VALUE';
      const fees = (r: Rule) => r.base === 'FEE' && r.category === 'payment_service';
      return {
        DEPOSITS_BASE: sum(l, 'taxable', deposits),
        DEPOSITS_DUTY: sum(l, 'tax', deposits),
        FEES_DUTY: sum(l, 'tax', fees),
        DUTY: sum(l, 'tax', () => true),
      };
    },
  },
  {
    form: 'GB-VAT100',
    country: 'GB',
    period: '2026-Q4',
    boxes(all) {
      const l = all.filter(isVat);
      const due = sum(l, 'tax', rated);
      const net = sum(l, 'taxable', (r) => rated(r) || because('EXEMPT', 'ZERO_RATED', 'REVERSE_CHARGE')(r));
      return { 1: due, 3: due, 5: due, 6: whole(net) };
    },
  },
  {
    form: 'DE-USTVA',
    country: 'DE',
    period: '2026-Q4',
    boxes(all) {
      const l = all.filter(isVat);
      const due = sum(l, 'tax', rated);
      return {
        81: whole(sum(l, 'taxable', rate(19))),
        '81-Steuer': sum(l, 'tax', rate(19)),
        86: whole(sum(l, 'taxable', rate(7))),
        '86-Steuer': sum(l, 'tax', rate(7)),
        48: whole(sum(l, 'taxable', because('EXEMPT'))),
        83: due,
      };
    },
  },
  {
    form: 'ZA-VAT201',
    country: 'ZA',
    period: '2026-11/2026-12',
    boxes(all) {
      const l = all.filter(isVat);
      const due = sum(l, 'tax', rated);
      return {
        1: sum(l, 'taxable', rated) + due,
        2: sum(l, 'taxable', because('ZERO_RATED')),
        3: sum(l, 'taxable', because('EXEMPT')),
        4: due,
        20: due,
      };
    },
  },
];

async function boxesOf(form: string, period: string, client: Account | undefined): Promise<Record<string, number>> {
  const headers: Record<string, string> = client ? { 'x-client-id': client.id } : {};
  const report = await made(t, { kind: 'filing', form, period }, psp.apiKey, headers);
  expect([report.reason, report.state]).toEqual([null, 'DONE']);
  const { sections } = (await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey)).body;
  const rows = sections.find((s: { name: string }) => s.name === 'boxes').rows as { box: string; figure: string }[];
  return Object.fromEntries(rows.map((b) => [b.box, Math.round(Number(b.figure) * 100)]));
}

describe.each(forms)('$form of $period', ({ form, country, period, boxes }) => {
  it('of the PSP, with its fees and all clients, is what the journal adds up to', async () => {
    const lines = await fromJournal(country, undefined);
    const due = boxes(inReturn(lines, false));
    expect(await boxesOf(form, period, undefined)).toMatchObject(due);
    expect(Math.max(...Object.values(due))).toBeGreaterThan(0);
  });

  it.each([0, 1, 2])('of client %i is what the journal adds up to, without the fees of the PSP', async (i) => {
    const client = clients.get(country)?.[i];
    const due = boxes(inReturn(await fromJournal(country, client), true));
    expect(await boxesOf(form, period, client)).toMatchObject(due);
  });
});

it('of a small business no tax is due on its sales in any of the five', async () => {
  for (const country of countries) {
    const lines = inReturn(await fromJournal(country, clients.get(country)?.[2]), true);
    expect(sum(lines, 'tax', (r) => r.taxCode === 'VAT' && r.base === 'GROSS_INCLUSIVE')).toBe(0);
  }
});
