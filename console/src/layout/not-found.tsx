// The page for an unknown URL; leads on to the search.
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { SearchButton } from './search-button.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader title="No such page" />
      <Empty
        title="There is no page at this address"
        action={
          <Group justify="center" gap="xs" mt="sm">
            <SearchButton label="Search" />
            <Button component={Link} to="/" variant="default">
              Go to the overview
            </Button>
          </Group>
        }
      >
        It may have been mistyped, or belong to another version. Search for what you wanted to see, by ref, id, amount
        or name.
      </Empty>
    </>
  );
}
