// A client's journal entries, newest first: what was done and by whom.

import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { useByWhom } from '../../data/people.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { Changes, titleOf, toneOf } from '../audit/entries.tsx';

export function ClientHistory({ clientId }: { readonly clientId: string }) {
  const byWhom = useByWhom();
  const { rows, error, loading, more, loadMore, loadingMore, retry } = usePages('listJournal', { clientId, limit: 20 });
  return (
    <Panel
      title={say('History')}
      actions={
        <Anchor component={Link} to="/audit" search={{ clientId } as never} size="sm">
          {say('Full history')}
        </Anchor>
      }
    >
      {error && !rows ? <Problem error={error} {...(retry ? { retry } : {})} /> : null}
      {rows?.length === 0 ? <Empty title={say('No history yet')} /> : null}
      {loading ? <Text size="sm">{say('Loading …')}</Text> : null}
      {rows && rows.length > 0 ? (
        <Timeline
          label={say('History')}
          items={rows.map((e) => ({
            key: e.eventId,
            title: titleOf(e),
            at: e.at,
            by: byWhom(e.actor),
            body: (
              <>
                <Changes entry={e} />
                {e.reason}
              </>
            ),
            tone: toneOf(e),
          }))}
        />
      ) : null}
      {more ? (
        <Button variant="default" size="xs" mt="sm" loading={loadingMore ?? false} onClick={() => loadMore?.()}>
          {say('Show more')}
        </Button>
      ) : null}
    </Panel>
  );
}
