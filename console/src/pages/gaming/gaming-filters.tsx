// The filters above wagers and payouts, and the queries made from them and from links in reports.

import { Button, Group } from '@mantine/core';
import { useMemo } from 'react';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { readCode } from '../../data/amounts.ts';
import { countryChoices } from '../../data/countries.ts';
import type { Filters } from '../../data/path.ts';
import { useIsClient } from '../../data/session.tsx';
import { say } from '../../words/words.ts';

/** Filters without a field, which come from links. */
const marks = {
  rule: say('Tax rule'),
  productLine: say('Product line'),
  dayFrom: say('Local day from'),
  dayTo: say('Local day to'),
};
/** Filters of both lists. */
const shared = ['clientId', 'countryCode', 'currency', ...Object.keys(marks)];

/** The URL's filters that this list supports, without empty ones. */
export const gamingQuery = (filters: Filters, own: readonly string[]): Record<string, string> =>
  Object.fromEntries([...own, ...shared].flatMap((name) => (filters[name] ? [[name, filters[name] as string]] : [])));

interface Props {
  readonly label: string;
  readonly filters: Filters;
  readonly set: (change: Filters) => void;
  readonly fields: readonly (readonly [name: string, label: string, placeholder: string])[];
}

export function GamingFilters({ label, filters, set, fields }: Props) {
  const countries = useMemo(countryChoices, []);
  const isClient = useIsClient();
  const own = fields.map(([name]) => name);
  const all = Object.fromEntries([...own, ...shared].map((name) => [name, undefined]));
  return (
    <Group component="search" aria-label={label} px="md" pb="md" align="flex-end" gap="sm">
      {fields.map(([name, words, placeholder]) => (
        <TextFilter of={name} key={name} label={words} placeholder={placeholder} style={{ flex: '1 1 180px' }} />
      ))}
      {isClient ? null : (
        <div style={{ flex: '1 1 180px' }}>
          <ClientSelect value={filters.clientId} onChange={(clientId) => set({ clientId })} />
        </div>
      )}
      <TextFilter
        of="currency"
        label={say('Currency')}
        placeholder={say('Any')}
        read={readCode}
        wrong={say('A code, such as NGN')}
        style={{ flex: '1 1 120px' }}
      />
      <AnyOf
        of="countryCode"
        label={say('Country')}
        clear={say('Any country')}
        searchable
        data={countries}
        nothingFoundMessage={say('No such country')}
        style={{ flex: '1 1 160px' }}
      />
      {Object.keys(gamingQuery(filters, own)).length > 0 ? (
        <Button variant="subtle" onClick={() => set(all)}>
          {say('Clear all filters')}
        </Button>
      ) : null}
      <FilterMarks of={marks} w="100%" />
    </Group>
  );
}
