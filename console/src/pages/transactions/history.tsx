// The history of a transaction: revisions, decline, chargeback, adjustments and reviews, each with its actor.

import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Problem } from '../../components/problem.tsx';
import { inWords, type Tone } from '../../components/status-badge.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { groupDigits } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { useByWhom } from '../../data/people.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';

type Item = Content<'getTransactionHistory'>['items'][number];

const steps: Readonly<Record<string, { title: string; tone: Tone }>> = {
  RECORDED: { title: say('Recorded'), tone: 'note' },
  VERIFIED: { title: say('Verified'), tone: 'good' },
  DECIDED_ANEW: { title: say('Verified again'), tone: 'note' },
  DECLINED: { title: inWords('DECLINED'), tone: 'bad' },
  CHARGED_BACK: { title: say('Charged back'), tone: 'bad' },
  DISPUTED: { title: say('Chargeback disputed'), tone: 'wait' },
  EVIDENCE_SENT: { title: say('Evidence sent'), tone: 'note' },
  DISPUTE_RESOLVED: { title: say('Dispute decided'), tone: 'note' },
  CHARGEBACK_REVERSED: { title: say('Chargeback reversed'), tone: 'good' },
  NETTED: { title: say('Chargeback set off'), tone: 'note' },
  NETTING_RELEASED: { title: say('Set-off released'), tone: 'wait' },
  ADJUSTED: { title: say('Taxes adjusted'), tone: 'wait' },
  REVIEW_OPENED: { title: say('Review opened'), tone: 'wait' },
  REVIEW_CHANGED: { title: say('Review worked on'), tone: 'note' },
  UNKNOWN: { title: say('Changed by a newer version of the service'), tone: 'wait' },
};

export function History({ transactionId, currency }: { readonly transactionId: string; readonly currency: string }) {
  const byWhom = useByWhom();
  const { data, error, refetch } = useOp('getTransactionHistory', { transactionId });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <Timeline
      label={say('History')}
      items={data.items.map((i, n) => ({
        key: i.eventId ?? `${i.step}${n}`,
        title: titleOf(i),
        at: i.at,
        by: i.actor.by === 'rule' ? say('a rule') : byWhom(i.actor),
        tone: toneOf(i),
        body: <Changes item={i} currency={currency} />,
      }))}
    />
  );
}

const statusOf = (i: Item) => (i.data as { status?: string } | null)?.status;

function titleOf(i: Item): string {
  const title = steps[i.step]?.title ?? inWords(i.step);
  const status = i.step === 'RECORDED' || i.step === 'DECIDED_ANEW' ? statusOf(i) : undefined;
  const what = status ? say('{title}: {status}', { title, status: inWords(status).toLowerCase() }) : title;
  return i.revision ? `${what} · ${say('revision {revision}', { revision: i.revision })}` : what;
}

function toneOf(i: Item): Tone {
  const status = i.step === 'RECORDED' || i.step === 'DECIDED_ANEW' ? statusOf(i) : undefined;
  if (status === 'APPROVED') return 'good';
  if (status === 'DECLINED') return 'bad';
  return steps[i.step]?.tone ?? 'quiet';
}

const written = (value: unknown): string => {
  if (value === null || value === undefined) return say('none');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

function Changes({ item: i, currency }: { readonly item: Item; readonly currency: string }) {
  const isReview = i.resourceId?.startsWith('rev') && i.step.startsWith('REVIEW');
  const amount = (field: string, v: unknown) =>
    /Amount|Fee|VAT/.test(field) ? groupDigits(written(v), currency) : written(v);
  if (!i.reason && i.changes.length === 0 && !isReview) return null;
  return (
    <>
      {i.reason ? <Text size="sm">{rich('“{reason}”', { reason: i.reason })}</Text> : null}
      {i.changes
        .filter((c) => c.field !== 'reason')
        .map((c) => (
          <Text key={c.field} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Text span inherit c="dimmed">
              {rich('{field}:', { field: c.field })}
            </Text>{' '}
            {amount(c.field, c.before)} → {amount(c.field, c.after)}
          </Text>
        ))}
      {isReview ? (
        <Anchor component={Link} to={`/reviews/${i.resourceId}`} size="sm">
          {say('To the review')}
        </Anchor>
      ) : null}
    </>
  );
}
