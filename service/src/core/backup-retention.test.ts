// What is kept of many backups: so many days, weeks and months back, never fewer than one, and nothing that is not ours.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backupName, backupsPastKeeping, type Keep, momentOfBackup } from './backup-retention.ts';

const at = (iso: string) => backupName(Date.parse(iso));
const later = Date.parse('2100-01-01T00:00:00Z');
const keptOf = (names: readonly string[], keep: Keep, nowMs = later) => {
  const gone = new Set(backupsPastKeeping(names, keep, nowMs));
  return names.filter((n) => !gone.has(n));
};
const moments = fc.integer({ min: 946_684_800, max: 4_102_444_799 }).map((s) => s * 1000);
const counts = fc.record({ daily: fc.nat(9), weekly: fc.nat(9), monthly: fc.nat(9) });

describe('the name of a scheduled backup', () => {
  it('says when it was begun, and reads back', () => {
    expect(at('2026-12-01T01:23:45Z')).toBe('assay-20261201T012345Z.backup');
    fc.assert(fc.property(moments, (ms) => momentOfBackup(backupName(ms)) === ms));
  });

  it.each([
    'assay-2026-12-01.backup',
    'assay-20261301T012345Z.backup',
    'assay-20260230T012345Z.backup',
    'assay-20261201T012345Z.backup.half',
    'assay-20261201T012345Z.backup.unchecked',
    'other-20261201T012345Z.backup',
    '../assay-20261201T012345Z.backup',
  ])('is not %s', (name) => expect(momentOfBackup(name)).toBeUndefined());
});

describe('backups of two years, one a night', () => {
  const nights = Array.from({ length: 730 }, (_, i) => at(new Date(Date.UTC(2025, 0, 1 + i, 1, 23)).toISOString()));
  const keep = { daily: 7, weekly: 4, monthly: 12 };

  it('leave a week of days, a month of weeks and a year of months, each the newest of its period', () => {
    expect(keptOf(nights, keep).map((n) => n.slice(6, 14))).toEqual([
      ...['20260131', '20260228', '20260331', '20260430', '20260531', '20260630'],
      ...['20260731', '20260831', '20260930', '20261031', '20261130'],
      // 2026-12-31 is a Thursday: its week, and the three whole weeks before it with their Sundays.
      ...['20261213', '20261220'],
      ...['20261225', '20261226', '20261227', '20261228', '20261229', '20261230', '20261231'],
    ]);
  });

  it('leave the same if old ones were removed every night', () => {
    let folder: string[] = [];
    for (const night of nights) folder = keptOf([...folder, night], keep);
    expect(folder).toEqual(keptOf(nights, keep));
  });
});

describe('what is kept', () => {
  it('is the newest of a day with several', () => {
    const day = ['2026-12-01T01:00:00Z', '2026-12-01T13:00:00Z', '2026-12-02T01:00:00Z'].map(at);
    expect(backupsPastKeeping(day, { daily: 2, weekly: 0, monthly: 0 }, later)).toEqual([day[0]]);
  });

  it('lasts through a pause of the schedule: periods without a backup do not count', () => {
    const names = ['2025-03-01T01:00:00Z', '2025-03-02T01:00:00Z', '2026-12-01T01:00:00Z'].map(at);
    expect(backupsPastKeeping(names, { daily: 3, weekly: 0, monthly: 0 }, later)).toEqual([]);
  });

  it('is not what a wrong clock made later than now: that stays, and the nights since lose nothing to it', () => {
    const nights = Array.from({ length: 9 }, (_, i) => at(`2026-12-0${i + 1}T01:23:00Z`));
    const ahead = Array.from({ length: 7 }, (_, i) => at(`2028-03-0${i + 1}T01:23:00Z`));
    const now = Date.parse('2026-12-09T01:24:00Z');
    const keep = { daily: 3, weekly: 0, monthly: 0 };
    expect(keptOf([...nights, ...ahead], keep, now)).toEqual([...nights.slice(-3), ...ahead]);
    expect(keptOf([...nights, ...ahead], keep)).toEqual(ahead.slice(-3));
  });

  it('holds the newest whatever the numbers, and names no other file, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.uniqueArray(moments, { minLength: 1, maxLength: 60 }), counts, (all, keep) => {
        const names = all.map(backupName);
        const gone = backupsPastKeeping([...names, 'notes.txt', 'db.backup'], keep, later);
        expect(gone).not.toContain(backupName(Math.max(...all)));
        expect(gone.filter((n) => !names.includes(n))).toEqual([]);
        expect(backupsPastKeeping(names.toReversed(), keep, later)).toEqual(gone);
        // What is left is all kept when it is looked at again, and larger numbers remove no more.
        const left = names.filter((n) => !gone.includes(n));
        expect(backupsPastKeeping(left, keep, later)).toEqual([]);
        const more = { daily: keep.daily + 1, weekly: keep.weekly + 1, monthly: keep.monthly + 1 };
        expect(backupsPastKeeping(names, more, later).filter((n) => !gone.includes(n))).toEqual([]);
      }),
    );
  });
});
