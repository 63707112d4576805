// Chooses one of the countries whose forms are known.

import { Select } from '@mantine/core';
import { useMemo } from 'react';
import { countryName } from '../../data/countries.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';

interface Props {
  readonly value: string | undefined;
  readonly onChange: (country: string | undefined) => void;
  /** What no country means. */
  readonly placeholder?: string;
}

export function CountrySelect({ value, onChange, placeholder = say('Those with records') }: Props) {
  const { data } = useOp('listFilingForms');
  const choices = useMemo(
    () =>
      [...new Set(data?.items.map((f) => f.countryCode))]
        .map((code) => ({ value: code, label: `${countryName(code)} (${code})` }))
        .sort((a, b) => a.label.localeCompare(b.label)),
    [data],
  );
  return (
    <Select
      label={say('Country')}
      placeholder={placeholder}
      data={choices}
      value={choices.some((c) => c.value === value) ? (value as string) : null}
      onChange={(v) => onChange(v ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('Any country') }}
      nothingFoundMessage={say('No forms of this country')}
    />
  );
}
