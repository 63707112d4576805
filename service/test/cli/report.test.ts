// assay report, beside a running service: reports requested, shown, written to files, made again.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportKinds } from '../../src/modules/reports/index.ts';
import { until } from '../durability/support/conditions.ts';
import { makeWorld, me, type World } from './world.ts';

let w: World;
let psp: { pspId: string; apiKey: string };
const period = `${new Date().getUTCFullYear() - 1}-06`;

beforeAll(async () => {
  w = await makeWorld();
  psp = await w.makePsp('Report Pay');
});
afterAll(() => w.stop());

describe('assay report', () => {
  it('lists the kinds there are', async () => {
    const { items } = (await w.json('report', 'kinds')).json();
    expect(items.map((k: { kind: string }) => k.kind)).toEqual(reportKinds.map((k) => k.name));
    expect((await w.plain('report', 'kinds')).stdout).toMatch(/^chargebacks +period +/m);
  });

  it('asks for a report, waits for it, shows it and writes its documents', async () => {
    const { clientId } = await w.makeClient(psp.apiKey);
    const made = (await w.json('report', 'create', 'chargebacks', '--client', clientId, '--period', period)).json();
    expect(made).toMatchObject({ clientId, state: 'DONE', parameters: { period }, revision: 1, requestedBy: me });
    const [asked] = await w.journal('report.requested');
    expect(asked.actor.by).toBe(me);

    const shown = await w.plain('report', 'show', made.reportId);
    expect(shown.stdout).toMatch(/^State +DONE$/m);
    expect(shown.stdout).toContain(made.manifest.sections[0].sha256);
    const { items } = (await w.json('report', 'list', '--client', clientId, '--state', 'DONE')).json();
    expect(items).toMatchObject([{ reportId: made.reportId }]);
    expect((await w.plain('report', 'list')).stdout).toContain(made.reportId);

    for (const [format, name] of [['json'], ['page'], ['csv', 'chargebacks']] as const) {
      const path = join(w.env.DATA_DIR as string, `out.${format}`);
      const section = name === undefined ? [] : ['--section', name];
      const file = await w.json('report', 'download', made.reportId, '--format', format, ...section, '--to', path);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
      expect(file.json()).toMatchObject({ path, sha256 });
      expect(made.manifest.files).toContainEqual(expect.objectContaining({ sha256 }));
    }
    const again = (await w.json('report', 'rerun', made.reportId)).json();
    expect(again).toMatchObject({ revision: 2, state: 'DONE', changes: { since: 1, changed: false, sections: [] } });
    expect((await w.plain('report', 'show', again.reportId)).stdout).toContain('Says the same as revision 1');
  });

  it('only queues where it is told to: the running service makes it', async () => {
    const args = ['report', 'create', 'cryptoActivity', '--client', psp.pspId, '--period', period, '--no-wait'];
    const { reportId, state } = (await w.json(...args)).json();
    // The service may have begun before it answers.
    expect(['QUEUED', 'RUNNING']).toContain(state);
    const shown = async () => (await w.json('report', 'show', reportId)).json();
    expect(await until('it is made', async () => (await shown()).state === 'DONE')).toBe(true);
  });

  it('schedules a report, lists schedules and ends one', async () => {
    const { clientId } = await w.makeClient(psp.apiKey);
    const when = ['--every', 'MONTH', '--on-day', '31', '--hour', '6', '--time-zone', 'Africa/Lagos'];
    const args = [
      'report',
      'schedule',
      'create',
      'vatReturn',
      '--client',
      clientId,
      ...when,
      '--set',
      'countryCode=NG',
    ];
    const made = (await w.json(...args)).json();
    expect(made).toMatchObject({ clientId, onDay: 31, covers: 'FINISHED', parameters: { countryCode: 'NG' } });
    const { items } = (await w.json('report', 'schedule', 'list', '--client', clientId)).json();
    expect(items).toMatchObject([{ scheduleId: made.scheduleId, state: 'ACTIVE' }]);
    expect((await w.plain('report', 'schedule', 'list')).stdout).toContain(
      'every month on day 31 at 6:00 Africa/Lagos',
    );
    expect((await w.json('report', 'schedule', 'end', made.scheduleId)).json()).toMatchObject({ state: 'ENDED' });
    const wrong = await w.json(
      'report',
      'schedule',
      'create',
      'chargebacks',
      '--client',
      clientId,
      ...when.slice(0, 6),
      '--time-zone',
      'Mars',
    );
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      3,
      expect.stringContaining('--time-zone must be an IANA time zone'),
    ]);
  });

  it('says what is wrong with what was typed', async () => {
    const create = (...args: string[]) => w.json('report', 'create', ...args);
    const said = async (ran: ReturnType<typeof create>) => [(await ran).exitCode, (await ran).stderr.trim()];
    expect(await said(create('taxes', '--client', psp.pspId))).toEqual([
      2,
      expect.stringContaining("there is no report 'taxes'; there are "),
    ]);
    expect(await said(create('chargebacks', '--client', psp.pspId))).toEqual([
      3,
      expect.stringContaining("the report 'chargebacks' needs --period"),
    ]);
    expect(await said(create('chargebacks', '--client', psp.pspId, '--period', '2026-13'))).toEqual([
      3,
      expect.stringContaining('--period must be a month from 2000 on'),
    ]);
    expect(await said(create('chargebacks', '--client', psp.pspId, '--set', 'colour=blue'))).toEqual([
      2,
      expect.stringContaining('--set takes name=value, with one of '),
    ]);
    expect((await w.json('report', 'show', 'rpt_01h455vb4pex5vsknk084sn02q')).json().code).toBe('NOT_FOUND');
    const { reportId } = (await create('chargebacks', '--client', psp.pspId, '--period', period)).json();
    expect(await said(w.json('report', 'download', reportId, '--format', 'csv'))).toEqual([
      2,
      expect.stringContaining('--section must be one of byCurrency, byClient, reversed, chargebacks'),
    ]);
  });
});
