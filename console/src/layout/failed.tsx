// A page that failed as a whole: heading, error, retry button and a way back.

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { say } from '../words/words.ts';

export function Failed({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  return (
    <>
      <PageHeader title={say('This page failed')} />
      <Problem error={error} retry={retry} />
      <Button component={Link} to="/" variant="default" mt="md">
        {say('Go to the overview')}
      </Button>
    </>
  );
}
