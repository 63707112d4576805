// The list of call detail records with the filters that links in reports use.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readValues } from '../../src/core/cdr/record.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let one: Account;
let other: Account;
const ids: string[] = [];

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  [one, other] = [await t.makeClient(psp), await t.makeClient(psp)];
  const device = '490154203237518';
  await record(one, 'a', { call_start_time: '2026-11-21T08:00:00Z', caller_number: '+2348031234567' });
  await record(one, 'b', {
    call_start_time: '2026-11-21T08:30:00Z',
    network_provider: 'Say "Hi"',
    imei_caller: device,
  });
  await record(one, 'c', { call_start_time: '2026-11-21T09:00:00Z', imei_receiver: device });
  await record(other, 'd', { call_start_time: '2026-11-21T08:00:00Z', caller_number: '+2348031234567' });
});
afterAll(() => t?.stop());

async function record(by: Account, cdrId: string, over: { call_start_time: string; [field: string]: unknown }) {
  const body = {
    cdr_id: cdrId,
    caller_number: '+2348039999999',
    receiver_number: '+2348059876543',
    call_end_time: over.call_start_time,
    call_duration_seconds: 0,
    call_type: 'VOICE',
    network_provider: 'MTN Nigeria',
    billing_information: { call_cost: 0, currency: 'NGN' },
    ...over,
  };
  ids.push(contentOf(await t.post('/v1/telecom/recordCDR', body, by.apiKey)).cdrId);
}

async function listed(query: Record<string, string>, key = psp.apiKey): Promise<string> {
  const { items } = contentOf(await t.get(`/v1/telecom/cdr?${new URLSearchParams(query)}`, key));
  return items.map((i: { record: { cdr_id: string } }) => i.record.cdr_id).join('');
}

describe('the list of call detail records', () => {
  it('is narrowed to records by their ids, and to nothing by what is no id', async () => {
    expect(await listed({ ids: `${ids[0]},${ids[3]}` })).toBe('da');
    expect(await listed({ ids: 'cdr_nonsense' })).toBe('');
    expect(await listed({ ids: ids.join() }, one.apiKey)).toBe('cba');
  });

  it('is narrowed to calls that began within a stretch', async () => {
    expect(await listed({ callFrom: '2026-11-21T08:30:00Z' })).toBe('cb');
    expect(await listed({ callTo: '2026-11-21T08:30:00Z' })).toBe('da');
    expect(await listed({ callFrom: '2026-11-21T08:00:00Z', callTo: '2026-11-21T09:00:00Z' })).toBe('dba');
  });

  it('is narrowed to a caller and to a network, exactly as they are written', async () => {
    expect(await listed({ caller: '+2348031234567' })).toBe('da');
    expect(await listed({ caller: '+234803123456' })).toBe('');
    expect(await listed({ networkProvider: 'Say "Hi"' })).toBe('b');
    expect(await listed({ networkProvider: 'MTN' })).toBe('');
  });

  it('is narrowed to a device on either side, by the hash that stands for it', async () => {
    const [r] = await t.database.admin.query("SELECT record FROM cdrs WHERE cdr_id = 'b'");
    const device = readValues(r?.record as string).imei_caller as string;
    expect(await listed({ device })).toBe('cb');
    expect(await listed({ device: '490154203237518' })).toBe('');
  });

  it('is narrowed to one account, as by the header', async () => {
    expect(await listed({ clientId: other.id })).toBe('d');
    expect(await listed({ clientId: other.id, caller: '+2348031234567' })).toBe('d');
    expect(await listed({ clientId: psp.id })).toBe('');
    expect(await listed({ clientId: one.id }, one.apiKey)).toBe('cba');
  });

  it('shows no account that is not the key’s', async () => {
    const stranger = await t.makePsp();
    expectRefusal(await t.get(`/v1/telecom/cdr?clientId=${one.id}`, stranger.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get('/v1/telecom/cdr?clientId=somebody', psp.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get(`/v1/telecom/cdr?clientId=${other.id}`, one.apiKey), 404, 'NOT_FOUND');
    expect(await listed({ ids: ids.join() }, stranger.apiKey)).toBe('');
  });

  it('drops none of the ids that it is asked for without saying so', async () => {
    const named = (n: number) => t.get(`/v1/telecom/cdr?ids=${Array(n).fill(ids[0]).join()}`, psp.apiKey);
    expect(contentOf(await named(100)).items).toHaveLength(1);
    expectRefusal(await named(101), 400, 'QUERY_INVALID');
  });
});
