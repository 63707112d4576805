// Schedules of reports: created, listed, changed and ended by those who may; each report made once however many
// processes look, also after a time without the service; and told to the PSP by webhook with the schedule's id.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestDueReports } from '../../src/modules/reports/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, told } from '../support/journal.ts';
import { enter } from '../support/people.ts';
import { quiet } from '../support/reports.ts';

const day = 86_400_000;
let t: TestApp;
let psp: Account;
let client: Account;
let operator: Account;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-20T12:00:00Z' });
  psp = await t.makePsp('Lagoon Pay', 'NG');
  client = await t.makeClient(psp);
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

const monthly = { kind: 'feeStatement', every: 'MONTH', onDay: 2, hour: 6, timeZone: 'Africa/Lagos' };
const create = (over: object = {}, key = psp.apiKey, headers = {}) =>
  t.post('/v1/report-schedule', { ...monthly, ...over }, key, headers);
const created = async (over: object = {}, key = psp.apiKey, headers = {}) =>
  contentOf(await create(over, key, headers));
const end = (id: string, key = psp.apiKey) => t.post(`/v1/report-schedule/${id}/end`, {}, key);
/** One pass of a process over what is due. */
const due = () => {
  const { services, following } = t.app;
  if (!following) throw new Error('this service makes no reports');
  return requestDueReports({ ...services, reports: following.reports });
};
const reportsOf = async (scheduleId: string, key = psp.apiKey) =>
  contentOf(await t.get(`/v1/report?scheduleId=${scheduleId}`, key)).items;

describe('a schedule', () => {
  it('says when its next report is due, and is journalled as it is shown', async () => {
    const made = await created({}, psp.apiKey, { 'x-client-id': client.id });
    expect(made).toMatchObject({
      ...{ ...monthly, clientId: client.id, covers: 'FINISHED', state: 'ACTIVE', parameters: {} },
      nextAt: '2026-12-02T05:00:00.000Z',
    });
    const later = contentOf(await t.post(`/v1/report-schedule/${made.scheduleId}`, { hour: 7 }, psp.apiKey));
    expect(later).toMatchObject({ hour: 7, onDay: 2, nextAt: '2026-12-02T06:00:00.000Z', version: 2 });
    const daily = contentOf(await t.post(`/v1/report-schedule/${made.scheduleId}`, { every: 'DAY' }, psp.apiKey));
    expect(daily).toMatchObject({ every: 'DAY', onDay: null, nextAt: '2026-11-21T06:00:00.000Z' });
    const ended = contentOf(await end(made.scheduleId));
    expect(ended).toMatchObject({ state: 'ENDED', nextAt: null, version: 4 });
    const entries = await told(t, made.scheduleId);
    expect(entries.map((e) => e.kind)).toEqual([
      'report_schedule.created',
      'report_schedule.changed',
      'report_schedule.changed',
      'report_schedule.ended',
    ]);
  });

  it('is changed and ended by who made it, administrators and reviewers, not by others who look', async () => {
    const [auditor, other, reviewer] = [
      await enter(t, psp, 'auditor'),
      await enter(t, psp, 'auditor'),
      await enter(t, psp, 'reviewer'),
    ];
    const ofKey = await created();
    const own = contentOf(await auditor.post('/v1/report-schedule', { ...monthly, onDay: 3 }));
    for (const [who, id] of [
      [auditor, ofKey.scheduleId],
      [other, own.scheduleId],
    ] as const) {
      expectRefusal(await who.post(`/v1/report-schedule/${id}`, { hour: 1 }), 403, 'ROLE', /auditor/);
      expectRefusal(await who.post(`/v1/report-schedule/${id}/end`, {}), 403, 'ROLE');
    }
    expect(contentOf(await t.get(`/v1/report-schedule/${ofKey.scheduleId}`, psp.apiKey))).toMatchObject({
      ...{ hour: 6, state: 'ACTIVE', version: 1 },
    });
    expect(contentOf(await auditor.post(`/v1/report-schedule/${own.scheduleId}`, { hour: 1 })).hour).toBe(1);
    expect(contentOf(await auditor.post(`/v1/report-schedule/${own.scheduleId}/end`, {})).state).toBe('ENDED');
    expect(contentOf(await reviewer.post(`/v1/report-schedule/${ofKey.scheduleId}/end`, {})).state).toBe('ENDED');
  });

  it('is there once, ends once, and is not changed after its end', async () => {
    const one = await created();
    const again = await create();
    expect([contentOf(again).scheduleId, again.headers.get('idempotency-replayed')]).toEqual([one.scheduleId, 'true']);
    await end(one.scheduleId);
    expect(contentOf(await end(one.scheduleId)).version).toBe(2);
    expectRefusal(
      await t.post(`/v1/report-schedule/${one.scheduleId}`, { hour: 1 }, psp.apiKey),
      409,
      'STATE_CONFLICT',
    );
    const other = await created();
    expect(other.scheduleId).not.toBe(one.scheduleId);
    await end(other.scheduleId);
  });

  it.each([
    ['a zone that is none', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['an offset in place of a zone', { timeZone: '+01:00' }, 'timeZone'],
    ['no day of the week', { every: 'WEEK', onDay: undefined }, 'onDay'],
    ['an eighth day of the week', { every: 'WEEK', onDay: 8 }, 'onDay'],
    ['a day for every day', { every: 'DAY' }, 'onDay'],
    ['a day beyond the longest month', { onDay: 32 }, 'onDay'],
    ['an hour beyond the day', { hour: 24 }, 'hour'],
    ['a month, which it fills in itself', { period: '2026-10' }, 'period'],
    ['a parameter of another kind', { countryCode: 'NG' }, 'countryCode'],
    ['too few parameters', { kind: 'vatReturn' }, 'countryCode'],
  ])('refuses %s and names the field', async (_, over, field) => {
    const r = await create(over);
    expect(r.status, r.text).toBe(400);
    expect(r.body.message).toContain(`'${field}'`);
  });

  it('is for the PSP and staff: another PSP neither sees, changes nor ends it, a client none at all', async () => {
    const mine = await created({ hour: 8 });
    const stranger = await t.makePsp('Stranger');
    expect(contentOf(await t.get('/v1/report-schedule', stranger.apiKey)).items).toEqual([]);
    expectRefusal(
      await t.post(`/v1/report-schedule/${mine.scheduleId}`, { hour: 1 }, stranger.apiKey),
      404,
      'NOT_FOUND',
    );
    expectRefusal(await end(mine.scheduleId, stranger.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await create({}, client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get('/v1/report-schedule', client.apiKey), 403, 'AUDIENCE');
    const all = contentOf(await t.get('/v1/report-schedule?state=ACTIVE', operator.apiKey)).items;
    expect(all.map((s: { scheduleId: string }) => s.scheduleId)).toContain(mine.scheduleId);
    await end(mine.scheduleId, operator.apiKey);
  });
});

describe('reports that are due', () => {
  it('are made once for each time, however many processes look at once', async () => {
    const { scheduleId } = await created();
    await due();
    expect(await reportsOf(scheduleId)).toEqual([]);
    // Two months pass without the service.
    t.advance(Date.parse('2027-01-02T05:00:00Z') - t.now());
    await Promise.all(Array.from({ length: 8 }, due));
    await quiet(t);
    const made = await reportsOf(scheduleId);
    expect(made.map((r: { parameters: object; state: string }) => [r.parameters, r.state])).toEqual([
      [{ period: '2026-12' }, 'DONE'],
      [{ period: '2026-11' }, 'DONE'],
    ]);
    expect(made.map((r: { requestedBy: string }) => r.requestedBy)).toEqual(['schedule', 'schedule']);
    const entries = await t.database.admin.query(
      "SELECT body FROM journal WHERE kind = 'report.completed' ORDER BY id",
    );
    const announced = entries.map((e) => JSON.parse(e.body as string));
    expect(announced.map((e) => [e.event, e.data.scheduleId, e.data.dueAt]).sort()).toEqual([
      ['Report Change', scheduleId, '2026-12-02T05:00:00.000Z'],
      ['Report Change', scheduleId, '2027-01-02T05:00:00.000Z'],
    ]);
    const [row] = contentOf(await t.get('/v1/report-schedule?state=ACTIVE', psp.apiKey)).items;
    expect(row).toMatchObject({ scheduleId, nextAt: '2027-02-02T05:00:00.000Z', problem: null });
    await end(scheduleId);
    t.advance(60 * day);
    await due();
    expect(await reportsOf(scheduleId)).toHaveLength(2);
  });

  it('are held to one by the database itself', async () => {
    const [r] = await t.database.admin.query('SELECT * FROM reports WHERE schedule_id IS NOT NULL LIMIT 1');
    await expect(
      t.database.admin.query(
        `INSERT INTO reports SELECT psp_id, gen_random_uuid(), gen_random_uuid(), revision, account_id, kind, parameters, state,
           percent, begun, reason, provisional, as_of, as_of_seq, manifest, requested_by, created_at, started_at, finished_at,
           schedule_id, due_at FROM reports WHERE id = $1`,
        [r?.id],
      ),
    ).rejects.toThrow(/reports_by_schedule/);
  });

  it('say why one could not be requested, and the next is made', async () => {
    const { scheduleId } = await created({ kind: 'vatReturn', countryCode: 'NG', every: 'DAY', onDay: undefined });
    await t.database.admin.query(
      `UPDATE report_schedules SET parameters = '{"countryCode":"ZZ"}' WHERE state = 'ACTIVE'`,
    );
    t.advance(day);
    await due();
    const problem = async () => contentOf(await t.get('/v1/report-schedule?state=ACTIVE', psp.apiKey)).items[0].problem;
    expect(await problem()).toContain("'ZZ'");
    expect(await reportsOf(scheduleId)).toEqual([]);
    await t.database.admin.query(
      `UPDATE report_schedules SET parameters = '{"countryCode":"NG"}' WHERE state = 'ACTIVE'`,
    );
    t.advance(day);
    await due();
    expect(await problem()).toBeNull();
    expect(await reportsOf(scheduleId)).toHaveLength(1);
    await end(scheduleId);
    await quiet(t);
  });

  it('are further revisions when they are run again, beside their schedule', async () => {
    const { items } = contentOf(await t.get('/v1/report?state=DONE', psp.apiKey));
    const first = items.find((r: { scheduleId: string | null }) => r.scheduleId !== null);
    const again = contentOf(await t.post(`/v1/report/${first.reportId}/rerun`, {}, psp.apiKey));
    expect([again.revision, again.scheduleId]).toEqual([2, first.scheduleId]);
    await quiet(t);
    await expectJournalComplete(t);
  });
});
