// Chooses the country that a page is about.

import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { countryChoices } from '../data/countries.ts';
import { say } from '../words/words.ts';
import { FilterBar } from './filter-bar.tsx';

/** @param value ISO 3166-1 alpha-2 */
export function CountryFilter({ value, onChange }: { readonly value: string; onChange(country: string): void }) {
  const choices = useMemo(countryChoices, []);
  return (
    <FilterBar>
      <Select
        label={say('Country')}
        data={choices}
        value={value}
        onChange={(v) => v && onChange(v)}
        searchable
        allowDeselect={false}
        nothingFoundMessage={say('No such country')}
      />
    </FilterBar>
  );
}
