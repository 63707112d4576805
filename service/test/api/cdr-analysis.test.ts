// Over HTTP: the analysis of a record, totals, and the records behind them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let other: Account;
let stranger: Account;

let made = 0;
const record = (over: Record<string, unknown> = {}) => ({
  cdr_id: `CDR-${++made}`,
  caller_number: '+256771000001',
  receiver_number: '+256701000002',
  call_start_time: '2026-11-20T10:00:00Z',
  call_end_time: '2026-11-20T10:01:30Z',
  call_duration_seconds: 90,
  call_type: 'VOICE',
  network_provider: 'MTN Uganda',
  billing_information: { call_cost: 100, currency: 'UGX' },
  ...over,
});
const inward = { caller_number: '+447400123456', billing_information: { call_cost: 0, currency: 'UGX' } };
const near = { ...inward, caller_number: '+254711000001' };
const october = { call_start_time: '2026-10-31T20:00:00Z', call_end_time: '2026-10-31T20:01:30Z' };

async function send(by: Account, over: Record<string, unknown> = {}): Promise<string> {
  return contentOf(await t.post('/v1/telecom/recordCDR', record(over), by.apiKey)).cdrId;
}
const totals = async (query = '', by = client, headers = {}) =>
  contentOf(await t.get(`/v1/telecom/analysis${query}`, by.apiKey, headers));
const records = async (query: string, by = client) =>
  contentOf(await t.get(`/v1/telecom/analysis/records${query}`, by.apiKey));

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Operators', 'UG');
  stranger = await t.makePsp('Stranger');
  client = await t.makeClient(psp, { countryCode: 'UG', registrationNumber: 'UG-1' });
  other = await t.makeClient(psp, { countryCode: 'UG', registrationNumber: 'UG-2' });
  for (const over of [{}, {}, inward, near, { call_type: 'SMS' }, october]) await send(client, over);
  await send(other);
  await analysed(t, psp);
});
afterAll(() => t.stop());

describe('getCdr', () => {
  it('shows the class of a record and each tax with its rule and source', async () => {
    const { analysis } = contentOf(
      await t.get(`/v1/telecom/cdr/${await analysedCdr(inward)}?expand=tax`, client.apiKey),
    );
    expect(analysis).toMatchObject({
      clientId: client.id,
      country: 'UG',
      period: '2026-11',
      late: false,
      class: 'INTL_IN',
      otherCountry: 'GB',
      answered: true,
      seconds: 90,
      finding: null,
      dataset: t.app.services.rates.book.version,
      ranges: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    const surtax = analysis.taxes.find((x: { taxCode: string }) => x.taxCode === 'SURTAX');
    expect(surtax).toEqual({
      ruleId: 'UG-SURTAX-INBOUND-2024',
      taxCode: 'SURTAX',
      currency: 'USD',
      taxable: null,
      quantity: 90,
      tax: 0.135,
      reason: null,
      method: 'ADDED',
      owedBy: null,
      authority: null,
      base: 'MINUTES',
      rate: null,
      unitAmount: '0.09',
      bearer: 'OPERATOR',
      source: expect.objectContaining({ title: expect.any(String), publisher: expect.any(String) }),
      legalRef: expect.toSatisfy((x) => x === null || typeof x === 'string'),
      confidence: expect.stringMatching(/^(official|secondary|unverified)$/),
      note: expect.toSatisfy((x) => x === null || typeof x === 'string'),
    });
  });

  it('shows null where the analysis has not come to a record', async () => {
    const id = await send(stranger);
    await analysed(t, stranger);
    await t.database.admin.query('DELETE FROM cdr_analyses WHERE psp_id = $1', [stranger.uuid]);
    expect(contentOf(await t.get(`/v1/telecom/cdr/${id}?expand=tax`, stranger.apiKey)).analysis).toBeNull();
  });
});

/** A record of the client that is analysed. */
async function analysedCdr(over: Record<string, unknown> = {}): Promise<string> {
  const id = await send(client, over);
  await analysed(t, psp);
  return id;
}

describe('listCdrTotals', () => {
  it('gives the figures of a month with their taxes, and each opens to exactly its records', async () => {
    const { items, progress, nextCursor } = await totals('?period=2026-11');
    expect([progress.complete, nextCursor]).toEqual([true, null]);
    const classes = items.map((i: { class: string }) => i.class);
    expect(classes).toEqual([...classes].sort().reverse());
    const offnet = items.find((i: { class: string }) => i.class === 'OFFNET');
    expect(offnet).toMatchObject({ clientId: client.id, country: 'UG', late: false, currency: 'UGX', findings: [] });
    expect(offnet.taxes.map((x: { taxCode: string; tax: number }) => [x.taxCode, x.tax])).toEqual([
      ['EXCISE', 12 * offnet.records],
      ['VAT', 20.16 * offnet.records],
    ]);
    for (const figure of items) {
      for (const part of [figure, ...figure.taxes]) {
        const opened = contentOf(await t.get(`${part.open}&limit=200`, client.apiKey)).items;
        expect(opened).toHaveLength(part.records);
        const sum = opened.flatMap((r: { taxes: { ruleId: string; tax: number }[]; tax: number }) =>
          part.ruleId ? r.taxes.filter((x) => x.ruleId === part.ruleId).map((x) => x.tax) : [r.tax],
        );
        expect(sum.reduce((a: number, b: number) => a + b, 0)).toBeCloseTo(part.tax, 9);
      }
    }
    // One rule, once applied and once exempt: two lines.
    const incoming = items.find((i: { class: string }) => i.class === 'INTL_IN');
    expect(
      incoming.taxes
        .filter((x: { taxCode: string }) => x.taxCode === 'SURTAX')
        .map((x: { reason: string; quantity: number }) => x.reason),
    ).toEqual([null, 'EXEMPT_ORIGIN']);
  });

  it('comes in pages that give every figure once, and narrowed by class', async () => {
    const whole = (await totals('?limit=200', psp)).items;
    const paged = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part: { items: unknown[]; nextCursor: string | null } = await totals(
        `?limit=2${cursor && `&cursor=${cursor}`}`,
        psp,
      );
      expect(part.items.length).toBeLessThanOrEqual(2);
      paged.push(...part.items);
      cursor = part.nextCursor;
    }
    expect(paged).toEqual(whole);
    expect(whole.length).toBeGreaterThan(4);
    const sms = (await totals('?class=SMS')).items;
    expect(sms.map((i: { class: string }) => i.class)).toEqual(['SMS']);
  });

  it.each([
    ['?period=2026-13', 'period'],
    ['?period=november', 'period'],
    ['?class=FAX', 'class'],
    ['?cursor=x', 'cursor'],
    ['?cursor=2026-11~cli_x~SMS~UGX~2026-11', 'cursor'],
    ['?limit=0', 'limit'],
  ])('refuses %s and names the parameter', async (query, name) => {
    expectRefusal(
      await t.get(`/v1/telecom/analysis${query}`, client.apiKey),
      400,
      'QUERY_INVALID',
      new RegExp(`'${name}'`),
    );
  });

  it('shows a client its own, a PSP all of its clients or the one it names, and nobody else any', async () => {
    const whose = async (by: Account, headers = {}) =>
      new Set((await totals('?limit=200', by, headers)).items.map((i: { clientId: string }) => i.clientId));
    expect(await whose(client)).toEqual(new Set([client.id]));
    expect(await whose(psp)).toEqual(new Set([client.id, other.id]));
    expect(await whose(psp, { 'x-client-id': other.id })).toEqual(new Set([other.id]));
    expect(await whose(stranger)).not.toContain(client.id);
    expectRefusal(await t.get('/v1/telecom/analysis', stranger.apiKey, { 'x-client-id': other.id }), 404, 'NOT_FOUND');
  });
});

describe('listCdrAnalyses', () => {
  it('comes in pages, newest first, and needs a month', async () => {
    const whole = (await records('?period=2026-11&limit=200')).items;
    const first = await records('?period=2026-11&limit=2');
    const second = await records(`?period=2026-11&limit=200&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(whole);
    expect(second.nextCursor).toBeNull();
    expectRefusal(await t.get('/v1/telecom/analysis/records', client.apiKey), 400, 'FIELD_REQUIRED', /'period'/);
    for (const [query, name] of [
      ["ruleId='", 'ruleId'],
      ['reason=none', 'reason'],
    ])
      expectRefusal(
        await t.get(`/v1/telecom/analysis/records?period=2026-11&${query}`, client.apiKey),
        400,
        'QUERY_INVALID',
        new RegExp(`'${name}'`),
      );
  });

  it('shows nobody the records of another', async () => {
    expect((await records('?period=2026-11', stranger)).items).toEqual([]);
    expect((await records('?period=2026-11', other)).items).toHaveLength(1);
  });
});
