// All SQL on schedules of reports, and their wire form.
import { accountWire, type PspId, toWire } from '../../../core/ids.ts';
import { canonical } from '../../../core/request.ts';
import { ReportScheduleResource } from '../../../entries/reports.ts';
import { resourceOf } from '../../../entries/schema.ts';
import type { Database } from '../../../platform/database.ts';
import { reportSchedules } from '../../../records/report-schedules.ts';
import { type RecordOf, tableOf } from '../../../records/table.ts';
import { row } from '../../kernel/journal.ts';
import type { StaffListFilter } from '../../kernel/list-filter.ts';

const table = tableOf(reportSchedules);
export type Schedule = RecordOf<typeof reportSchedules>;

export const scheduleRow = (r: Schedule) =>
  row('report_schedules', { ...table.toRow(r), parameters: canonical(r.parameters) });

export const findSchedule = (db: Database, psp: PspId, id: string): Promise<Schedule | undefined> =>
  table.find(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);

/** A schedule of any PSP, for the operator. */
export const findAnySchedule = (db: Database, id: string): Promise<Schedule | undefined> =>
  table.find(db, 'WHERE id = $1', [id]);

/** The schedule as it is now, locked until the transaction ends. */
export const lockSchedule = (tx: Database, s: Pick<Schedule, 'psp' | 'id'>): Promise<Schedule | undefined> =>
  table.find(tx, 'WHERE psp_id = $1 AND id = $2 FOR UPDATE', [s.psp, s.id]);

/** Serialises what is decided on all schedules of a PSP until the transaction ends. */
export async function lockSchedules(tx: Database, psp: PspId): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`report-schedules|${psp}`]);
}

export const activeSchedules = (db: Database, psp: PspId): Promise<Schedule[]> =>
  table.read(db, "WHERE psp_id = $1 AND state = 'ACTIVE' ORDER BY id", [psp]);

export interface ScheduleFilter extends StaffListFilter<'state'> {
  /** Kinds the caller may see. */
  readonly kinds: readonly string[];
}

/** Newest first. */
export const listSchedules = (db: Database, f: ScheduleFilter): Promise<Schedule[]> =>
  table.read(
    db,
    `WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::uuid IS NULL OR account_id = $2) AND kind = ANY ($3)
       AND ($4::text IS NULL OR state = $4) AND ($5::uuid IS NULL OR id < $5)
     ORDER BY id DESC LIMIT $6`,
    [f.psp, f.account, f.kinds, f.state, f.before, f.limit],
  );

/** Schedules with a report due, the longest due first. */
export const listDue = (db: Database, at: string, limit: number): Promise<Schedule[]> =>
  table.read(db, "WHERE state = 'ACTIVE' AND next_at <= $1 ORDER BY next_at, id LIMIT $2", [at, limit]);

/** @param problem why the report that was due could not be requested */
export async function moveOn(tx: Database, s: Schedule, nextAt: string, problem: string | null): Promise<void> {
  await tx.query('UPDATE report_schedules SET next_at = $3, problem = $4 WHERE psp_id = $1 AND id = $2', [
    s.psp,
    s.id,
    nextAt,
    problem,
  ]);
}

/** What its entity tag is of: what people set, without when the next report is due. */
export const scheduleState = (s: Schedule) => [s.id, s.version];

export const scheduleResource = (s: Schedule) =>
  resourceOf(ReportScheduleResource, s, {
    scheduleId: toWire('reportSchedule', s.id),
    clientId: accountWire(s.psp, s.account),
  });
