// Requests the reports that are due by their schedules. Any number of processes may look at the same time: the schedule
// is locked, and each report of a schedule is there once.
import { Refusal, said } from '../../../core/refusal.ts';
import { duesUntil } from '../../../core/reports/schedule.ts';
import type { Database } from '../../../platform/database.ts';
import { errorFields } from '../../../platform/log.ts';
import { findAccount } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { kindNamed } from '../kinds.ts';
import { checkRequest, requestScheduled } from '../request.ts';
import type { HasReports } from '../runner.ts';
import { parametersAt, type ScheduleNeeds } from './change-schedule.ts';
import { listDue, lockSchedule, moveOn, type Schedule } from './schedule-store.ts';

const page = 200;

/** One pass over all schedules with a report due. What fails here is tried again at the next pass. */
export async function requestDueReports(s: ScheduleNeeds & Needs<'clock' | 'log'> & HasReports): Promise<void> {
  const now = s.clock();
  const failed = new Set<string>();
  for (;;) {
    const due = await listDue(s.db, new Date(now).toISOString(), page + failed.size);
    const next = due.filter((x) => !failed.has(x.id));
    if (next.length === 0) break;
    for (const schedule of next)
      try {
        if (!(await one(s, schedule, now))) failed.add(schedule.id);
      } catch (e) {
        failed.add(schedule.id);
        s.log.warn({ ...errorFields(e), schedule: schedule.id }, 'a scheduled report was not requested');
      }
  }
  void s.reports.work();
}

/**
 * Requests the oldest report that is due, in one commit with the time of the next.
 * @returns false if it waits for the next pass
 */
async function one(s: ScheduleNeeds & Needs<'log'>, { psp, id }: Schedule, now: number): Promise<boolean> {
  return await s.db.transaction(async (tx) => {
    const schedule = await lockSchedule(tx, { psp, id });
    // Another process was faster, or it was ended.
    if (schedule?.state !== 'ACTIVE' || schedule.nextAt === null) return true;
    const first = Date.parse(schedule.nextAt);
    if (first > now) return true;
    const { dues, left, next } = duesUntil(schedule, first, now);
    if (left > 0) s.log.warn({ schedule: id, left }, 'reports that were due while the service was away are left out');
    const [due = first, following = next] = dues;
    const dueAt = new Date(due).toISOString();
    const problem = await requested(tx, s, schedule, due);
    const isBusy = problem instanceof Refusal && (problem.code === 'LIMIT_REACHED' || problem.code === 'OVERLOADED');
    if (isBusy) return false;
    await moveOn(tx, schedule, new Date(following).toISOString(), problem instanceof Refusal ? problem.message : null);
    if (problem instanceof Refusal) {
      s.log.warn({ schedule: id, dueAt, reason: problem.message }, 'a scheduled report could not be requested');
      return true;
    }
    const { account, kind } = schedule;
    await requestScheduled(tx, s, { psp, account, kind, parameters: problem, schedule: id, dueAt }, now);
    return true;
  });
}

/** The parameters of the report, or why it cannot be requested. */
async function requested(tx: Database, s: ScheduleNeeds, schedule: Schedule, due: number) {
  const kind = kindNamed(schedule.kind);
  const account = await findAccount(tx, schedule.psp, schedule.account);
  if (!kind || !account) return new Refusal('NOT_FOUND', said`there is no report '${schedule.kind}' for this account`);
  try {
    return checkRequest(s, kind, account, parametersAt(s, kind, account, schedule, due), due);
  } catch (e) {
    if (e instanceof Refusal) return e;
    throw e;
  }
}
