// Chooses whole days for a list: a range by name, or the first and last day, in the time zone of the page.

import { Select, TextInput } from '@mantine/core';
import { isDay, type Range, rangeOf, ranges } from '../data/days.ts';
import { todayIn } from '../data/now.ts';
import type { Filters } from '../data/path.ts';
import { useZone } from '../data/use-zone.ts';
import { cityOf } from '../data/zone.ts';
import { say } from '../words/words.ts';

interface Props {
  readonly filters: Filters;
  readonly set: (change: Filters) => void;
  /** Names of the filters in the URL. */
  readonly names?: { readonly from: string; readonly to: string };
  /** The days are those of the country that taxes, not of the page's time zone. */
  readonly ofTax?: boolean;
}

const usual = { from: 'from', to: 'to' };

/** Three fields, for the grid of a filter bar. */
export function DayFilters({ filters, set, names = usual, ofTax = false }: Props) {
  const zone = useZone();
  const [from, to] = [filters[names.from], filters[names.to]];
  // A link may name moments, which these fields cannot show.
  const days = { from: isDay(from) ? from : undefined, to: isDay(to) ? to : undefined };
  const chosen = rangeOf(days, todayIn(zone));
  const choose = (range: string | null) => {
    const [first, last] = range === null ? [] : ranges[range as Range].of(todayIn(zone));
    set({ [names.from]: first, [names.to]: last });
  };
  return (
    <>
      <Select
        label={say('Days')}
        placeholder={from || to ? say('As chosen') : say('Any')}
        clearable
        clearButtonProps={{ 'aria-label': say('Any day') }}
        data={Object.entries(ranges).map(([value, { label }]) => ({ value, label }))}
        value={chosen ?? null}
        onChange={choose}
      />
      <TextInput
        type="date"
        label={ofTax ? say('Tax date from') : say('From ({zone})', { zone: cityOf(zone) })}
        value={days.from ?? ''}
        max={days.to}
        onChange={(e) => set({ [names.from]: e.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={ofTax ? say('Tax date up to') : say('Up to ({zone})', { zone: cityOf(zone) })}
        value={days.to ?? ''}
        min={days.from}
        onChange={(e) => set({ [names.to]: e.currentTarget.value })}
      />
    </>
  );
}
