// The journal reader that maintains daily totals, in some ten batches a second: with fewer, each would be so large that
// its data outlives the young heap (0069).
import { localDate } from '../../core/calendar.ts';
import type { DayOf } from '../../core/totals/figures.ts';
import type { Pool } from '../../platform/database.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { countEntries, nothingCounted, totalsReader } from './count-entries.ts';
import { addCells, addRedated } from './totals-store.ts';

/** The time zone by which days of a country are counted: that of its tax rules; UTC if it has none. */
export const zoneOfDays = ({ rates }: Needs<'rates'>, country: string): string =>
  rates.book.country(country)?.timeZone ?? 'UTC';

export const dayOfCountry =
  (s: Needs<'rates'>): DayOf =>
  (country, iso) =>
    localDate(zoneOfDays(s, country), Date.parse(iso));

export function makeTotalsReader(
  services: Needs<'clock' | 'log' | 'rates'>,
  pool: Pick<Pool, 'query' | 'transaction'>,
): JournalReader {
  const dayOf = dayOfCountry(services);
  return new JournalReader({
    name: totalsReader,
    pool,
    log: services.log,
    limit: 2000,
    gapMs: 100,
    clock: services.clock,
    async readAll(tx, journals) {
      const counted = journals.map((j) => ({ ...j, ...nothingCounted() }));
      await countEntries(tx, counted, dayOf);
      await addCells(tx, counted);
      await addRedated(tx, counted);
    },
  });
}
