// The PSP shown: operators choose among all PSPs, a PSP's people see their own name.

import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBuildingBank } from '@tabler/icons-react';
import { useState } from 'react';
import { usePsp } from '../data/psp.tsx';
import { useChosenPsp, useOwnAccount, usePspsNamed } from '../data/psps.ts';
import { useMe } from '../data/session.tsx';
import { say } from '../words/words.ts';

export function PspSwitcher() {
  const { account } = useMe();
  const { isOperator, choose } = usePsp();
  const chosen = useChosenPsp();
  const own = useOwnAccount();
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 250);
  const { psps, loading } = usePspsNamed(asked === chosen?.name ? '' : asked);
  if (!isOperator)
    return (
      <Text fw={600} size="sm" truncate>
        {own?.name ?? account.name}
      </Text>
    );
  const listed = chosen && !psps.some((p) => p.pspId === chosen.pspId) ? [chosen, ...psps] : psps;
  return (
    <Select
      aria-label={say('PSP whose records are shown')}
      placeholder={say('All PSPs')}
      leftSection={<IconBuildingBank size={16} aria-hidden />}
      data={listed.map((p) => ({ value: p.pspId, label: p.name }))}
      value={chosen?.pspId ?? null}
      onChange={(id) => choose(id ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('Show all PSPs') }}
      onSearchChange={setTyped}
      // The others are found by typing.
      limit={50}
      nothingFoundMessage={loading || typed.trim() !== asked ? say('Looking…') : say('No PSP of that name')}
      maxDropdownHeight={320}
      w={{ base: 190, xs: 260 }}
    />
  );
}
