// The reviews of a transaction and the open cases of its client.

import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Problem } from '../../components/problem.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { isIdOf } from '../../data/id-kind.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { named, say } from '../../words/words.ts';

interface Props {
  readonly transactionId: string;
  readonly clientId: string;
}

export function LookedAt({ transactionId, clientId }: Props) {
  const { data: reviews, error, refetch } = useOp('listReviews', { transactionId, limit: 50 });
  const isClient = isIdOf('client', clientId);
  const { data: cases } = useOp('listCases', { clientId, state: 'ACTIVE', limit: 5 }, { enabled: isClient });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!reviews) return <Loading />;
  return (
    <>
      {reviews.items.length === 0 ? <Text size="sm">{say('It was never sent to review.')}</Text> : null}
      <List size="sm" spacing={4}>
        {reviews.items.map((r) => (
          <List.Item key={r.reviewId}>
            <Anchor component={Link} to={`/reviews/${r.reviewId}`} inherit underline="always">
              {inWords(r.rule)}
            </Anchor>{' '}
            <StatusBadge status={r.outcome ?? r.state} /> {named(r.reason)}
          </List.Item>
        ))}
      </List>
      {cases && cases.items.length > 0 ? (
        <Text size="sm" mt="sm">
          {say('Open cases of the client:')}{' '}
          {cases.items.map((c, i) => (
            <span key={c.caseId}>
              {i > 0 ? ', ' : ''}
              <Anchor component={Link} to={`/cases/${c.caseId}`} inherit underline="always">
                {say('case {number}', { number: c.number })}
              </Anchor>
            </span>
          ))}
        </Text>
      ) : null}
    </>
  );
}
