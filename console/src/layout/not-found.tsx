// The page for an unknown URL.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';
import { PageHeader } from '../components/page-header.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader title="No such page" />
      <Empty
        title="There is no page at this address"
        action={
          <Button component={Link} to="/" variant="default" mt="xs">
            Go to the overview
          </Button>
        }
      >
        It may have been mistyped, or belong to another version.
      </Empty>
    </>
  );
}
