// A form's country: chosen by its name or its code.

import { Select, type SelectProps } from '@mantine/core';
import { useMemo } from 'react';
import { countryChoices } from '../data/countries.ts';
import { say } from '../words/words.ts';

/** @param field what the form gives its field; the value is ISO 3166-1 alpha-2, '' where none is chosen */
export function CountryChoice(field: SelectProps) {
  const choices = useMemo(countryChoices, []);
  return (
    <Select
      label={say('Country')}
      required
      searchable
      data={choices}
      nothingFoundMessage={say('No such country')}
      {...field}
    />
  );
}
