// Filters that a link has set and that have no field on the page: each is named with its value, and can be removed.

import { Group, type GroupProps, Pill } from '@mantine/core';
import type { ReactNode } from 'react';
import { isDay } from '../data/days.ts';
import { absolute, dayInWords } from '../data/moments.ts';
import { type Filters, useFilters } from '../data/path.ts';
import { shortened } from '../data/places.ts';
import { useZone } from '../data/use-zone.ts';
import { rich } from '../words/rich.ts';
import { say } from '../words/words.ts';
import { ClientName } from './client-name.tsx';

interface Props extends GroupProps {
  /** The filters by their names in the URL, with what they are called. */
  readonly of: Readonly<Record<string, string>>;
  /** Follows the marks, if there are any. */
  readonly children?: ReactNode;
}

/** Filters of a list by time, which `DayFilters` shows while they are whole days. */
const times = ['from', 'to', 'since', 'until', 'callFrom', 'callTo'];

/** Whether a link has set one of the filters. */
const isSet = (name: string, { [name]: value }: Filters): boolean =>
  value !== undefined && value !== '' && !(times.includes(name) && isDay(value));

export function FilterMarks({ of, children, ...room }: Props) {
  const [filters, set] = useFilters();
  const marked = Object.entries(of).filter(([name]) => isSet(name, filters));
  if (marked.length === 0 && !children) return null;
  return (
    <Group {...room} gap="xs" aria-label={say('Filters without a field')} role="group">
      {marked.map(([name, words]) => (
        <Pill
          key={name}
          withRemoveButton
          onRemove={() => set({ [name]: undefined })}
          removeButtonProps={{ 'aria-label': say('Without {words}', { words }), 'aria-hidden': false, tabIndex: 0 }}
          style={{ maxWidth: '100%' }}
        >
          {rich('{words}: {filters}', { words, filters: <Value name={name} of={filters[name] ?? ''} /> })}
        </Pill>
      ))}
      {children}
    </Group>
  );
}

function Value({ name, of: value }: { readonly name: string; readonly of: string }) {
  const zone = useZone();
  if (name === 'clientId') return <ClientName id={value} />;
  const parts = value.split(',');
  if (parts.length > 1) return say('{number} of them', { number: parts.length });
  if (isDay(value)) return dayInWords(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))) return absolute(value, zone);
  return /^[a-z]{3}_/.test(value) ? <span title={value}>{shortened(value)}</span> : value;
}
