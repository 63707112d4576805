// /go/{id}: finds out what an id is and whose, and goes to its page. An id that leads nowhere says what can be done.

import { Button, Group } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { isNotFound } from '../../data/errors.ts';
import { usePath } from '../../data/path.ts';
import { isId, isRequestId, pageOfLocated } from '../../data/places.ts';
import { usePsp } from '../../data/psp.tsx';
import { pageOf } from '../../data/psp-address.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { SearchButton } from '../../layout/search-button.tsx';
import { say } from '../../words/words.ts';

export default function Go() {
  const id = usePath('id').trim();
  const { isOperator } = usePsp();
  const navigate = useNavigate();
  const enabled = isId(id);
  const { data, error, refetch } = useOp('resolveId', { id }, { enabled, asOperator: true });
  const path = isRequestId(id) ? `/requests?requestId=${id}` : data && pageOfLocated(data);
  const to = path && (isOperator && data?.pspId ? pageOf(data.pspId, path) : path);
  useEffect(() => {
    if (!to) return;
    const [pathname, query] = to.split('?');
    const search = Object.fromEntries(new URLSearchParams(query));
    void navigate({ to: pathname as string, search: search as never, replace: true });
  }, [to, navigate]);
  if (to || (enabled && !error && !data)) return <Loading />;
  if (error && !isNotFound(error))
    return (
      <>
        <PageHeader title={say('Find an id')} />
        <Problem error={error} retry={() => void refetch()} />
      </>
    );
  return (
    <>
      <PageHeader title={say('Find an id')} />
      <Empty
        title={enabled ? say('Nothing has this id') : say('This is not an id')}
        action={
          <Group justify="center" gap="xs" mt="sm">
            <SearchButton label={say('Search')} />
            <Button component={Link} to="/" variant="default">
              {say('Go to the overview')}
            </Button>
          </Group>
        }
      >
        {enabled
          ? say(
              'It may have been mistyped, belong to somebody whose records you may not see, or be in an archived month. Search by ref, amount or name instead.',
            )
          : say(
              'An id begins with three letters and an underscore, such as txn_, and has 26 letters and digits after them. A part of one, a ref or an amount is found by the search.',
            )}
      </Empty>
    </>
  );
}
