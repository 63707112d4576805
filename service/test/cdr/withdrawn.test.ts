// A recorded call that was wrong: corrected by another record, or withdrawn, by REST and by file. What counts afterwards
// is what would have been counted if only the right records had ever been sent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { forgetAnalyses } from '../../src/modules/telecom/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { analysed, everything, wrongTotals } from '../support/cdr-analysis.ts';
import { type CdrRow, cdrRow, cdrText, dataDirOf, drop, status } from '../support/cdr-files.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete } from '../support/journal.ts';

let t: TestApp;
let psp: Account;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Operators', 'UG');
});
afterAll(() => t.stop());

const operator = () => t.makeClient(psp, { countryCode: 'UG', registrationNumber: `UG-${++made}` });
let made = 0;

const row = (n: number | string, over: CdrRow = {}): CdrRow =>
  cdrRow(n, {
    caller_number: '+256771000001',
    receiver_number: '+256701000002',
    network_provider: 'MTN Uganda',
    billing_information_currency: 'UGX',
    billing_information_call_cost: '100',
    ...over,
  });
const body = (r: CdrRow) => {
  const { billing_information_call_cost: cost, billing_information_currency: currency, ...rest } = r;
  const call_duration_seconds = Number(r.call_duration_seconds);
  return { ...rest, call_duration_seconds, billing_information: { call_cost: Number(cost), currency } };
};
const october = { call_start_time: '2026-10-20T09:00:00Z', call_end_time: '2026-10-20T09:02:00Z' };

const send = async (of: Account, r: CdrRow) =>
  contentOf(await t.post('/v1/telecom/recordCDR', body(r), of.apiKey)).cdrId as string;
const correct = (of: Account, id: string, r: CdrRow, reason = 'wrong tariff') =>
  t.post(`/v1/telecom/cdr/${id}/correct`, { reason, record: body(r) }, of.apiKey);
const withdraw = (of: Account, id: string) =>
  t.post(`/v1/telecom/cdr/${id}/withdraw`, { reason: 'a test call' }, of.apiKey);
async function takeIn(of: Account, name: string, text: string) {
  t.advance(1000);
  drop(dataDirOf(t), of, name, text);
  await t.app.services.cdrIntake.pickUp();
  return status(dataDirOf(t), of, name);
}
/** Figures by month, class and tax, without what names the account. */
async function figures(of: Account) {
  await analysed(t, psp);
  const { items } = contentOf(await t.get('/v1/telecom/analysis?limit=200', of.apiKey));
  return items;
}
// biome-ignore lint/suspicious/noExplicitAny: figures as they are shown
const sums = (items: any[]) => {
  const total: Record<string, number> = {};
  const add = (name: string, n: number) => {
    total[name] = Math.round(((total[name] ?? 0) + n) * 1e6) / 1e6;
  };
  for (const i of items) {
    for (const sum of ['records', 'answered', 'seconds', 'cost', 'tax'] as const) add(`${i.class} ${sum}`, i[sum]);
    for (const x of i.taxes) add(`${i.class} ${x.ruleId}`, x.tax);
  }
  return total;
};

describe('a recorded call', () => {
  it('is corrected by another record with its cdr_id: the first stays as it was, and counts no more', async () => {
    const of = await operator();
    const first = await send(of, row(1));
    const read = contentOf(await t.get(`/v1/telecom/cdr/${first}`, of.apiKey));
    const done = contentOf(await correct(of, first, row(1, { billing_information_call_cost: '60' })));
    expect(done).toMatchObject({ status: 'RECORDED' });
    expect(contentOf(await t.get(`/v1/telecom/cdr/${first}`, of.apiKey))).toEqual({
      ...read,
      withdrawal: { withdrawnAt: expect.any(String), reason: 'wrong tariff', supersededBy: done.cdrId },
    });
    const [only, ...others] = await figures(of);
    expect([only.records, only.cost, others]).toEqual([1, 60, []]);
    expect(contentOf(await t.get(only.open, of.apiKey)).items.map((i: { cdrId: string }) => i.cdrId)).toEqual([
      done.cdrId,
    ]);
    // The same correction again, and the first record again.
    expect(contentOf(await correct(of, first, row(1, { billing_information_call_cost: '60' })))).toMatchObject({
      status: 'DUPLICATE',
      cdrId: done.cdrId,
    });
    expectRefusal(await t.post('/v1/telecom/recordCDR', body(row(1)), of.apiKey), 409, 'REF_CONFLICT');
    expectRefusal(await correct(of, first, row(1, { billing_information_call_cost: '61' })), 409, 'STATE_CONFLICT');
    expectRefusal(await correct(of, done.cdrId, row(2)), 400, 'FIELD_INVALID', /CDR-1/);
    const again = contentOf(await correct(of, done.cdrId, row(1, { billing_information_call_cost: '61' })));
    expect((await figures(of)).map((i: { cost: number }) => i.cost)).toEqual([61]);
    expect(again.cdrId).not.toBe(done.cdrId);
  });

  it('is withdrawn once, and is recorded anew by a correction alone', async () => {
    const of = await operator();
    const id = await send(of, row(1));
    expect(contentOf(await withdraw(of, id))).toEqual({ cdrId: id, status: 'WITHDRAWN' });
    expect(contentOf(await withdraw(of, id))).toEqual({ cdrId: id, status: 'WITHDRAWN' });
    expect(await figures(of)).toEqual([]);
    const refused = await t.post('/v1/telecom/recordCDR', body(row(1)), of.apiKey);
    expectRefusal(refused, 409, 'REF_CONFLICT', new RegExp(`withdrawn.*${id}`));
    const told = await takeIn(of, 'again.csv', cdrText(row(1)));
    expect([told.state, told.errors[0].code, told.errors[0].message]).toEqual([
      'REJECTED',
      'CDR_ID_CONFLICT',
      expect.stringContaining('#CORRECTION'),
    ]);
    const anew = contentOf(await correct(of, id, row(1)));
    expect((await figures(of)).map((i: { records: number }) => i.records)).toEqual([1]);
    expect(contentOf(await t.get(`/v1/telecom/cdr/${anew.cdrId}`, of.apiKey)).withdrawal).toBeUndefined();
    expectRefusal(await withdraw(of, id), 409, 'STATE_CONFLICT', new RegExp(anew.cdrId));
  });

  it('of another account is not found', async () => {
    const [of, other] = [await operator(), await operator()];
    const id = await send(of, row(1));
    for (const answer of [await withdraw(other, id), await correct(other, id, row(1))])
      expectRefusal(answer, 404, 'NOT_FOUND');
  });

  it('of a closed month is taken off in the next: the month stays, and the list of the next has it', async () => {
    const of = await operator();
    const id = await send(of, row(1, october));
    await figures(of);
    contentOf(await t.post('/v1/telecom/period/close', { period: '2026-10' }, of.apiKey));
    contentOf(await correct(of, id, row(1, { ...october, billing_information_call_cost: '60' })));
    const items = await figures(of);
    const [late, closed] = items;
    expect([closed.period, closed.records, closed.cost]).toEqual(['2026-10', 1, 100]);
    expect([late.period, late.callPeriod, late.records, late.cost]).toEqual(['2026-11', '2026-10', 0, -40]);
    const listed = async (open: string) =>
      contentOf(await t.get(open, of.apiKey)).items.map((i: { cdrId: string; cost: number }) => [
        i.cdrId === id,
        i.cost,
      ]);
    expect(await listed(closed.open)).toEqual([[true, 100]]);
    expect(await listed(late.open)).toEqual([
      [false, 60],
      [true, -100],
    ]);
    expect(sums(items)).toMatchObject({ 'OFFNET cost': 60, 'OFFNET records': 1 });
  });
});

describe('a file', () => {
  it('that begins with #CORRECTION takes the place of what is on record, and of nothing else', async () => {
    const of = await operator();
    await takeIn(of, 'first.csv', cdrText(row(1), row(2), row(3)));
    const right = row(2, { billing_information_call_cost: '60' });
    const told = await takeIn(
      of,
      'second.csv',
      `#CORRECTION,"tariff of May, not of June"\n${cdrText(row(1), right, row(4), row(2))}`,
    );
    expect(told.counts).toEqual({ total: 4, accepted: 2, corrected: 1, duplicate: 1, rejected: 1, warned: 0 });
    expect(told.errors).toMatchObject([{ line: 6, code: 'CDR_ID_CONFLICT' }]);
    const rejected = await t.get(`/v1/telecom/file/${told.fileId}/rejected.csv`, of.apiKey);
    expect(rejected.text.split('\r\n').slice(0, 2)).toEqual([
      '#CORRECTION,"tariff of May, not of June"',
      cdrText().trim(),
    ]);
    expect(sums(await figures(of))).toMatchObject({ 'OFFNET records': 4, 'OFFNET cost': 360 });
    const { items } = contentOf(await t.get('/v1/telecom/cdr?limit=100', of.apiKey));
    // biome-ignore lint/suspicious/noExplicitAny: records as they are shown
    const second = items.filter((i: any) => i.record.cdr_id === 'CDR-2');
    // biome-ignore lint/suspicious/noExplicitAny: records as they are shown
    expect(second.map((i: any) => [i.record.billing_information.call_cost, i.withdrawal?.reason])).toEqual([
      [60, undefined],
      [100, 'tariff of May, not of June'],
    ]);
    expect(second[1].withdrawal.supersededBy).toBe(second[0].cdrId);
  });

  it('that marks a correction without a reason is kept out whole', async () => {
    const of = await operator();
    for (const mark of ['#CORRECTION', '#correction,', '#CORRECTION,a,b']) {
      const told = await takeIn(of, `${mark.length}.csv`, `${mark}\n${cdrText(row(1))}`);
      expect([told.state, told.errors[0].code]).toEqual(['REJECTED', 'CORRECTION_MALFORMED']);
    }
  });

  it('is withdrawn with all its records, once, and not while it is read', async () => {
    const of = await operator();
    const rows = Array.from({ length: 1500 }, (_, i) => row(i));
    const { fileId } = await takeIn(of, 'all.csv', cdrText(...rows));
    await takeIn(of, 'other.csv', cdrText(row(0), row('x')));
    contentOf(await correct(of, await idOf(of, 'CDR-7'), row(7, { billing_information_call_cost: '1' })));
    const all = async () => {
      let withdrawn = 0;
      for (let after: number | null = 0; after !== null; ) {
        const done = contentOf(
          await t.post(`/v1/telecom/file/${fileId}/withdraw`, { reason: 'rated wrongly', after }, of.apiKey),
        );
        withdrawn += done.withdrawn;
        after = done.next;
      }
      return withdrawn;
    };
    expect(await all()).toBe(1499);
    expect(await all()).toBe(0);
    expect(contentOf(await t.get(`/v1/telecom/file/${fileId}`, of.apiKey)).counts.withdrawn).toBe(1499);
    expect(status(dataDirOf(t), of, 'all.csv').counts).toMatchObject({ accepted: 1500, withdrawn: 1499 });
    expect(sums(await figures(of))).toMatchObject({ 'OFFNET records': 2, 'OFFNET cost': 101 });
  });

  it('is withdrawn once by several at once, beside corrections of its records', async () => {
    const of = await operator();
    const { fileId } = await takeIn(of, 'at-once.csv', cdrText(...Array.from({ length: 900 }, (_, i) => row(i))));
    const ids = await Promise.all(Array.from({ length: 8 }, (_, i) => idOf(of, `CDR-${i * 100}`)));
    const done = await Promise.all([
      ...Array.from({ length: 6 }, () =>
        t.post(`/v1/telecom/file/${fileId}/withdraw`, { reason: 'rated wrongly' }, of.apiKey),
      ),
      ...ids.map((id, i) => correct(of, id, row(i * 100, { billing_information_call_cost: '1' }))),
    ]);
    expect(done.map((d) => d.status).filter((s) => s >= 400)).toEqual([]);
    const withdrawn = done.slice(0, 6).reduce((sum, d) => sum + contentOf(d).withdrawn, 0);
    expect(contentOf(await t.get(`/v1/telecom/file/${fileId}`, of.apiKey)).counts.withdrawn).toBe(withdrawn);
    expect(sums(await figures(of))).toMatchObject({ 'OFFNET records': 8, 'OFFNET cost': 8 });
  });
});

/** The record in force of an operator's id. */
async function idOf(of: Account, cdrId: string): Promise<string> {
  const [r] = await t.database.admin.query(
    "SELECT target_id FROM refs WHERE space = 'cdr' AND account_id = $1 AND ref = $2",
    [of.uuid, cdrId],
  );
  return toWire('cdr', r?.target_id as string);
}

describe('a thousand calls, corrected and withdrawn by all doors over a closed month', () => {
  it('count as if only the right ones had been sent, also after a rebuild', async () => {
    const [of, plain] = [await operator(), await operator()];
    let seed = 7;
    const draw = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
    const kinds = ['VOICE', 'SMS', 'DATA'];
    const some = (n: number): CdrRow =>
      row(n, {
        ...(draw(2) ? october : {}),
        call_type: kinds[draw(3)] as string,
        call_status: draw(4) ? 'COMPLETED' : 'NO_ANSWER',
        billing_information_call_cost: `${draw(5000)}.${draw(100)}`,
      });
    const final = new Map<number, CdrRow>();
    const first = Array.from({ length: 1000 }, (_, i) => some(i));
    for (const [i, r] of first.entries()) final.set(i, r);
    const { fileId } = await takeIn(of, 'a.csv', cdrText(...first.slice(0, 400)));
    await takeIn(of, 'b.csv', cdrText(...first.slice(400)));
    await figures(of);
    const corrected = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => {
        const r = some(from + i);
        final.set(from + i, r);
        return r;
      });
    await takeIn(of, 'c.csv', `#CORRECTION,first\n${cdrText(...corrected(300, 600))}`);
    await figures(of);
    for (const [account] of [[of], [plain]] as const)
      contentOf(await t.post('/v1/telecom/period/close', { period: '2026-10' }, account.apiKey));
    await takeIn(of, 'd.csv', `#CORRECTION,second\n${cdrText(...corrected(500, 800))}`);
    let after: number | null = 0;
    while (after !== null)
      after = contentOf(
        await t.post(`/v1/telecom/file/${fileId}/withdraw`, { reason: 'rated wrongly', after }, of.apiKey),
      ).next;
    for (let i = 0; i < 300; i++) final.delete(i);
    const anew = [5, 6, 7].map((n) => [n, some(n)] as const);
    for (const [n, r] of anew) final.set(n, r);
    await takeIn(of, 'e.csv', `#CORRECTION,third\n${cdrText(...anew.map(([, r]) => r))}`);
    await takeIn(plain, 'right.csv', cdrText(...final.values()));
    const counted = sums(await figures(of));
    expect(Object.fromEntries(Object.entries(counted).filter(([, n]) => n !== 0))).toEqual(
      Object.fromEntries(Object.entries(sums(await figures(plain))).filter(([, n]) => n !== 0)),
    );
    expect(await wrongTotals(t.database)).toEqual([]);
    await expectJournalComplete(t);
    const before = await everything(t.database);
    await forgetAnalyses(t.app.services.db, psp.uuid);
    await analysed(t, psp);
    expect(await everything(t.database)).toEqual(before);
  });
});
