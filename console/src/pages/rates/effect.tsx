// What a proposal of taxes would have changed on last month's records, for those who decide it.
import { Alert, Loader, Stack, Text, Title } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { Problem } from '../../components/problem.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { dayInWords } from '../../data/moments.ts';
import { useOp } from '../../data/use-op.ts';
import { inOneWord } from './rule.ts';

interface Taxes {
  readonly currency: string;
  readonly taxNow: string;
  readonly taxProposed: string;
  readonly difference: string;
}

const figures = [
  {
    key: 'now',
    header: 'Tax now',
    align: 'right' as const,
    cell: (t: Taxes) => <Money amount={t.taxNow} currency={t.currency} />,
  },
  {
    key: 'proposed',
    header: 'As proposed',
    align: 'right' as const,
    cell: (t: Taxes) => <Money amount={t.taxProposed} currency={t.currency} />,
  },
  {
    key: 'difference',
    header: 'Difference',
    align: 'right' as const,
    cell: (t: Taxes) => <Money amount={t.difference} currency={t.currency} strong />,
  },
];

export function Effect({ proposalId }: { readonly proposalId: string }) {
  const { data: e, error, refetch } = useOp('proposalEffect', { proposalId }, { asOperator: true });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!e)
    return (
      <Text size="sm" aria-busy="true">
        <Loader size="xs" /> Last month's records are taxed again…
      </Text>
    );
  return (
    <Stack component="section" gap="sm" aria-label="Effect on last month">
      <Title order={3}>Effect on last month</Title>
      <Text size="sm">
        {`Had it been in force from ${dayInWords(e.from)} to ${dayInWords(e.to)}, ${e.changed} of ${e.looked} records would have borne other taxes. Nothing is recorded or corrected by this.`}
        {e.begins ? ` The change itself begins on ${dayInWords(e.begins)}.` : ''}
      </Text>
      {e.sampled ? (
        <Alert color="brass" title="Not all records were read">
          {`${e.looked} of ${e.records} were: the first of each day, in proportion. The figures are of these.`}
        </Alert>
      ) : null}
      {e.left > 0 ? (
        <Text size="sm">{`${e.left} transactions are covered by no proposed row; they are not among the figures.`}</Text>
      ) : null}
      {e.correctable > 0 ? (
        <Text size="sm">{`${e.correctable} records are not taxed as the rules in force have it: a correction would adjust them, whatever is decided here.`}</Text>
      ) : null}
      {e.notLookedAt.length > 0 ? <Text size="sm">Call detail records were not looked at.</Text> : null}
      <DataTable
        label="Taxes by operation and currency"
        pages={{ rows: e.lines }}
        rowKey={(l) => `${l.operation} ${l.currency}`}
        empty={<Empty title="No records that it is about" />}
        columns={[
          { key: 'operation', header: 'Operation', cell: (l) => inOneWord(l.operation) },
          { key: 'records', header: 'Records', align: 'right', cell: (l) => l.records },
          { key: 'changed', header: 'Changed', align: 'right', cell: (l) => l.changed },
          ...figures,
        ]}
      />
      {e.duties.length > 0 ? (
        <DataTable
          label="Duties by periodic return"
          pages={{ rows: e.duties }}
          rowKey={(d) => d.currency}
          columns={[{ key: 'duty', header: 'Duty', cell: () => 'By periodic return' }, ...figures]}
        />
      ) : null}
      {e.examples.length > 0 ? (
        <DataTable
          label="Examples"
          pages={{ rows: e.examples }}
          rowKey={(x) => x.recordId}
          columns={[
            {
              key: 'record',
              header: 'Example',
              cell: (x) => <RecordLink pspId={x.pspId} recordId={x.recordId} />,
            },
            { key: 'day', header: 'Day', cell: (x) => x.date },
            {
              key: 'amount',
              header: 'Amount',
              align: 'right',
              cell: (x) => <Money amount={x.amount} currency={x.currency} />,
            },
            ...figures,
          ]}
        />
      ) : null}
    </Stack>
  );
}
