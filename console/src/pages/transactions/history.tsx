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
import { between, say } from '../../words/words.ts';

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

interface Props {
  readonly transactionId: string;
  readonly currency: string;
  /** Why the transaction is declined, which its page says already. */
  readonly said: string | null;
}

export function History({ transactionId, currency, said }: Props) {
  const byWhom = useByWhom();
  const { data, error, refetch } = useOp('getTransactionHistory', { transactionId });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  const declined = data.items.findLast((i) => i.reason === said);
  return (
    <Timeline
      label={say('History')}
      items={data.items.map((i, n) => ({
        key: i.eventId ?? `${i.step}${n}`,
        title: titleOf(i),
        at: i.at,
        by: i.actor.by === 'rule' ? say('a rule') : byWhom(i.actor),
        tone: toneOf(i),
        body: <Changes item={i} currency={currency} reason={i === declined ? null : i.reason} />,
      }))}
    />
  );
}

const statusOf = (i: Item) => (i.data as { status?: string } | null)?.status;

function titleOf(i: Item): string {
  const title = steps[i.step]?.title ?? inWords(i.step);
  const status = i.step === 'RECORDED' || i.step === 'DECIDED_ANEW' ? statusOf(i) : undefined;
  const what = status ? say('{title}: {status}', { title, status: inWords(status).toLowerCase() }) : title;
  return i.revision ? `${what}${between}${say('revision {revision}', { revision: i.revision })}` : what;
}

function toneOf(i: Item): Tone {
  const status = i.step === 'RECORDED' || i.step === 'DECIDED_ANEW' ? statusOf(i) : undefined;
  if (status === 'APPROVED') return 'good';
  if (status === 'DECLINED') return 'bad';
  return steps[i.step]?.tone ?? 'quiet';
}

const fieldNames: Readonly<Record<string, string>> = {
  ...{ status: say('Status'), ref: say('Ref'), totalAmount: say('Gross'), vatAmount: say('Tax') },
  ...{ processingFee: say('Processing fee'), transactionFee: say('Transaction fee') },
  ...{ transactionVAT: say('Tax on the fees'), merchantAmount: say('To the merchant'), netAmount: say('Net amount') },
  ...{ paymentMethods: say('Payment methods'), mcc: say('Merchant category'), observations: say('Observations') },
  ...{ countryCode: say('Country'), currency: say('Currency'), basketId: say('Basket') },
};

/** A value of a field in words; an amount in its currency's form. */
function written(field: string, value: unknown, currency: string): string {
  const amount = (v: unknown) => groupDigits(String(v), currency);
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return say('none');
  if (field === 'status') return inWords(String(value));
  if (field === 'observations') return (value as readonly { code: string }[]).map((o) => inWords(o.code)).join(', ');
  if (field === 'paymentMethods')
    return (
      Object.entries(value)
        .map(([method, paid]) => `${method} ${amount(paid)}`)
        .join(', ') || say('none')
    );
  if (typeof value === 'object') return JSON.stringify(value);
  return /Amount|Fee|VAT/.test(field) ? amount(value) : String(value);
}

interface ChangesProps {
  readonly item: Item;
  readonly currency: string;
  readonly reason: string | null;
}

function Changes({ item: i, currency, reason }: ChangesProps) {
  const isReview = i.resourceId?.startsWith('rev') && i.step.startsWith('REVIEW');
  if (!reason && i.changes.length === 0 && !isReview) return null;
  return (
    <>
      {reason ? <Text size="sm">{rich('“{reason}”', { reason })}</Text> : null}
      {i.changes
        .filter((c) => c.field !== 'reason')
        .map((c) => (
          <Text key={c.field} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Text span inherit c="dimmed">
              {rich('{field}:', { field: fieldNames[c.field] ?? c.field })}
            </Text>{' '}
            {written(c.field, c.before, currency)} → {written(c.field, c.after, currency)}
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
