// Over HTTP: listing months of call detail records, and closing one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { analysed } from '../support/cdr-analysis.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  namesIgnoredFields,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let other: Account;
let stranger: Account;

let made = 0;
const october = { call_start_time: '2026-10-31T20:00:00Z', call_end_time: '2026-10-31T20:01:30Z' };
const november = { call_start_time: '2026-11-20T10:00:00Z', call_end_time: '2026-11-20T10:01:30Z' };

async function send(when: object): Promise<void> {
  const body = {
    cdr_id: `CDR-${++made}`,
    caller_number: '+256771000001',
    receiver_number: '+256701000002',
    ...when,
    call_duration_seconds: 90,
    call_type: 'VOICE',
    network_provider: 'MTN Uganda',
    billing_information: { call_cost: 100, currency: 'UGX' },
  };
  contentOf(await t.post('/v1/telecom/recordCDR', body, client.apiKey));
}
const totals = async (period: string) =>
  contentOf(await t.get(`/v1/telecom/analysis?period=${period}`, client.apiKey)).items;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Operators', 'UG');
  stranger = await t.makePsp('Stranger');
  client = await t.makeClient(psp, { countryCode: 'UG', registrationNumber: 'UG-1' });
  other = await t.makeClient(psp, { countryCode: 'UG', registrationNumber: 'UG-2' });
  for (const when of [october, november]) await send(when);
  await analysed(t, psp);
});
afterAll(() => t.stop());

describe('closeCdrPeriod', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/telecom/period/close',
    caller: () => client,
    body: () => ({ period: '2026-09' }),
  };
  const close = (period: unknown, by = client, headers = {}) => t.post(wire.path, { period }, by.apiKey, headers);
  const periods = async (by = client, headers = {}) =>
    contentOf(await t.get('/v1/telecom/period', by.apiKey, headers)).items;

  it('closes a month that has ended: what comes for it later counts in the next, told as late', async () => {
    const before = await totals('2026-10');
    expect(contentOf(await close('2026-10'))).toEqual({ clientId: client.id, period: '2026-10', country: 'UG' });
    await send(october);
    await analysed(t, psp);
    expect(await totals('2026-10')).toEqual(before);
    const late = (await totals('2026-11')).filter((i: { late: boolean }) => i.late);
    expect(late).toMatchObject([{ period: '2026-11', callPeriod: '2026-10', records: 1 }]);
    expect(contentOf(await t.get(late[0].open, client.apiKey)).items).toMatchObject([
      { late: true, callPeriod: '2026-10' },
    ]);
    expect(await periods()).toEqual([
      expect.objectContaining({ period: '2026-11', state: 'OPEN', closedAt: null, late: 1 }),
      {
        clientId: client.id,
        period: '2026-10',
        country: 'UG',
        state: 'CLOSED',
        closedAt: expect.stringMatching(/^2026-11-21T/),
        records: 1,
        late: 0,
      },
    ]);
  });

  it('refuses a month that has not ended in the calendar of the country', async () => {
    expectRefusal(
      await close('2026-11'),
      409,
      'STATE_CONFLICT',
      /2026-11 has not ended: it is 2026-11-21 in Africa\/Kampala/,
    );
    expectRefusal(await close('2026-12'), 409, 'STATE_CONFLICT');
    const morning = await makeTestApp({ startAt: '2026-10-31T21:30:00Z' });
    try {
      // 00:30 on the first of November in Kampala, and still October in Lagos.
      const there = await morning.makePsp('Kampala', 'UG');
      const here = await morning.makePsp('Lagos', 'NG');
      const closed = (by: Account) => morning.post(wire.path, { period: '2026-10' }, by.apiKey);
      expect([(await closed(there)).status, (await closed(here)).status]).toEqual([200, 409]);
    } finally {
      await morning.stop();
    }
  });

  requiresFields(wire, ['period']);
  refusesWrongTypes(wire, { text: ['period'] });
  it.each(['2026-13', '2026-1', '26-10', '2026-10-01', ''])('refuses %j as a month', async (period) => {
    expect((await close(period)).status).toBe(400);
  });
  namesIgnoredFields(wire);
  guardsClientHeader(wire);

  it('is each operator’s own', async () => {
    expect(contentOf(await close('2026-08', psp, { 'x-client-id': other.id })).clientId).toBe(other.id);
    const months = async (by: Account) => (await periods(by)).map((p: { period: string }) => p.period);
    expect(await months(other)).toContain('2026-08');
    expect(await months(client)).not.toContain('2026-08');
    expectRefusal(await close('2026-08', stranger, { 'x-client-id': other.id }), 404, 'NOT_FOUND');
  });

  it('changes nothing when it is said again', async () => {
    const first = await close('2026-07');
    const again = await close('2026-07');
    expect(contentOf(again)).toEqual(contentOf(first));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const rows = await t.database.admin.query(
      "SELECT body FROM journal WHERE kind = 'cdr.period_closed' AND account_id = $1 AND body LIKE '%2026-07%'",
      [client.uuid],
    );
    expect(rows.map((r) => JSON.parse(r.body as string).data)).toEqual([
      { clientId: client.id, period: '2026-07', country: 'UG' },
    ]);
  });
});
