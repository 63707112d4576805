// The journal's reader that keeps daily totals, in few large portions: totals may lag a second, and must not take
// from those who decide.
import { localDate } from '../../core/calendar.ts';
import type { DayOf } from '../../core/totals/figures.ts';
import type { Pool } from '../../platform/database.ts';
import { JournalReader } from '../../platform/journal-reader.ts';
import type { Services } from '../kernel/services.ts';
import { countEntries, nothingCounted, totalsReader } from './count-entries.ts';
import { addCells, addRedated } from './totals-store.ts';

/** Dates in the calendar of a country's tax rules; UTC where it has none. */
export const dayOfCountry =
  ({ rates }: Pick<Services, 'rates'>): DayOf =>
  (country, iso) =>
    localDate(rates.book.country(country)?.timeZone ?? 'UTC', Date.parse(iso));

export function makeTotalsReader(services: Services, pool: Pick<Pool, 'query' | 'transaction'>): JournalReader {
  const dayOf = dayOfCountry(services);
  return new JournalReader({
    name: totalsReader,
    pool,
    log: services.log,
    limit: 2000,
    gapMs: 400,
    async read(tx, psp, entries) {
      const counted = nothingCounted();
      await countEntries(tx, psp, entries, dayOf, counted);
      await addCells(tx, psp, counted.tally);
      await addRedated(tx, psp, counted.redated);
    },
  });
}
