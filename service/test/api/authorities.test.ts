// Authorities: whoever signs in for one sees what concerns its country, kinds, taxes and days, over all PSPs, until a day, and
// nothing else; writes nothing; and each read is in the journal. Held against SQL over a thousand records of two countries.
import { createHash } from 'node:crypto';
import { verifyReceipt } from '@assay/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { toWire } from '../../src/core/ids.ts';
import { audit } from '../../src/modules/audit/index.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed } from '../support/audit.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { contentOf, expectRefusal, setStanding } from '../support/guarantees.ts';
import { expectJournalComplete, rowCount, told, uuidOf } from '../support/journal.ts';
import { enter, invite, type Person, type SignedIn, trySignIn } from '../support/people.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;

let t: TestApp;
let staff: Account;
let first: Account;
let second: Account;
let shop: Account;
/** A wager is of the country of who takes it. */
let bookmakers: Readonly<Record<'NG' | 'KE', Account>>;
let testKey: string;
/** Somebody of the tax authority of Nigeria, and of that of Kenya for excise alone. */
let nigeria: SignedIn & Person;
let excise: SignedIn & Person;
let nigeriaId: string;

const customer = { email: 'ada@example.com' };
const perKind = 130;
const inCountry = {
  NG: { currency: 'NGN', countryCode: 'NG' },
  KE: { currency: 'KES', countryCode: 'KE' },
} as const;
const asked = (over: Record<string, unknown> = {}) => ({
  name: 'Revenue Authority',
  countryCode: 'NG',
  dayFrom: '2026-01-01',
  until: '2027-12-31T00:00:00Z',
  reason: 'audit of 2026',
  ...over,
});
const path = '/v1/admin/authority';
const letIn = async (over: Record<string, unknown> = {}): Promise<Account> => {
  const { authorityId } = contentOf(await t.post(path, asked(over), staff.apiKey));
  return { id: authorityId, uuid: uuidOf(authorityId), apiKey: '', secret: '' };
};
const somebodyOf = async (over: Record<string, unknown> = {}) => enter(t, await letIn(over), 'auditor');
const codeOf = (r: Answer) => [r.status, r.headers.get('x-error-code')];

/** Records through the interface: of both countries, by clients of both PSPs, in four requests at a time. */
async function thousandRecords(): Promise<void> {
  const calls: (() => Promise<Answer>)[] = [];
  for (const c of ['NG', 'KE'] as const)
    for (let i = 0; i < perKind; i++) {
      const place = inCountry[c];
      const { currency } = place;
      const bookmaker = bookmakers[c];
      const ref = (kind: string) => `${kind}-${c}-${i}`;
      const sale = { ...place, totalAmount: 100 + i, paymentMethods: { card: 100 + i }, transactionFee: 1 };
      calls.push(() => t.post('/v1/transaction/verifyTransaction', { ...sale, ref: ref('a') }, shop.apiKey));
      calls.push(() => t.post('/v1/transaction/verifyTransaction', { ...sale, ref: ref('b') }, second.apiKey));
      const bet = { ref: ref('bet'), amount: 10, customer, ip: '102.0.2.44', type: 'sports', currency };
      calls.push(async () => {
        const wager = await t.post('/captureWager', bet, bookmaker.apiKey);
        const payout = { amount: 12, ref: ref('win'), customer, wagerReference: bet.ref };
        return wager.status === 200 ? t.post('/capturePayout', payout, bookmaker.apiKey) : wager;
      });
    }
  for (let i = 0; i < calls.length; i += 4)
    for (const r of await Promise.all(calls.slice(i, i + 4).map((call) => call())))
      if (r.status !== 200) throw new Error(r.text);
}

beforeAll(async () => {
  t = await makeTestApp();
  staff = await t.makeOperator();
  first = await t.makePsp('First Pay', 'NG');
  second = await t.makePsp('Second Pay', 'KE');
  shop = await t.makeClient(first, { registeredName: 'Kenyan Shop' });
  const taking = (countryCode: string) =>
    t.makeClient(second, { classification: 'IGAMING_LOCAL', registeredName: `Bookmaker ${countryCode}`, countryCode });
  bookmakers = { NG: await taking('NG'), KE: await taking('KE') };
  await thousandRecords();
  const paid = { ref: 'moved', totalAmount: 1000, ...inCountry.KE, customer, transactionFee: 5 };
  contentOf(await t.post('/v1/payment/deposit', paid, shop.apiKey));
  testKey = contentOf(
    await t.post(`/v1/admin/account/${first.id}/key`, { name: 'x', mode: 'test' }, staff.apiKey),
  ).apiKey;
  const tried = { totalAmount: 5, paymentMethods: { card: 5 }, transactionFee: 0, ...inCountry.NG, ref: 'tried' };
  contentOf(await t.post('/v1/transaction/verifyTransaction', tried, testKey));
  const authority = await letIn();
  nigeriaId = authority.id;
  nigeria = await enter(t, authority, 'auditor');
  excise = await somebodyOf({ countryCode: 'KE', taxCodes: ['EXCISE'], name: 'Excise Office' });
  await totalled(t);
});
afterAll(() => t?.stop());

const keyed = operations.filter((o) => o.access === undefined);
const theirs = keyed.filter((o) => o.audience.includes('authority'));
const nowhere = (o: Operation) => o.path.replace(/:[A-Za-z]+/g, 'nothing');
const send = (o: Operation, who: Pick<SignedIn, 'get' | 'post'>, headers: Record<string, string> = {}) =>
  o.method === 'GET' ? who.get(nowhere(o), headers) : who.post(nowhere(o), [], headers);

describe('what somebody of an authority may call', () => {
  it.each(keyed.map((o) => [o.id, o] as const))('%s: only what is for authorities', async (_id, o) => {
    const answer = await send(o, nigeria);
    if (theirs.includes(o)) expect(answer.headers.get('x-error-code')).not.toBe('AUDIENCE');
    else expect(codeOf(answer)).toEqual([403, 'AUDIENCE']);
  });

  it('is for reading alone, and about no people, keys, clients, reviews, cases, lists or the journal', () => {
    expect(theirs.map((o) => o.method)).toEqual(theirs.map(() => 'GET'));
    expect(theirs.map((o) => o.id).sort()).toEqual([
      ...['getAuthorityBasket', 'getAuthorityCall', 'getAuthorityReceipt', 'getAuthorityRecord', 'getReport'],
      ...['getReportCsv', 'getReportJson', 'getReportPage', 'getReportXlsx', 'getReportXml', 'listAuthorityCallTotals'],
      ...['listAuthorityCalls', 'listAuthorityPsps', 'listAuthorityRecords', 'listAuthoritySample'],
      ...['listAuthorityTotals', 'listFilings'],
    ]);
  });

  it('leaves the sign-in to them', async () => {
    expect(contentOf(await nigeria.get('/v1/session')).account).toEqual({
      kind: 'authority',
      accountId: nigeriaId,
      name: 'Revenue Authority',
      view: {
        ...{ countryCode: 'NG', taxCodes: null, recordKinds: ['transaction', 'wager', 'payout'] },
        ...{ dayFrom: '2026-01-01', dayTo: null, until: '2027-12-31T00:00:00.000Z' },
      },
    });
    expect((await nigeria.get('/v1/session/second-factor')).status).toBe(200);
  });

  it('makes nobody a PSP by a header, and names no authority', async () => {
    for (const id of [first.id, second.id])
      expectRefusal(await nigeria.get('/v1/authority/record', { 'x-psp-id': id }), 403, 'AUDIENCE');
    const { authorityId } = contentOf(await t.post(path, asked({ countryCode: 'KE' }), staff.apiKey));
    expectRefusal(await nigeria.get(`/v1/authority/record?authorityId=${authorityId}`), 400, 'QUERY_INVALID');
    expectRefusal(await t.get('/v1/authority/record', staff.apiKey), 400, 'QUERY_INVALID');
    for (const key of [first.apiKey, shop.apiKey])
      expectRefusal(await t.get('/v1/authority/record', key), 403, 'AUDIENCE');
  });
});

describe('the records of a thousand', () => {
  const expectedIds = async (where: string): Promise<Set<string>> => {
    const live = "psp_id IN (SELECT id FROM accounts WHERE kind = 'psp' AND test_of IS NULL)";
    const rows = await t.database.admin.query<{ id: string }>(
      ['transactions', 'wagers', 'payouts']
        .map((x) => `SELECT id FROM ${x} WHERE ${live} AND ${where}`)
        .join(' UNION ALL '),
    );
    return new Set(rows.map((r) => r.id));
  };
  async function all(who: Pick<SignedIn, 'get'>, query = ''): Promise<Shown[]> {
    const items: Shown[] = [];
    for (let cursor = ''; ; ) {
      const c = contentOf(await who.get(`/v1/authority/record?limit=200${query}${cursor}`));
      items.push(...c.items);
      if (c.nextCursor === null) return items;
      cursor = `&cursor=${c.nextCursor}`;
    }
  }
  const uuids = (items: readonly Shown[]) => new Set(items.map((i) => uuidOf(i.recordId)));

  it('are all of the country in the list, over all PSPs, newest first, and none besides', async () => {
    const items = await all(nigeria);
    const expected = await expectedIds("country = 'NG'");
    expect(items.length).toBe(4 * perKind);
    expect(uuids(items)).toEqual(expected);
    expect(new Set(items.map((i) => i.countryCode))).toEqual(new Set(['NG']));
    expect(new Set(items.map((i) => i.pspName))).toEqual(new Set(['First Pay', 'Second Pay']));
    const ids = items.map((i) => uuidOf(i.recordId));
    expect(ids).toEqual([...ids].sort().reverse());
    expect(items.find((i) => i.ref === 'a-NG-0')).toMatchObject({
      clientName: 'Kenyan Shop',
      amount: 100,
      status: 'APPROVED',
    });
  });

  it('are counted, filed and filtered alike', async () => {
    const { total } = contentOf(await nigeria.get('/v1/authority/record?limit=1&count=true'));
    expect(total).toEqual({ rows: 4 * perKind, more: false });
    const { text } = await nigeria.get('/v1/authority/record', { accept: 'text/csv' });
    expect(text.match(/\n(txn|wgr|pyt)_/g)?.length).toBe(4 * perKind);
    expect(text).not.toMatch(/-KE-|,KE,|KES/);
    for (const [query, where] of [
      ['&type=wager', "country = 'NG' AND false"],
      [`&pspId=${first.id}`, `country = 'NG' AND psp_id = '${first.uuid}'`],
      [`&clientId=${bookmakers.KE.id}`, 'false'],
      [`&clientId=${bookmakers.NG.id}`, `country = 'NG' AND account_id = '${bookmakers.NG.uuid}'`],
      ['&ref=a-NG-7', "country = 'NG' AND ref = 'a-NG-7'"],
      ['&amountFrom=150&amountTo=160', "country = 'NG' AND amount BETWEEN 150 AND 160"],
      ['&currency=KES', 'false'],
      ['&ref=a-KE-7', 'false'],
      ['&dayFrom=2020-01-01&dayTo=2025-12-31', 'false'],
    ] as const) {
      const expected =
        query === '&type=wager'
          ? new Set(
              (await t.database.admin.query("SELECT id FROM wagers WHERE country = 'NG'")).map((r) => r.id as string),
            )
          : await expectedIds(where);
      expect([query, uuids(await all(nigeria, query))]).toEqual([query, expected]);
    }
    expectRefusal(await nigeria.get('/v1/authority/record?pspId=x'), 404, 'NOT_FOUND');
    // Whose there are, and have nothing of its country, it is not told.
    const abroad = await t.makePsp('Abroad', 'KE');
    const none = toWire('psp', t.app.services.ids.next());
    for (const path of ['record', 'sample', 'total', 'cdr/total'])
      for (const id of [staff.id, abroad.id, none]) {
        const r = await nigeria.get(`/v1/authority/${path}?pspId=${id}`);
        expect([path, r.status, contentOf(r).items]).toEqual([path, 200, []]);
      }
  });

  it('are only those of its taxes, and show no other tax', async () => {
    const items = await all(excise);
    const expected = await expectedIds(`country = 'KE' AND evidence LIKE '%EXCISE%'`);
    expect(expected.size).toBeGreaterThan(0);
    expect(uuids(items)).toEqual(expected);
    expect(items.map((i) => i.ref)).toContain('moved');
    // Winnings bear another tax.
    expect(items.some((i) => i.type === 'payout')).toBe(false);
    expect(items.find((i) => i.ref === 'a-KE-0').taxes.length).toBe(1);
    expect(new Set(items.flatMap((i) => i.taxes.map((x: Shown) => x.taxCode)))).toEqual(new Set(['EXCISE']));
    expect(await all(excise, '&taxCode=VAT')).toEqual([]);
  });

  it('say what each tax is on, so that two of one code are told apart', async () => {
    const items = await all(nigeria);
    const sales = items.filter((i) => i.operation === 'verifyTransaction');
    expect(sales.length).toBeGreaterThan(0);
    for (const i of sales) {
      const vat = i.taxes.filter((x: Shown) => x.taxCode === 'VAT').map((x: Shown) => [x.base, x.owedBy]);
      expect(vat).toEqual([
        ['GROSS_INCLUSIVE', null],
        ['FEE', null],
      ]);
    }
  });

  it('are only those of its kinds and days', async () => {
    const gaming = await somebodyOf({ recordKinds: ['wager', 'payout'], countryCode: 'KE' });
    expect(new Set((await all(gaming)).map((i) => i.type))).toEqual(new Set(['wager', 'payout']));
    expect(await all(gaming, '&type=transaction')).toEqual([]);
    const past = await somebodyOf({ dayFrom: '2026-01-01', dayTo: '2026-10-31' });
    expect(await all(past)).toEqual([]);
    expect(await all(past, '&dayFrom=2026-11-01&dayTo=2026-12-31')).toEqual([]);
    expect(contentOf(await past.get('/v1/authority/total')).items).toEqual([]);
    expect(contentOf(await past.get('/v1/authority/psp')).items).toEqual([]);
  });

  it('are found one by one only where they are in the list', async () => {
    const [own] = await all(nigeria, '&ref=a-NG-3');
    expect(contentOf(await nigeria.get(`/v1/authority/record/${own.recordId}`))).toEqual(own);
    for (const where of ["ref = 'a-KE-3'", "ref = 'tried'"]) {
      const [r] = await t.database.admin.query<{ id: string }>(`SELECT id FROM transactions WHERE ${where}`);
      const id = toWire('transaction', r?.id as string);
      for (const end of ['', '/receipt'])
        expectRefusal(await nigeria.get(`/v1/authority/record/${id}${end}`), 404, 'NOT_FOUND');
    }
  });

  it('name no person', async () => {
    for (const who of [nigeria, excise])
      for (const accept of ['application/json', 'text/csv'])
        expect((await who.get('/v1/authority/record', { accept })).text).not.toContain('ada@example.com');
  });

  it('are added up as SQL adds them', async () => {
    const { items } = contentOf(await nigeria.get('/v1/authority/total'));
    expect(new Set(items.map((i: Shown) => i.currency))).toEqual(new Set(['NGN']));
    const vat = items.filter((i: Shown) => i.taxCode === 'VAT' && i.clientId === shop.id);
    const [sum] = await t.database.admin.query<{ n: number; taxable: string; tax: string }>(
      `SELECT count(*)::int AS n, sum((l->>'taxable')::numeric)::text AS taxable, sum((l->>'tax')::numeric)::text AS tax
       FROM transactions t, jsonb_array_elements(t.evidence::jsonb->'tax') l
       WHERE t.country = 'NG' AND t.account_id = $1 AND l->>'rule' LIKE 'NG-VAT%'`,
      [shop.uuid],
    );
    const added = (name: string) => vat.reduce((a: number, i: Shown) => a + Math.round(i[name] * 100), 0);
    expect([added('taxable'), added('tax')]).toEqual([
      Math.round(Number(sum?.taxable) * 100),
      Math.round(Number(sum?.tax) * 100),
    ]);
    // A sale counts for the tax on its price and for that on its fees.
    expect(vat.reduce((a: number, i: Shown) => a + i.count, 0)).toBe(sum?.n);
    expect(contentOf(await excise.get('/v1/authority/total?taxCode=VAT')).items).toEqual([]);
    const psps = contentOf(await nigeria.get('/v1/authority/psp')).items;
    expect(psps.map((p: Shown) => [p.name, p.records]).sort()).toEqual([
      ['First Pay', perKind],
      ['Second Pay', 3 * perKind],
    ]);
  });
});

describe('a sample', () => {
  const sample = async (query: string): Promise<Shown> => contentOf(await nigeria.get(`/v1/authority/sample${query}`));

  it('is drawn by the seed alone, as anybody can check from the list', async () => {
    const { items, seed } = await sample('?seed=ours');
    expect([items.length, seed]).toEqual([50, 'ours']);
    const rows = await t.database.admin.query<{ id: string }>(
      ['transactions', 'wagers', 'payouts']
        .map((x) => `SELECT id FROM ${x} WHERE country = 'NG' AND psp_id = ANY ($1)`)
        .join(' UNION ALL '),
      [[first.uuid, second.uuid]],
    );
    const hash = (id: string) => createHash('sha256').update(`ours:${id}`).digest('hex');
    const expected = rows.map((r) => r.id).sort((a, b) => (hash(a) < hash(b) ? -1 : 1));
    expect(items.map((i: Shown) => uuidOf(i.recordId))).toEqual(expected.slice(0, 50));
    const other = await sample('?size=200');
    expect(other.seed).not.toBe((await sample('?size=1')).seed);
    expect(other.items.length).toBe(200);
    expect(new Set(other.items.map((i: Shown) => i.countryCode))).toEqual(new Set(['NG']));
  });

  it('has receipts that hold without the service', async () => {
    await allSealed(t);
    const keys = new Map<string, string>(
      contentOf(await nigeria.get('/v1/authority/psp')).items.map((p: Shown) => [p.pspId, p.key]),
    );
    const { items } = await sample('?seed=ours&size=20');
    for (const i of items) {
      const receipt = contentOf(await nigeria.get(`/v1/authority/record/${i.recordId}/receipt`));
      const { entries } = await verifyReceipt(receipt, keys.get(i.pspId) as string);
      expect(entries.at(-1)?.body).toContain(i.recordId);
      // The key of another log proves nothing.
      const wrong = [...keys].find(([psp]) => psp !== i.pspId)?.[1] as string;
      await expect(verifyReceipt(receipt, wrong)).rejects.toThrow();
    }
  });
});

describe('filed returns', () => {
  const file = async (of: Account, form: string, period: string): Promise<string> => {
    const { reportId } = await made(t, { kind: 'filing', form, period }, of.apiKey);
    const filed = { reference: `${form} ${period}`, filedOn: '2026-11-20' };
    contentOf(await t.post(`/v1/report/${reportId}/filed`, filed, of.apiKey));
    return reportId;
  };

  it('are those of its country, taxes and days, with their documents, and no others', async () => {
    const own = await file(first, 'NG-VAT', '2026-10');
    const winnings = await file(second, 'NG-WHT-WINNINGS', '2026-10');
    const foreign = await file(second, 'KE-VAT', '2026-10');
    const { reportId: unfiled } = await made(t, { kind: 'filing', form: 'NG-VAT', period: '2026-09' }, first.apiKey);
    const listed = async (who: Pick<SignedIn, 'get'>, query = '') =>
      contentOf(await who.get(`/v1/filings${query}`)).items.map((f: Shown) => f.reportId);
    expect(await listed(nigeria)).toEqual([winnings, own]);
    const { items } = contentOf(await nigeria.get('/v1/filings'));
    expect(items.map((f: Shown) => f.clientName)).toEqual(['Second Pay', 'First Pay']);
    expect(await listed(nigeria, '?countryCode=KE')).toEqual([]);
    const vat = await somebodyOf({ taxCodes: ['VAT'] });
    expect(await listed(vat)).toEqual([own]);
    expect(await listed(await somebodyOf({ dayFrom: '2026-10-02' }))).toEqual([]);
    expect(await listed(excise)).toEqual([]);
    for (const end of ['', '/json', '/page', '/xlsx', '/csv?section=boxes'])
      expect([end, (await vat.get(`/v1/report/${own}${end}`)).status]).toEqual([end, 200]);
    expect(contentOf(await vat.get(`/v1/report/${own}`)).revisions.map((r: Shown) => r.reportId)).toEqual([own]);
    for (const [who, id] of [
      [vat, winnings],
      [nigeria, foreign],
      [nigeria, unfiled],
      [excise, own],
    ] as const)
      for (const end of ['', '/json', '/page', '/xlsx', '/csv?section=boxes'])
        expectRefusal(await who.get(`/v1/report/${id}${end}`), 404, 'NOT_FOUND');
  });
});

describe('calls', () => {
  const caller = '+256771000001';
  const receiver = '+256701000002';
  const kinds = { recordKinds: ['transaction', 'cdr'], countryCode: 'UG', name: 'Communications Authority' };
  let operatorsOf: readonly Account[];
  const telecoms: Account[] = [];
  let n = 0;
  const call = async (by: Account, over: Record<string, unknown> = {}): Promise<void> => {
    const sent = {
      ...{ cdr_id: `C-${++n}`, caller_number: caller, receiver_number: receiver, call_type: 'VOICE' },
      ...{ call_start_time: '2026-11-20T10:00:00Z', call_end_time: '2026-11-20T10:01:30Z', call_duration_seconds: 90 },
      ...{ network_provider: 'MTN Uganda', billing_information: { call_cost: 100, currency: 'UGX' } },
      ...over,
    };
    contentOf(await t.post('/v1/telecom/recordCDR', sent, by.apiKey));
  };
  const october = { call_start_time: '2026-10-20T10:00:00Z', call_end_time: '2026-10-20T10:01:30Z' };
  const inward = { caller_number: '+447400123456', billing_information: { call_cost: 0, currency: 'UGX' } };
  const totalsOf = async (who: Pick<SignedIn, 'get'>, query = '') =>
    contentOf(await who.get(`/v1/authority/cdr/total${query}`)).items as Shown[];
  const callsPath = (l: Shown) => `/v1/authority/cdr?pspId=${l.pspId}&clientId=${l.clientId}&period=${l.period}`;
  let regulator: SignedIn & Person;

  beforeAll(async () => {
    operatorsOf = [await t.makePsp('Carriers One', 'UG'), await t.makePsp('Carriers Two', 'UG')];
    for (const [i, psp] of operatorsOf.entries())
      for (const countryCode of ['UG', 'KE'])
        telecoms.push(await t.makeClient(psp, { countryCode, registeredName: `Telecom ${countryCode} ${i}` }));
    for (const by of telecoms)
      for (const over of [{}, {}, inward, { call_type: 'SMS', call_duration_seconds: 90 }, october])
        await call(by, over);
    for (const psp of operatorsOf) await analysed(t, psp);
    regulator = await somebodyOf(kinds);
  });

  it('are added up by operator, month and tax over all PSPs as the analysis has them, of its country alone', async () => {
    const items = await totalsOf(regulator);
    const expected = await t.database.admin.query(
      `SELECT account_id, period, tax_code, tax_currency, sum(records)::int AS calls, trim_scale(sum(tax))::text AS tax
       FROM cdr_totals WHERE country = 'UG' AND rule_id <> '' GROUP BY 1, 2, 3, 4`,
    );
    expect(expected.length).toBeGreaterThan(8);
    const line = (...parts: unknown[]) => parts.join(' ');
    expect(items.map((i) => line(uuidOf(i.clientId), i.period, i.taxCode, i.currency, i.calls, i.tax)).sort()).toEqual(
      expected
        .map((r) => line(r.account_id, r.period, r.tax_code, r.tax_currency, r.calls, Number(r.tax as string)))
        .sort(),
    );
    expect(new Set(items.map((i) => i.pspName))).toEqual(new Set(['Carriers One', 'Carriers Two']));
    expect(new Set(items.map((i) => i.clientName))).toEqual(new Set(['Telecom UG 0', 'Telecom UG 1']));
    expect((await totalsOf(regulator, '?taxCode=SURTAX')).length).toBeGreaterThan(0);
    expect(new Set((await totalsOf(regulator, '?period=2026-10')).map((i) => i.period))).toEqual(new Set(['2026-10']));
  });

  it('are listed behind a total, with its tax, and never with a number in clear', async () => {
    const [total] = await totalsOf(regulator, '?taxCode=SURTAX&period=2026-11');
    const listed = await regulator.get(`${callsPath(total)}&taxCode=SURTAX`);
    const { items } = contentOf(listed);
    expect(items.length).toBe(total.calls);
    expect(items.map((c: Shown) => [c.class, c.callerNumber, c.clientName])).toEqual([
      ['INTL_IN', '+4474001*****', total.clientName],
    ]);
    const all = await regulator.get(callsPath(total), { accept: 'text/csv' });
    expect(all.text.match(/\ncdr_/g)?.length).toBe(4);
    const one = await regulator.get(`/v1/authority/cdr/${items[0].cdrId}`);
    expect(contentOf(one)).toEqual(items[0]);
    for (const { text } of [listed, all, one])
      for (const number of [caller, receiver, inward.caller_number]) expect(text).not.toContain(number.slice(1));
    const first = contentOf(await regulator.get(`${callsPath(total)}&limit=3`));
    const rest = contentOf(await regulator.get(`${callsPath(total)}&limit=3&cursor=${first.nextCursor}`));
    expect(new Set([...first.items, ...rest.items].map((c: Shown) => c.cdrId)).size).toBe(4);
  });

  it('show the numbers of one call for a reason, which is in the journal first', async () => {
    const [total] = await totalsOf(regulator, '?period=2026-11');
    const { items } = contentOf(await regulator.get(callsPath(total)));
    const at = `/v1/authority/cdr/${items[0].cdrId}`;
    expectRefusal(await regulator.get(`${at}?reason=why`), 400, 'QUERY_INVALID');
    const reason = 'order 12/2026 of the court';
    const shown = contentOf(await regulator.get(`${at}?reason=${encodeURIComponent(reason)}`));
    expect([shown.callerNumber, shown.receiverNumber]).toEqual([caller, receiver]);
    const read = await t.database.admin.query<{ body: string }>(
      "SELECT body FROM journal WHERE kind = 'authority.read' AND body LIKE '%order 12/2026%'",
    );
    expect(read.map((r) => JSON.parse(r.body).actor.by)).toEqual([regulator.userId]);
    // What staff read as an authority is not in its journal.
    const { authorityId } = contentOf(await t.post(path, asked(kinds), staff.apiKey));
    const asStaff = `${at}?authorityId=${authorityId}`;
    expect(contentOf(await t.get(asStaff, staff.apiKey)).callerNumber).toBe('+2567710*****');
    expectRefusal(await t.get(`${asStaff}&reason=${encodeURIComponent(reason)}`, staff.apiKey), 400, 'QUERY_INVALID');
  });

  it('are not shown where the view does not name them, nor of another country, tax or month', async () => {
    const [total] = await totalsOf(regulator, '?taxCode=SURTAX&period=2026-11');
    const { items } = contentOf(await regulator.get(`${callsPath(total)}&taxCode=SURTAX`));
    for (const over of [
      { recordKinds: undefined },
      { countryCode: 'KE' },
      { taxCodes: ['WHT'] },
      { dayTo: '2026-11-29' },
      { dayFrom: '2026-11-02' },
    ]) {
      const wrong = await somebodyOf({ ...kinds, ...over });
      expect([
        over,
        (await totalsOf(wrong)).filter((l) => l.clientId === total.clientId && l.period === '2026-11'),
      ]).toEqual([over, []]);
      expect([over, contentOf(await wrong.get(callsPath(total))).items]).toEqual([over, []]);
      expectRefusal(await wrong.get(`/v1/authority/cdr/${items[0].cdrId}`), 404, 'NOT_FOUND');
    }
  });
});

describe('baskets', () => {
  it('are shown behind a transaction where the view names them', async () => {
    const item = { sku: 'S', title: 'Exercise book', description: '', quantity: 1, price: 107.5, subTotal: 107.5 };
    const basket = {
      ref: 'cart-9',
      totalAmount: 107.5,
      items: [item],
      paymentMethods: { card: 107.5 },
      ...inCountry.NG,
    };
    const { transactionId } = contentOf(await t.post('/v1/basket/submitBasket', basket, shop.apiKey));
    const at = `/v1/authority/record/${transactionId}`;
    const sees = await somebodyOf({ recordKinds: ['transaction', 'basket'] });
    const found = contentOf(await sees.get(`${at}/basket`));
    expect(found).toMatchObject({ ref: 'cart-9', transactionId, vatAmount: 7.5, lineVat: [7.5] });
    expect(contentOf(await sees.get(at)).basketId).toBe(found.basketId);
    expect(contentOf(await nigeria.get(at)).basketId).toBeNull();
    const abroad = await somebodyOf({ recordKinds: ['transaction', 'basket'], countryCode: 'KE' });
    for (const who of [nigeria, abroad]) expectRefusal(await who.get(`${at}/basket`), 404, 'NOT_FOUND');
  });

  it('are found by the day on which they were paid, however long before they were submitted', async () => {
    const item = { sku: 'S', title: 'Exercise book', description: '', quantity: 1, price: 107.5, subTotal: 107.5 };
    const paid = { totalAmount: 107.5, paymentMethods: { card: 107.5 }, ...inCountry.NG };
    const { transactionId } = contentOf(
      await t.post('/v1/basket/submitBasket', { ref: 'cart-10', items: [item], ...paid }, shop.apiKey),
    );
    t.advance(9 * 86_400_000);
    const day = new Date(t.now()).toISOString().slice(0, 10);
    const sees = await somebodyOf({ dayFrom: day });
    const listed = async () => contentOf(await sees.get('/v1/authority/record')).items.map((i: Shown) => i.recordId);
    expect(await listed()).toEqual([]);
    const verified = { ...paid, ref: 'paid-10', transactionFee: 1, transactionID: transactionId };
    contentOf(await t.post('/v1/transaction/verifyTransaction', verified, shop.apiKey));
    // Before and after totals have it.
    expect(await listed()).toEqual([transactionId]);
    await totalled(t);
    expect(await listed()).toEqual([transactionId]);
    expect(contentOf(await sees.get('/v1/authority/sample')).items.length).toBe(1);
  });
});

describe('each read', () => {
  const reads = async (id: string): Promise<Shown[]> =>
    contentOf(await t.get(`/v1/journal?kind=authority.read&clientId=${id}&limit=200`, staff.apiKey)).items;

  it('is in the journal before it is answered: who, what and when', async () => {
    const authority = await letIn({ name: 'Third Office' });
    const person = await enter(t, authority, 'auditor');
    await person.get('/v1/authority/record?ref=a-NG-1&limit=3');
    await person.get('/v1/authority/record', { accept: 'text/csv' });
    await person.get('/v1/authority/record/txn_01h455vb4pex5vsknk084sn02q');
    await person.get('/v1/filings');
    await person.get('/v1/session');
    const rows = await t.database.admin.query<{ body: string }>(
      "SELECT body FROM journal WHERE psp_id = $1 AND kind = 'authority.read' ORDER BY seq",
      [authority.uuid],
    );
    const entries = rows.map((r) => JSON.parse(r.body));
    expect(entries.map((e) => [e.data.operation, e.data.asFile, e.data.parameters])).toEqual([
      ['listAuthorityRecords', false, ['ref=a-NG-1', 'limit=3']],
      ['listAuthorityRecords', true, []],
      ['getAuthorityRecord', false, ['recordId=txn_01h455vb4pex5vsknk084sn02q']],
      ['listFilings', false, []],
    ]);
    expect(new Set(entries.map((e) => e.actor.by))).toEqual(new Set([person.userId]));
    expect(new Set(entries.map((e) => e.timestamp))).toEqual(new Set([new Date(t.now()).toISOString()]));
    expect((await reads(authority.id)).length).toBe(4);
  });

  it('is seen by staff alone', async () => {
    for (const key of [first.apiKey, second.apiKey])
      expect(contentOf(await t.get('/v1/journal?kind=authority.read', key)).items).toEqual([]);
  });
});

describe('the door', () => {
  it('closes at its time, when it is changed, and when the account is suspended, for sessions too', async () => {
    const until = new Date(t.now() + 60_000).toISOString();
    const brief = await somebodyOf({ until, name: 'Brief' });
    expect((await brief.get('/v1/authority/record')).status).toBe(200);
    t.advance(61_000);
    expectRefusal(await brief.get('/v1/authority/record'), 401, 'SESSION_INVALID');
    // With the right password too, and nothing is signed in.
    const signedIn = { email: brief.email, password: brief.password };
    const barred = await t.post('/v1/session', signedIn);
    expectRefusal(barred, 401, 'SIGN_IN_FAILED');
    expect(barred.body.message).toMatch(/has ended or is suspended/);
    const authority = await letIn({ name: 'Changed' });
    const person = await enter(t, authority, 'auditor');
    const change = (over: Record<string, unknown>) => {
      const { name: _, ...rest } = asked(over);
      return t.post(`${path}/${authority.id}`, rest, staff.apiKey);
    };
    contentOf(await change({ countryCode: 'KE' }));
    const seen = contentOf(await person.get('/v1/authority/record')).items;
    expect(new Set(seen.map((i: Shown) => i.countryCode))).toEqual(new Set(['KE']));
    contentOf(await change({ until: new Date(t.now()).toISOString() }));
    expectRefusal(await person.get('/v1/authority/record'), 401, 'SESSION_INVALID');
    contentOf(await change({}));
    const again = await enter(t, authority, 'auditor');
    await setStanding(t, authority, { operationalStanding: 'SUSPENDED' });
    t.advance(1000);
    expectRefusal(await again.get('/v1/authority/record'), 401, 'SESSION_INVALID');
    expect((await told(t, authority.id)).map((e) => e.kind)).toContain('authority.set');
  });

  it('has no key, and no other role than that of somebody who looks', async () => {
    const authority = await letIn({ name: 'Keyless' });
    expectRefusal(
      await t.post(`/v1/admin/account/${authority.id}/key`, { name: 'k' }, staff.apiKey),
      409,
      'STATE_CONFLICT',
      /no keys/,
    );
    const made = { email: 'a@authority.example', name: 'A', accountId: authority.id };
    for (const role of ['administrator', 'reviewer', 'member'])
      expectRefusal(await t.post('/v1/admin/user', { ...made, role }, staff.apiKey), 400, 'FIELD_INVALID');
    contentOf(await t.post('/v1/admin/user', { ...made, role: 'auditor' }, staff.apiKey));
    for (const key of [first.apiKey, shop.apiKey])
      expectRefusal(await t.post('/v1/admin/user', { ...made, role: 'auditor' }, key), 404, 'NOT_FOUND');
    const person = await invite(t, authority, 'auditor');
    expect(contentOf(await trySignIn(t, person)).user.mustChangePassword).toBe(true);
    const accounts = contentOf(await t.get('/v1/admin/account?limit=200', staff.apiKey)).items;
    expect(accounts.map((a: Shown) => a.clientId)).not.toContain(authority.id);
  });

  it('is opened by staff, with what it needs said', async () => {
    const bad = async (over: Record<string, unknown>, says: RegExp) =>
      expectRefusal(await t.post(path, asked(over), staff.apiKey), 400, 'FIELD_INVALID', says);
    await bad({ taxCodes: ['EXCISE_OF_MARS'] }, /the taxes of NG are .*VAT/);
    await bad({ until: '2020-01-01T00:00:00Z' }, /has passed/);
    await bad({ dayFrom: '2026-02-30' }, /must be a day of the calendar/);
    await bad({ dayTo: '2025-01-01' }, /before 'dayFrom'/);
    expectRefusal(await t.post(path, asked({ countryCode: 'XX' }), staff.apiKey), 400, 'UNKNOWN_COUNTRY');
    for (const key of [first.apiKey, shop.apiKey]) expectRefusal(await t.post(path, asked(), key), 403, 'AUDIENCE');
    const before = await rowCount(t, 'authorities');
    expect(contentOf(await t.get(`${path}?limit=200`, staff.apiKey)).items.length).toBe(before);
  });

  it('leaves a complete journal, and the audit finds a view that was widened behind its back', async () => {
    await expectJournalComplete(t);
    await allSealed(t);
    const found = async () => {
      for await (const one of audit({ db: t.database.admin, folders: [], psp: uuidOf(nigeriaId) }))
        return one.findings.map((f) => f.code);
      return ['nothing was audited'];
    };
    expect(await found()).toEqual([]);
    const set = (until: string) =>
      t.database.admin.query('UPDATE authorities SET until = $1 WHERE id = $2', [until, uuidOf(nigeriaId)]);
    await set('2099-01-01');
    expect(await found()).toEqual(['RECORD_CHANGED']);
    await set('2027-12-31T00:00:00Z');
  });
});

describe('where two people are required', () => {
  it('one proposes what an authority shall see, another approves it, and only that is let in, once', async () => {
    const two = await makeTestApp({ env: { REQUIRE_TWO_PERSONS: 'authorities' } });
    try {
      const operator = await two.makeOperator();
      const [ada, bola] = [await enter(two, operator, 'administrator'), await enter(two, operator, 'administrator')];
      expectRefusal(await ada.post(path, asked()), 403, 'TWO_PERSONS');
      expectRefusal(await two.post(path, asked(), operator.apiKey), 403, 'TWO_PERSONS');
      const { reason, ...authority } = asked();
      const { proposalId } = contentOf(await ada.post('/v1/admin/proposal', { reason, authority }));
      expectRefusal(await ada.post(`/v1/admin/proposal/${proposalId}/approve`, {}), 409, 'STATE_CONFLICT');
      contentOf(await bola.post(`/v1/admin/proposal/${proposalId}/approve`, {}));
      expectRefusal(await ada.post(path, { ...asked({ countryCode: 'KE' }), proposalId }), 409, 'STATE_CONFLICT');
      expectRefusal(await bola.post(path, { ...asked(), proposalId }), 403, 'TWO_PERSONS');
      const { authorityId } = contentOf(await ada.post(path, { ...asked(), proposalId }));
      expectRefusal(await ada.post(path, { ...asked(), proposalId }), 409, 'STATE_CONFLICT');
      const { name: _, ...wider } = asked({ until: '2030-01-01T00:00:00Z' });
      expectRefusal(await ada.post(`${path}/${authorityId}`, wider), 403, 'TWO_PERSONS');
      // To end it needs nobody else.
      contentOf(await ada.post(`${path}/${authorityId}`, { ...wider, until: new Date(two.now()).toISOString() }));
      expect(await rowCount(two, 'authorities')).toBe(1);
    } finally {
      await two.stop();
    }
  });
});
