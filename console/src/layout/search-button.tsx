// Opens the search over everything; at the top of every page, and where nothing was found.

import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useSearchState } from '../data/search-state.tsx';
import { say } from '../words/words.ts';

export function SearchButton({ label }: { readonly label?: string }) {
  const { show, hasSearch } = useSearchState();
  const wide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  if (!hasSearch) return null;
  if (label)
    return (
      <Button leftSection={<IconSearch size={16} aria-hidden />} onClick={() => show('search')}>
        {label}
      </Button>
    );
  if (!wide)
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        onClick={() => show('search')}
        aria-label={say('Search everything')}
      >
        <IconSearch size={18} aria-hidden />
      </ActionIcon>
    );
  return (
    <Button
      variant="default"
      size="sm"
      fw={400}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={<Kbd size="xs">{say('Ctrl K')}</Kbd>}
      onClick={() => show('search')}
    >
      {say('Search everything')}
    </Button>
  );
}
