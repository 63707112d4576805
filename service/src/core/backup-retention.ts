// Decides which of the backups in a folder are kept: the newest of each of the last days, weeks and months that have one.
// It knows names and moments only and must never name for removal what is no backup of a schedule, or the newest one.
import { dayMs } from './calendar.ts';

export interface Keep {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

const form = /^assay-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.backup$/;
/** The file name of a backup that was begun at this moment, in milliseconds; seconds are kept. */
export const backupName = (ms: number): string =>
  `assay-${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`;

/** When the backup of this file name was begun, in milliseconds; undefined if the name is not one of a scheduled backup. */
export function momentOfBackup(name: string): number | undefined {
  const [, y, m, d, h, min, s] = form.exec(name) ?? [];
  if (y === undefined) return undefined;
  const ms = Date.parse(`${y}-${m}-${d}T${h}:${min}:${s}Z`);
  return Number.isNaN(ms) || backupName(ms) !== name ? undefined : ms;
}

/** Days, weeks from Monday, and months, all in UTC. */
const periods: readonly (readonly [keyof Keep, (ms: number) => string | number])[] = [
  ['daily', (ms) => Math.floor(ms / dayMs)],
  // The first of January 1970 was a Thursday.
  ['weekly', (ms) => Math.floor((Math.floor(ms / dayMs) + 3) / 7)],
  ['monthly', (ms) => new Date(ms).toISOString().slice(0, 7)],
];

/**
 * The names to remove, oldest first. Periods without a backup do not count, so that a pause of the schedule removes
 * nothing by itself; the newest backup is always kept. One from after `nowMs` was made while the clock was wrong: it stays, and
 * takes no other's place.
 */
export function backupsPastKeeping(names: readonly string[], keep: Keep, nowMs: number): string[] {
  const all = names
    .flatMap((name) => {
      const ms = momentOfBackup(name);
      return ms === undefined || ms > nowMs ? [] : [{ name, ms }];
    })
    .sort((a, b) => b.ms - a.ms);
  const kept = new Set(all.slice(0, 1).map((b) => b.name));
  for (const [period, of] of periods) {
    const seen = new Set<string | number>();
    for (const { name, ms } of all) {
      if (seen.size >= keep[period]) break;
      if (seen.has(of(ms))) continue;
      seen.add(of(ms));
      kept.add(name);
    }
  }
  return all
    .filter((b) => !kept.has(b.name))
    .map((b) => b.name)
    .reverse();
}
