// Selects a client: the service searches names and registration numbers for the typed text.

import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useClientNames } from '../data/clients.ts';
import { isIdOf } from '../data/id-kind.ts';
import { useIsClient } from '../data/session.tsx';
import { useOp } from '../data/use-op.ts';
import { say } from '../words/words.ts';

interface Props {
  readonly value: string | undefined;
  readonly onChange: (clientId: string | undefined) => void;
  readonly label?: string;
  /** What no client means. */
  readonly placeholder?: string;
}

/** Nothing for people of a client, who have none to choose from. */
export const ClientSelect = (p: Props) => (useIsClient() ? null : <Choice {...p} />);

function Choice({ value, onChange, label = say('Client'), placeholder = say('Any') }: Props) {
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 250);
  const [opened, setOpened] = useState(false);
  // The records of a PSP itself can be chosen by a link.
  const known = useClientNames()(value ?? '');
  const isUnknown = known === undefined && isIdOf('client', value);
  const chosen = useOp('getClient', { clientId: value ?? '' }, { enabled: isUnknown });
  const name = known ?? chosen.data?.registeredName;
  const found = useOp(
    'listClients',
    { limit: 20, ...(asked && asked !== name ? { q: asked } : {}) },
    { enabled: opened },
  );
  const options = (found.data?.items ?? []).map((c) => ({ value: c.clientId, label: c.registeredName }));
  if (value && !options.some((o) => o.value === value)) options.unshift({ value, label: name ?? value });
  return (
    <Select
      label={label}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('No {label}', { label: label.toLowerCase() }) }}
      data={options}
      filter={({ options: all }) => all}
      value={value ?? null}
      onChange={(v) => onChange(v ?? undefined)}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={found.isPending ? say('Looking…') : say('No such client')}
    />
  );
}
