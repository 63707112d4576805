// A record's page before the record is loaded: a skeleton, or the error with a retry button. What is not found leads on: to
// the same id under another PSP, to the search, and to the list.

import { Anchor, Button, Code, Group, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { Empty } from '../components/empty.tsx';
import { type Crumb, PageHeader } from '../components/page-header.tsx';
import { Problem } from '../components/problem.tsx';
import { isNotFound, told } from '../data/errors.ts';
import { isId, pageOfLocated } from '../data/places.ts';
import { usePsp } from '../data/psp.tsx';
import { pageOf } from '../data/psp-address.ts';
import { usePsps } from '../data/psps.ts';
import { useSearchState } from '../data/search-state.tsx';
import { useOp } from '../data/use-op.ts';
import { rich } from '../words/rich.ts';
import { say } from '../words/words.ts';
import { Loading } from './loading.tsx';
import { SearchButton } from './search-button.tsx';

interface Props {
  /** Title of the record's page. */
  readonly title: string;
  readonly above: readonly Crumb[];
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export function Unfetched({ title, above, error, refetch }: Props) {
  if (!error) return <Loading />;
  return (
    <>
      <PageHeader title={title} above={above} />
      {isNotFound(error) ? (
        <Missing title={title} above={above} error={error} />
      ) : (
        <Problem error={error} retry={() => void refetch()} />
      )}
    </>
  );
}

function Missing({ title, above, error }: Pick<Props, 'title' | 'above' | 'error'>) {
  const { code, requestId } = told(error);
  const list = above.at(-1);
  return (
    <Empty
      title={say('No {what} has this id here', { what: `${title.charAt(0).toLowerCase()}${title.slice(1)}` })}
      action={
        <Group justify="center" gap="xs" mt="sm">
          <SearchButton label={say('Search')} />
          {list ? (
            <Button component={Link} to={list.to} variant="default">
              {say('All {title}', { title: list.title.toLowerCase() })}
            </Button>
          ) : null}
        </Group>
      }
    >
      {rich(
        '{elsewhere}It may have been mistyped, belong to an account whose records you may not see, or be in an archived month.',
        { elsewhere: <Elsewhere /> },
      )}
      <Group justify="center" gap="xs" mt="xs" role="alert">
        <Code>{code}</Code>
        {requestId ? (
          <Code style={{ overflowWrap: 'anywhere' }}>{rich('request {requestId}', { requestId })}</Code>
        ) : null}
      </Group>
    </Empty>
  );
}

/** For staff: the id belongs to another PSP, or is of another kind than the page shows. */
function Elsewhere() {
  const { isOperator } = usePsp();
  const { hasSearch } = useSearchState();
  const params = Object.values(useParams({ strict: false }) as Record<string, string>);
  const id = params.findLast(isId);
  const { data } = useOp('resolveId', { id: id ?? '' }, { enabled: id !== undefined && hasSearch, asOperator: true });
  const { data: psps } = usePsps();
  const path = data && pageOfLocated(data);
  if (!data || !path) return null;
  const name = psps?.find((p) => p.pspId === data.pspId)?.name;
  return (
    <Text size="sm" mb="xs">
      <Anchor href={`/console${isOperator && data.pspId ? pageOf(data.pspId, path) : path}`}>
        {name ? say('Open it under {name}', { name }) : say('Open the page of this id')}
      </Anchor>
    </Text>
  );
}
