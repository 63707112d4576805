// Deliveries in a period: files per day, file numbers that are missing or were used twice, repeated lines, and lines in
// suspense.
import { dayMs, localDate } from '../../../core/calendar.ts';
import {
  type DoubledNumber,
  dayOf,
  readFileName,
  readSequence,
  type SequenceGap,
} from '../../../core/cdr/file-names.ts';
import { fileInTimeDays } from '../../../core/cdr/thresholds.ts';
import { filesWithin } from '../files/file-store.ts';
import type { FindingsScope } from './slice.ts';

export interface DeliveredFile {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly state: string;
  /** The day it belongs to: the date in its name if it came in time, otherwise the day it was picked up. */
  readonly day: string;
  /** Whether its lines were processed: false if the whole file was rejected or repeats another file. */
  readonly counted: boolean;
  readonly accepted: number;
  readonly rejected: number;
  readonly duplicate: number;
}

export interface Delivered {
  /** Files that belong to days of the period. */
  readonly files: readonly DeliveredFile[];
  readonly gaps: readonly (SequenceGap<DeliveredFile> & { account: string })[];
  readonly doubled: readonly (DoubledNumber<DeliveredFile> & { account: string })[];
}

/** The date a file belongs to. @param pickedUp ISO date in the period's time zone */
function fileDay(name: string, pickedUp: string): string {
  const read = readFileName(name);
  if (!read) return pickedUp;
  const days = (Date.parse(pickedUp) - Date.parse(dayOf(read))) / dayMs;
  return Math.abs(days) <= fileInTimeDays ? dayOf(read) : pickedUp;
}

export async function readDelivered(s: FindingsScope): Promise<Delivered> {
  const { from, to, timeZone } = s.period;
  const [first, last] = [localDate(timeZone, from), localDate(timeZone, to - 1)];
  // Longer than the time in which files may come, since the date in a name may be of another time zone.
  const reach = (fileInTimeDays + 2) * dayMs;
  const picked = await filesWithin(s.db, s.psp, s.accounts, from - reach, to + reach);
  const all = picked.map(
    ({ id, account, name, state, pickedUpAt, findings, tally: { counts } }): DeliveredFile => ({
      ...{ id, account, name, state },
      day: fileDay(name, localDate(timeZone, Date.parse(pickedUpAt))),
      counted: state !== 'DUPLICATE_FILE' && !findings.some((f) => f.severity === 'error'),
      accepted: counts.accepted,
      rejected: counts.rejected,
      duplicate: counts.duplicate,
    }),
  );
  const within = (f: DeliveredFile) => f.day >= first && f.day <= last;
  const gaps: (SequenceGap<DeliveredFile> & { account: string })[] = [];
  const doubled: (DoubledNumber<DeliveredFile> & { account: string })[] = [];
  for (const account of s.accounts) {
    const read = readSequence(all.filter((f) => f.account === account && f.counted));
    gaps.push(...read.gaps.filter((g) => within(g.before)).map((g) => ({ ...g, account })));
    doubled.push(...read.doubled.filter((d) => within(d.again)).map((d) => ({ ...d, account })));
  }
  return { files: all.filter(within), gaps, doubled };
}

/** Rejected lines of some files, by account, state and currency. */
export interface Suspense {
  readonly account: string;
  readonly state: string;
  /** Currency of the cost; null if it could not be read. */
  readonly currency: string | null;
  readonly lines: number;
  /** Sum of the costs that could be read; null if the currency is null. */
  readonly cost: string | null;
}

export async function readSuspense(s: FindingsScope, files: readonly DeliveredFile[]): Promise<Suspense[]> {
  return s.db.query<Suspense>(
    `SELECT account_id AS account, state, currency, count(*) AS lines, sum(cost) AS cost FROM cdr_suspense
     WHERE psp_id = $1 AND file_id = ANY ($2::uuid[]) GROUP BY account_id, state, currency
     ORDER BY account_id, state, currency`,
    [s.psp, files.filter((f) => f.rejected > 0).map((f) => f.id)],
  );
}
