// Which months are in the archive, for everything that would otherwise silently find less. A month is in the archive
// from the commit that takes its records out of the tables: what reads this after reading records misses nothing.
import { dayMs } from '../../core/calendar.ts';
import { type PspId, timeOfId } from '../../core/ids.ts';
import { type Refusal, refuse, said } from '../../core/refusal.ts';
import type { RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';

/** SQL: the lowest id of a day, given as a parameter. */
export const firstIdOf = (parameter: string): string => `uuid_floor(${parameter}::date::timestamp AT TIME ZONE 'UTC')`;

/** The first day (UTC) whose records are in the tables; undefined if nothing is archived. */
export async function archivedBefore(db: Database): Promise<string | undefined> {
  const [r] = await db.query<{ day: string | null }>(
    "SELECT (max(month) + interval '1 month')::date AS day FROM archived_months",
  );
  return r?.day ?? undefined;
}

/** Whether a record with this id was made before the day. */
export const isBefore = (id: string, day: string): boolean => timeOfId(id) < Date.parse(`${day}T00:00:00Z`);

export const archived = (before: string, what = 'this'): Refusal =>
  refuse(
    'ARCHIVED',
    said`${what} is of a month in the archive, which holds what was recorded before ${before} (UTC); nothing was recorded or decided again. The operator of the service reads it with \`assay archive read\`, or brings the month back with \`assay archive restore\``,
  );

/** The refusal for refs whose records are in the archive; undefined if there is none among them. */
export async function whyArchived(db: Database, refs: readonly RefKey[]): Promise<Refusal | undefined> {
  const before = await archivedBefore(db);
  if (before === undefined) return undefined;
  const [found] = await db.query<{ ref: string }>(
    `SELECT r.ref FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) AS k(p, s, f, a)
     JOIN refs r ON r.psp_id = k.p AND r.space = k.s AND r.ref = k.f AND r.account_id = k.a
     WHERE r.target_id < ${firstIdOf('$5')} LIMIT 1`,
    [refs.map((r) => r.psp), refs.map((r) => r.space), refs.map((r) => r.ref), refs.map((r) => r.account), before],
  );
  return found && archived(before, `the record with the ref '${found.ref}'`);
}

/** The number up to which the records' entries of a PSP's journal are in the archive; 0 for none. */
export async function archivedThrough(db: Database, psp: PspId): Promise<number> {
  const [r] = await db.query<{ through: number }>(
    'SELECT coalesce(max(through), 0)::bigint AS through FROM archived_journals WHERE psp_id = $1',
    [psp],
  );
  return r?.through ?? 0;
}

/**
 * Expects that no period that begins so reaches into the archive.
 * @param starts days, months or quarters of some country's calendar, or moments; anything else is left to others
 * @throws ARCHIVED
 */
export async function expectPeriodLive(db: Database, starts: readonly unknown[]): Promise<void> {
  const begun = starts.map(startOf).filter((t) => t !== undefined);
  const before = begun.length === 0 ? undefined : await archivedBefore(db);
  if (before === undefined) return;
  // Where zones are ahead of UTC, the first day begins in the month before.
  const firstMs = Date.parse(`${before}T00:00:00Z`);
  if (begun.some((t) => t.ms < firstMs + (t.isLocal ? dayMs : 0))) throw archived(before, 'part of the period');
}

function startOf(value: unknown): { readonly ms: number; readonly isLocal: boolean } | undefined {
  if (typeof value !== 'string') return undefined;
  const quarter = /^(\d{4})-?Q([1-4])$/.exec(value);
  const [, first] = /^(\d{4}|\d{4}-\d{2}\/\d{4}-\d{2})$/.exec(value) ?? [];
  const text = quarter
    ? `${quarter[1]}-${String(Number(quarter[2]) * 3 - 2).padStart(2, '0')}`
    : first === undefined
      ? value
      : first.length === 4
        ? `${first}-01`
        : first.slice(0, 7);
  const isLocal = /^\d{4}-\d{2}(-\d{2})?$/.test(text);
  const ms = Date.parse(isLocal ? `${text.length === 7 ? `${text}-01` : text}T00:00:00Z` : text);
  return Number.isNaN(ms) ? undefined : { ms, isLocal };
}
