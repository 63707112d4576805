// What a change of standing would have turned in the last 30 days, inside the dialog that makes the change.

import { Alert, Anchor, List, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Money } from '../../components/money.tsx';
import type { Content } from '../../data/assay.ts';
import { told } from '../../data/errors.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';

export interface Idea {
  readonly verificationLevel?: 'UNVERIFIED' | 'BASIC' | 'ENHANCED';
  readonly operationalStanding?: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  readonly holdFrom?: string;
  readonly endHolds?: boolean;
}

type Turned = Content<'previewStanding'>['turned'][number];

const shown = 3;

export function ChangePreview({ accountId, idea }: { readonly accountId: string; readonly idea: Idea }) {
  const { data, error } = useOp('previewStanding', { accountId, ...idea }, { asOperator: true });
  if (error)
    return (
      <Text size="sm">
        {rich('What it would have changed is not known: {sentence}', { sentence: told(error).sentence })}
      </Text>
    );
  if (!data) return <Skeleton height={64} aria-label={say('Looking at the last 30 days')} />;
  return (
    <Alert variant="light" color="slate" title={say('In the last 30 days')}>
      <Stack gap={6}>
        {data.decisions === 0 ? (
          <Text size="sm">{say('There were no decisions.')}</Text>
        ) : data.turned.length === 0 ? (
          <Text size="sm">
            {rich('None of {decisions} decisions would have been another.', { decisions: data.decisions })}
          </Text>
        ) : (
          data.turned.map((t) => <Sum key={`${t.to} ${t.currency}`} turned={t} of={data.decisions} />)
        )}
        {data.unknown > 0 ? (
          <Text size="sm">
            {rich('Of {unknown} declines by an earlier version the cause was not noted.', { unknown: data.unknown })}
          </Text>
        ) : null}
        {data.examples.length > 0 ? (
          <List size="sm" spacing={2}>
            {data.examples.slice(0, shown).map((e) => (
              <List.Item key={e.transactionId}>
                <Anchor component={Link} to={`/transactions/${e.transactionId}`} size="sm">
                  <Money amount={e.totalAmount} currency={e.currency} />
                </Anchor>{' '}
                {e.to === 'APPROVED' ? say('would have been approved') : say('would have been declined')}
              </List.Item>
            ))}
          </List>
        ) : null}
      </Stack>
    </Alert>
  );
}

const Sum = ({ turned: t, of }: { readonly turned: Turned; readonly of: number }) => (
  <Text size="sm">
    {rich('{count} of {of} decisions would have been {to}: {totalAmount}', {
      count: t.count,
      of,
      to: t.to === 'APPROVED' ? say('approvals') : say('declines'),
      totalAmount: <Money amount={t.totalAmount} currency={t.currency} />,
    })}
  </Text>
);
