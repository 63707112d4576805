// The journal's reader that keeps daily totals, some ten portions a second: fewer would each be so large that what is
// read outlives the young heap (0069).
import { localDate } from '../../core/calendar.ts';
import type { DayOf } from '../../core/totals/figures.ts';
import type { Pool } from '../../platform/database.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Needs } from '../kernel/needs.ts';
import { countEntries, nothingCounted, totalsReader } from './count-entries.ts';
import { addCells, addRedated } from './totals-store.ts';

/** Dates in the calendar of a country's tax rules; UTC where it has none. */
export const dayOfCountry =
  ({ rates }: Needs<'rates'>): DayOf =>
  (country, iso) =>
    localDate(rates.book.country(country)?.timeZone ?? 'UTC', Date.parse(iso));

export function makeTotalsReader(
  services: Needs<'log' | 'rates'>,
  pool: Pick<Pool, 'query' | 'transaction'>,
): JournalReader {
  const dayOf = dayOfCountry(services);
  return new JournalReader({
    name: totalsReader,
    pool,
    log: services.log,
    limit: 2000,
    gapMs: 100,
    async read(tx, psp, entries) {
      const counted = nothingCounted();
      await countEntries(tx, psp, entries, dayOf, counted);
      await addCells(tx, psp, counted.tally);
      await addRedated(tx, psp, counted.redated);
    },
  });
}
