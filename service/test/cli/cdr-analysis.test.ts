// assay cdr analyse, totals, periods and close-period, beside a running service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromWire } from '../../src/core/ids.ts';
import { analysisProgress } from '../../src/modules/telecom/index.ts';
import { until } from '../durability/support/conditions.ts';
import { everything } from '../support/cdr-analysis.ts';
import { cdrRow, cdrText, drop } from '../support/cdr-files.ts';
import { makeWorld, me, type World } from './world.ts';

let w: World;
let pspId: string;
let client: { id: string; uuid: string; apiKey: string; secret: string };

beforeAll(async () => {
  w = await makeWorld({ CDR_PICKUP_CRON: 'off' });
  const psp = await w.makePsp('Telecom Pay');
  pspId = psp.pspId;
  const { clientId, apiKey } = await w.makeClient(psp.apiKey);
  client = { id: clientId, uuid: fromWire('client', clientId) as string, apiKey, secret: '' };
  const at = (day: string) => ({ call_start_time: `${day}T09:00:00Z`, call_end_time: `${day}T09:02:00Z` });
  const rows = [cdrRow(1, at('2025-03-10')), cdrRow(2, at('2025-03-11')), cdrRow(3, at('2025-04-10'))];
  drop(w.env.DATA_DIR as string, client, 'calls.csv', cdrText(...rows));
  expect((await w.json('cdr', 'pick-up')).exitCode).toBe(0);
});
afterAll(() => w.stop());

const analysed = () =>
  until('all is analysed', async () => (await analysisProgress(w.database.admin, undefined)).complete);

describe('assay cdr analyse', () => {
  it('analyses what is recorded, and makes the same again when asked to', async () => {
    expect((await w.json('cdr', 'analyse')).json()).toEqual({ analysed: expect.any(Number) });
    const before = await everything(w.database);
    expect(before[0]).toHaveLength(3);
    const again = await w.plain('cdr', 'analyse', '--rebuild', '--psp', pspId);
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining(`${pspId} is made again`)]);
    expect(await everything(w.database)).toEqual(before);
    expect((await w.json('cdr', 'analyse', '--rebuild')).exitCode).toBe(0);
    expect(await everything(w.database)).toEqual(before);
  });

  it('knows no other PSP', async () => {
    const r = await w.json('cdr', 'analyse', '--psp', 'psp_01h455vb4pex5vsknk084sn02q');
    expect([r.exitCode === 0, r.json().code]).toEqual([false, 'NOT_FOUND']);
  });
});

describe('assay audit verify', () => {
  it('remarks the calls that were analysed without a levy by return, until they are analysed again', async () => {
    const psp = await w.makePsp('Carriers of Senegal');
    const { clientId, apiKey } = await w.makeClient(psp.apiKey, 'SN');
    const sent = {
      ...{ cdr_id: 'SN-1', caller_number: '+221770000001', receiver_number: '+221760000002', call_type: 'VOICE' },
      ...{ call_start_time: '2026-05-20T10:00:00Z', call_end_time: '2026-05-20T10:02:00Z' },
      ...{ call_duration_seconds: 120, network_provider: 'Orange' },
      billing_information: { call_cost: 730, currency: 'XOF' },
    };
    expect((await w.call('/v1/telecom/recordCDR', apiKey, sent)).status).toBe(200);
    await analysed();
    const remarks = async () => (await w.json('audit', 'verify', '--psp', psp.pspId)).json().psps[0].remarks.join();
    expect(await remarks()).not.toMatch('by return');
    const shown = await w.plain('cdr', 'totals', '--client', clientId);
    // 5 % of 730.
    expect(shown.stdout).toMatch(/ 174\.47 +XOF +36\.5 XOF +-$/m);
    // As the version before wrote it.
    await w.database.admin.query(`UPDATE cdr_analyses SET taxes = (taxes::jsonb - 2)::text WHERE country = 'SN'`);
    await w.database.admin.query("DELETE FROM cdr_totals WHERE country = 'SN' AND owed_by <> ''");
    expect(await remarks()).toContain(
      `1 calls in SN were analysed without what is due on them by return: 'assay cdr analyse --rebuild --psp ${psp.pspId}' works it out`,
    );
    expect((await w.json('cdr', 'analyse', '--rebuild', '--psp', psp.pspId)).exitCode).toBe(0);
    expect(await remarks()).not.toMatch('by return');
  });
});

describe('assay cdr totals', () => {
  it('shows the totals of a month, as the API does', async () => {
    await analysed();
    const { items, progress } = (await w.json('cdr', 'totals', '--client', client.id, '--period', '2025-03')).json();
    expect(progress.complete).toBe(true);
    expect(items).toMatchObject([{ period: '2025-03', class: 'OFFNET', records: 2, cost: 49, tax: 3.675 }]);
    const { body } = await w.call('/v1/telecom/analysis?period=2025-03', client.apiKey);
    expect(body.content.items).toEqual(items);
    const shown = await w.plain('cdr', 'totals', '--client', client.id);
    expect(shown.stdout).toMatch(/^2025-03 +- +OFFNET +2 +240 +49 +3\.675 +NGN +- +-$/m);
    const wrong = await w.plain('cdr', 'totals', '--client', client.id, '--period', 'march');
    expect(wrong.stderr).toContain("a month such as 2026-10 is expected, not 'march'");
  });
});

describe('assay cdr close-period', () => {
  it('closes a month in the name of who is at the keyboard, once', async () => {
    const close = () => w.json('cdr', 'close-period', '2025-03', '--client', client.id);
    const done = (await close()).json();
    expect(done).toEqual({ clientId: client.id, period: '2025-03', country: 'NG' });
    expect((await close()).json()).toEqual(done);
    const entries = await w.journal('cdr.period_closed');
    expect(entries.map((e) => [e.actor.by, e.clientId, e.data.period])).toEqual([[me, client.id, '2025-03']]);
    await analysed();
    const { items } = (await w.json('cdr', 'periods', '--client', client.id)).json();
    expect(items).toMatchObject([
      { period: '2025-04', state: 'OPEN', records: 1 },
      { period: '2025-03', state: 'CLOSED', records: 2, late: 0 },
    ]);
    expect((await w.plain('cdr', 'periods', '--client', client.id)).stdout).toMatch(/^2025-03 +CLOSED +2 +0 /m);
    const ahead = await w.json('cdr', 'close-period', '2999-01', '--client', client.id);
    expect([ahead.exitCode === 0, ahead.json().code]).toEqual([false, 'STATE_CONFLICT']);
  });
});

describe('assay tax explain of a call', () => {
  const call = ['tax', 'explain', '--operation', 'recordCDR', '--country', 'UG', '--amount', '10.001'];
  const explain = async (...args: string[]) => (await w.json(...call, ...args)).json();

  it('shows each tax of a call from abroad, in more decimals than money has and in the currency of its rule', async () => {
    const { rules } = await explain('--duration', '100', '--origin', 'GB');
    const shown = rules.map((r: { taxCode: string; tax: number; quantity?: string; currency?: string }) => [
      r.taxCode,
      r.tax,
      r.currency,
    ]);
    expect(shown).toEqual([
      ['EXCISE', 1.20012, undefined],
      ['SURTAX', 0.15, 'USD'],
      ['VAT', 2.0162016, undefined],
    ]);
    const exempt = (await explain('--duration', '100', '--origin', 'KE')).rules[1];
    expect([exempt.tax, exempt.reason]).toEqual([0, 'EXEMPT_ORIGIN']);
    expect((await explain('--duration', '100')).rules).toHaveLength(2);
  });

  it('refuses an origin that is no country and a volume that is no number', async () => {
    const refused = async (...args: string[]) => (await w.plain(...call, ...args)).stderr;
    expect(await refused('--origin', 'XX')).toContain('--origin');
    expect(await refused('--data-kb', 'much')).toContain('--data-kb must be a number of kilobytes');
  });
});
