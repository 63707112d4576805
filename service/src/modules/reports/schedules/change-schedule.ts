// Creates, changes and ends schedules of reports. What a schedule asks for is checked as a request of today would be, so
// that nobody learns of a mistake a month later.
import { isTimeZone } from '../../../core/calendar.ts';
import { notFound, phrase, refuse, said } from '../../../core/refusal.ts';
import type { Parameters } from '../../../core/reports/manifest.ts';
import { type Covers, daysOf, nextDue, type Rhythm } from '../../../core/reports/schedule.ts';
import { canonical } from '../../../core/request.ts';
import type { Account } from '../../accounts/index.ts';
import { type Condition, expectState } from '../../kernel/condition.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import type { Needs, Principal } from '../../kernel/needs.ts';
import { recordIn } from '../../kernel/record-in.ts';
import type { ReportKind } from '../../kernel/report.ts';
import { timeZoneOf } from '../../kernel/report-period.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import type { ReportNeeds } from '../kinds.ts';
import { checkRequest, parametersOf } from '../request.ts';
import {
  activeSchedules,
  lockSchedule,
  lockSchedules,
  type Schedule,
  scheduleResource,
  scheduleRow,
  scheduleState,
} from './schedule-store.ts';

/** Maximum active schedules per PSP. */
const mostSchedules = 200;

export type ScheduleNeeds = Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference' | 'rates' | 'subjects'> &
  HasRateKeeper;
export type Plan = Rhythm & { readonly covers: Covers; readonly parameters: Parameters };

const wanted = (kind: ReportKind): string[] => (kind.parameters.required ?? []) as string[];

/** All parameters of the report that is due at a moment. */
export function parametersAt(
  s: Needs<'reference' | 'rates'>,
  kind: ReportKind,
  concerned: Pick<Account, 'country'>,
  plan: Plan,
  dueMs: number,
): Parameters {
  const days = daysOf(plan, plan.covers, timeZoneOf(s, concerned.country), dueMs, wanted(kind));
  return parametersOf(kind, { ...plan.parameters, ...days });
}

/** @throws Refusal that names the field */
function checkPlan(
  s: ScheduleNeeds,
  kind: ReportKind<ReportNeeds>,
  concerned: Account,
  given: Plan,
  now: number,
): Plan {
  const { every, onDay, timeZone } = given;
  if (!isTimeZone(timeZone))
    throw refuse(
      'FIELD_INVALID',
      said`the field 'timeZone' must be an IANA time zone such as Africa/Lagos, not '${timeZone}'`,
    );
  if (every !== 'DAY' && onDay === null)
    throw refuse('FIELD_INVALID', said`the field 'onDay' must say the day of the ${phrase(every.toLowerCase())}`);
  if (every === 'DAY' && onDay !== null)
    throw refuse('FIELD_INVALID', "the field 'onDay' must be left out for a report of every day");
  if (every === 'WEEK' && (onDay as number) > 7)
    throw refuse('FIELD_INVALID', "the field 'onDay' must be 1 (Monday) to 7 (Sunday) for a report of every week");
  const trial = parametersAt(s, kind, concerned, given, now);
  checkRequest(s, kind, concerned, trial, now);
  return given;
}

/** @returns the schedule, and whether it existed already */
export async function createSchedule(
  s: ScheduleNeeds,
  principal: Principal,
  kind: ReportKind<ReportNeeds>,
  concerned: Account,
  given: Plan,
  now: number,
): Promise<{ schedule: Schedule; known: boolean }> {
  const plan = checkPlan(s, kind, concerned, given, now);
  const { psp, id: account } = concerned;
  const at = new Date(now).toISOString();
  return await s.db.transaction(async (tx) => {
    await lockSchedules(tx, psp);
    const active = await activeSchedules(tx, psp);
    const equal = active.find((x) => x.account === account && x.kind === kind.name && isEqual(x, plan));
    if (equal) return { schedule: equal, known: true };
    if (active.length >= mostSchedules)
      throw refuse('LIMIT_REACHED', said`the PSP has ${mostSchedules} schedules; end one that is not needed`);
    const schedule: Schedule = {
      ...{ psp, id: s.ids.next(), account, kind: kind.name },
      ...columnsOf(plan),
      state: 'ACTIVE',
      version: 1,
      createdBy: principal.actor,
      createdAt: at,
      updatedAt: at,
      nextAt: new Date(nextDue(plan, now)).toISOString(),
      problem: null,
    };
    await recordIn(tx, s, { rows: [scheduleRow(schedule), entryOf(s, principal, schedule, 'created')] });
    return { schedule, known: false };
  });
}

/** @param given what changes of the schedule as it then is; the rest stays */
export async function changeSchedule(
  s: ScheduleNeeds,
  principal: Principal,
  kind: ReportKind<ReportNeeds>,
  concerned: Account,
  before: Schedule,
  given: (current: Plan) => Partial<Plan>,
  now: number,
  condition: Condition | undefined,
): Promise<{ schedule: Schedule; known: boolean }> {
  return await changed(s, principal, before, 'changed', now, (current) => {
    const asked = given(current);
    const merged = { ...columnsOf(current), ...asked };
    const onDay = merged.every === 'DAY' && asked.onDay === undefined ? null : merged.onDay;
    const plan = checkPlan(s, kind, concerned, { ...merged, onDay }, now);
    if (isEqual(current, plan)) return undefined;
    expectState(condition, scheduleState(current));
    return { ...current, ...columnsOf(plan), nextAt: new Date(nextDue(plan, now)).toISOString(), problem: null };
  });
}

export const endSchedule = (s: ScheduleNeeds, principal: Principal, before: Schedule, now: number) =>
  changed(s, principal, before, 'ended', now, (current) =>
    current.state === 'ENDED' ? undefined : { ...current, state: 'ENDED', nextAt: null },
  );

/** @param change what it becomes; undefined if nothing changes */
async function changed(
  s: ScheduleNeeds,
  principal: Principal,
  before: Schedule,
  how: 'changed' | 'ended',
  now: number,
  change: (current: Schedule) => Schedule | undefined,
): Promise<{ schedule: Schedule; known: boolean }> {
  return await s.db.transaction(async (tx) => {
    const current = await lockSchedule(tx, before);
    if (!current) throw notFound();
    if (how === 'changed' && current.state === 'ENDED')
      throw refuse('STATE_CONFLICT', 'the schedule has ended; create another one');
    const after = change(current);
    if (!after) return { schedule: current, known: true };
    const schedule = { ...after, version: current.version + 1, updatedAt: new Date(now).toISOString() };
    await recordIn(tx, s, { rows: [scheduleRow(schedule), entryOf(s, principal, schedule, how)] });
    return { schedule, known: false };
  });
}

const columnsOf = ({ every, onDay, hour, timeZone, covers, parameters }: Plan): Plan => ({
  ...{ every, onDay, hour, timeZone, covers, parameters },
});

const isEqual = (a: Plan, b: Plan): boolean => canonical(columnsOf(a)) === canonical(columnsOf(b));

const entryOf = (s: Needs<'ids'>, principal: Principal, schedule: Schedule, how: 'created' | 'changed' | 'ended') =>
  journalRow(s, principal, schedule.updatedAt, {
    kind: `report_schedule.${how}`,
    ...about(schedule),
    data: scheduleResource(schedule),
  });
