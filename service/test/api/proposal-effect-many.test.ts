// What a proposed rate would have done to a thousand records of several kinds, against SQL over the records themselves: of
// merchants that owe the tax and that do not, charged back, declined, and corrected since.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CountryTax } from '../../src/core/tax/rule.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { numbersOf, totalled } from '../totals/life.ts';

const rule = 'NG-VAT-STANDARD-2026';
const begins = '2027-01-01';
let t: TestApp;
let database: TestDatabase;
let psp: Account;
let staff: Account;
let other: Account;
let clients: Account[];

const file = (): CountryTax =>
  JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8')) as CountryTax;
function proposed(from = begins, to = begins): CountryTax {
  const rules = file().rules.flatMap((r) => {
    if (r.ruleId !== rule) return [r];
    const { example, ...of } = r;
    return [
      { ...r, validTo: to },
      { ...of, ruleId: `${rule}-NEXT`, rate: '10', validFrom: from },
    ];
  });
  return { ...file(), rules };
}
const post = async (path: string, body: object, by: Account, headers: Record<string, string> = {}) =>
  contentOf(await t.post(path, body, by.apiKey, headers));
const propose = (country: CountryTax, by = staff) =>
  t.post('/v1/admin/proposal', { reason: 'a new law', country }, by.apiKey);

/** Naira of the tax, as it is and as 10/110 of what was paid, of the records that stand in October. */
const inTheDatabase = async () =>
  (
    await database.admin.query<{ kind: string; records: number; now: number; later: number }>(
      `SELECT t.kind, count(*)::integer AS records, coalesce(sum(tax), 0)::float AS now,
         coalesce(sum(round((taxable + tax) * 10 / 110, 2)), 0)::float AS later
       FROM transactions t LEFT JOIN LATERAL (SELECT (l ->> 'tax')::numeric AS tax, (l ->> 'taxable')::numeric AS taxable
         FROM jsonb_array_elements(coalesce((SELECT a.tax_after::jsonb FROM adjustments a WHERE a.psp_id = t.psp_id
           AND a.transaction_id = t.id AND a.revision = t.revision ORDER BY number DESC LIMIT 1), t.evidence::jsonb -> 'tax')) l
         WHERE l ->> 'rule' = $1) s ON true
       WHERE t.country = 'NG' AND t.status = 'APPROVED' AND t.evidence::jsonb ->> 'date' BETWEEN '2026-10-01' AND '2026-10-31'
         AND NOT EXISTS (SELECT FROM chargebacks c WHERE c.transaction_id = t.id)
       GROUP BY t.kind ORDER BY t.kind`,
      [rule],
    )
  ).map((r) => ({ ...r, now: Math.round(r.now * 100), later: Math.round(r.later * 100) }));

beforeAll(async () => {
  database = await makeDatabase();
  t = await makeTestApp({ database, startAt: '2026-09-30T10:00:00Z' });
  [psp, staff, other] = [await t.makePsp(), await t.makeOperator(), await t.makeOperator()];
  clients = [await t.makeClient(psp), await t.makeClient(psp), await t.makeClient(psp)];
  const draw = numbersOf(20_261_128);
  const [, small, late] = clients as [Account, Account, Account];
  const unregistered = { countryCode: 'NG', validFrom: '2026-01-01', registered: false };
  await post(`/v1/client/${small.id}/tax-profile`, unregistered, psp);
  const codes = ['5732', '5812', '8062', '8211', '5411', '5942'];
  const record = async (i: number) => {
    const by = clients[draw(3)] as Account;
    const amount = (1 + draw(9_000_000)) / 100;
    const of = { ref: `m${i}`, currency: 'NGN', countryCode: 'NG' };
    const [kind, fate] = [draw(5), draw(12)];
    const movement = { ...of, amount, customer: { email: 'ada@example.com' } };
    if (kind === 1 && i % 2 === 0) await t.post('/v1/payment/deposit', movement, by.apiKey);
    else
      await post(
        '/v1/transaction/verifyTransaction',
        { ...of, totalAmount: amount, paymentMethods: {}, transactionFee: draw(3), mcc: codes[draw(codes.length)] },
        by,
      );
    if (fate === 0) await t.post('/v1/transaction/chargeBack', { ref: of.ref }, psp.apiKey, { 'x-client-id': by.id });
    else if (fate === 1) await t.post('/v1/transaction/declineTransaction', { ref: of.ref }, by.apiKey);
  };
  for (const [from, until] of [
    [0, 20],
    [20, 700],
    [700, 1_300],
  ] as const) {
    for (let i = from; i < until; i += 10) await Promise.all(Array.from({ length: 10 }, (_, k) => record(i + k)));
    t.advance(15 * 86_400_000);
  }
  // The third client was not registered either, which came out later: its sales are corrected.
  await post(`/v1/client/${late.id}/tax-profile`, unregistered, psp);
  const range = { countryCode: 'NG', from: '2026-10-01', to: '2026-10-31', clientId: late.id, pspId: psp.id };
  for (let after: string | null = null; ; ) {
    const done: { next: string | null } = await post(
      '/v1/correction',
      { ...range, reason: 'registered late', ...(after === null ? {} : { after }) },
      staff,
    );
    after = done.next;
    if (after === null) break;
  }
  await totalled(t);
});
afterAll(() => t?.stop());

describe('the effect of a proposal on a thousand records', () => {
  it('is what SQL says of each kind of record, to the kobo', async () => {
    const { proposalId } = contentOf(await propose(proposed()));
    const e = contentOf(await t.get(`/v1/admin/proposal/${proposalId}/effect`, staff.apiKey));
    expect([e.from, e.to, e.sampled, e.correctable, e.left]).toEqual(['2026-10-01', '2026-10-31', false, 0, 0]);
    const sums = await inTheDatabase();
    const sales = sums.find((r) => r.kind === 'verifyTransaction');
    const [line] = e.lines.filter((l: { operation: string }) => l.operation === 'verifyTransaction');
    expect(sales?.records).toBeGreaterThan(900);
    expect([line.records, Math.round(line.difference * 100)]).toEqual([
      sales?.records,
      (sales?.later ?? 0) - (sales?.now ?? 0),
    ]);
    expect(line.changed).toBeGreaterThan(40);
    expect(line.changed).toBeLessThan(line.records);
    expect(
      contentOf(await t.post(`/v1/admin/proposal/${proposalId}/reject`, { reason: 'withdrawn' }, staff.apiKey)).state,
    ).toBe('REJECTED');
    expectRefusal(await t.get(`/v1/admin/proposal/${proposalId}/effect`, staff.apiKey), 409, 'STATE_CONFLICT');
  });

  it('is of the whole month for a rate that begins within it, and says when it does; rows that overlap are refused', async () => {
    const { proposalId } = contentOf(await propose(proposed('2026-10-16', '2026-10-16')));
    const e = contentOf(await t.get(`/v1/admin/proposal/${proposalId}/effect`, staff.apiKey));
    const [sales] = (await inTheDatabase()).filter((r) => r.kind === 'verifyTransaction');
    expect([e.begins, Math.round(e.lines[0].difference * 100)]).toEqual([
      '2026-10-16',
      (sales?.later ?? 0) - (sales?.now ?? 0),
    ]);
    contentOf(await t.post(`/v1/admin/proposal/${proposalId}/reject`, { reason: 'withdrawn' }, staff.apiKey));
    expectRefusal(await propose(proposed('2026-12-01', begins)), 400, 'RATES_INVALID', /overlap/);
  });

  it('is not lost by a second proposal, nor by rates that somebody loads meanwhile', async () => {
    const both = await Promise.all([propose(proposed()), propose(proposed('2027-02-01', '2027-02-01'), other)]);
    expect(both.map((r) => r.status).sort()).toEqual([200, 409]);
    const open = contentOf(both.find((r) => r.status === 200) as (typeof both)[number]);
    const renamed = { ...file(), name: 'Nigeria, Federal Republic' };
    await post('/v1/admin/tax', { reason: 'meanwhile', country: renamed }, other);
    const by = both[0]?.status === 200 ? other : staff;
    const approved = await t.post(`/v1/admin/proposal/${open.proposalId}/approve`, {}, by.apiKey);
    expectRefusal(approved, 409, 'STATE_CONFLICT', /changed since/);
  });
});
