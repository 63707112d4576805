// One review: why it was opened, its transaction, its notes, and its resolution.

import { Button, Grid, List, Stack, Text } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { usePath } from '../../data/path.ts';
import { useActorNames } from '../../data/people.ts';
import { useMay, useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { named, say } from '../../words/words.ts';
import { MatchLink } from '../lists/match-link.tsx';
import { Notes } from './notes.tsx';
import { OfTransaction } from './of-transaction.tsx';
import { Resolve } from './resolve.tsx';
import { type Review, ReviewBadge } from './state.tsx';

const above = [{ title: say('Reviews'), to: '/reviews' }];

export default function ReviewPage() {
  const reviewId = usePath('reviewId');
  const { data, error, refetch } = useOp('getReview', { reviewId }, { asOperator: true });
  if (error || !data) return <Unfetched title={say('Review')} above={above} error={error} refetch={refetch} />;
  return <Shown review={data} />;
}

function Shown({ review: r }: { readonly review: Review }) {
  const works = useMay('noteReview');
  const actorOf = useActorNames();
  return (
    <>
      <PageHeader
        title={inWords(r.rule)}
        above={above}
        beside={<ReviewBadge review={r} />}
        lead={rich('Opened by {openedBy} · {createdAt}', {
          openedBy: actorOf(r.openedBy),
          createdAt: <Stamp at={r.createdAt} show="both" />,
        })}
        actions={works && r.state === 'OPEN' ? <Taking review={r} /> : null}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Panel title={say('Why it was opened')}>
              <Text style={{ overflowWrap: 'anywhere' }}>{named(r.reason)}</Text>
              <MatchLink alert={r} pspId={r.pspId} clientId={r.clientId} />
              {r.findings.length > 0 ? (
                <List size="sm" mt="xs">
                  {r.findings.map((f) => (
                    <List.Item key={`${f.code}${f.field}`}>
                      {f.message} <Text span inherit c="dimmed">{`(${f.code})`}</Text>
                    </List.Item>
                  ))}
                </List>
              ) : null}
            </Panel>
            {r.transactionId ? <OfTransaction review={r} transactionId={r.transactionId} /> : null}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <Panel title={say('State')}>
              <Facts
                items={[
                  [say('State'), <ReviewBadge key="state" review={r} />],
                  [say('Severity'), <StatusBadge key="severity" status={r.severity} />],
                  [say('Rule version'), r.ruleVersion],
                  [say('Client'), <ClientName key="client" id={r.clientId} link />],
                  [say('Assigned to'), r.assignee && actorOf(r.assignee)],
                  [say('Review'), <Id key="id" value={r.reviewId} full what={say('review id')} />],
                  [say('Last changed'), <Stamp key="at" at={r.updatedAt} />],
                ]}
              />
            </Panel>
            <Notes review={r} writable={works} actorOf={actorOf} />
            {works && r.state === 'OPEN' ? <Resolve review={r} /> : null}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

/** Assigns the review to the person who is signed in, or unassigns it. */
function Taking({ review: r }: { readonly review: Review }) {
  const me = useMe().user.userId;
  const mine = r.assignee === me;
  const assign = useDo('assignReview', { done: mine ? say('Unassigned') : say('Assigned to you'), asOperator: true });
  const input = { reviewId: r.reviewId, from: r.assignee, ...(mine ? { assignee: null } : {}) };
  return (
    <Button variant={mine ? 'default' : 'filled'} loading={assign.isPending} onClick={() => assign.mutate(input)}>
      {mine ? say('Unassign') : r.assignee ? say('Take it over') : say('Assign to me')}
    </Button>
  );
}
