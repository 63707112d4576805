// A page that failed as a whole: heading, error, retry button and a way back. One whose code did not come is loaded as soon as
// the service can be reached.

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { reach } from '../data/code.ts';
import { isAway } from '../data/errors.ts';
import { say } from '../words/words.ts';

const everyMs = 5_000;

/** Loads the console again, once the service answers. */
const again = () =>
  void reach().then(
    () => location.reload(),
    () => undefined,
  );

export function Failed({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const away = isAway(error);
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(again, everyMs);
    return () => clearInterval(timer);
  }, [away]);
  return (
    <>
      <PageHeader title={say('This page failed')} />
      <Problem error={error} retry={away ? again : retry} />
      <Button component={Link} to="/" variant="default" mt="md">
        {say('Go to the overview')}
      </Button>
    </>
  );
}
