// The page for an unknown URL; leads on to the search.

import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { say } from '../words/words.ts';
import { SearchButton } from './search-button.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader title={say('No such page')} />
      <Empty
        title={say('There is no page at this address')}
        action={
          <Group justify="center" gap="xs" mt="sm">
            <SearchButton label={say('Search')} />
            <Button component={Link} to="/" variant="default">
              {say('Go to the overview')}
            </Button>
          </Group>
        }
      >
        {say(
          'It may have been mistyped, or belong to another version. Search for what you wanted to see, by ref, id, amount or name.',
        )}
      </Empty>
    </>
  );
}
