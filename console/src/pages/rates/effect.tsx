// What a proposal of taxes would have changed on last month's records, for those who decide it.

import { Alert, Loader, Stack, Text, Title } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money, moneyColumn } from '../../components/money.tsx';
import { Problem } from '../../components/problem.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { dayInWords } from '../../data/moments.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
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
    header: say('Tax now'),
    align: 'right' as const,
    cell: (t: Taxes) => <Money amount={t.taxNow} currency={t.currency} />,
  },
  {
    key: 'proposed',
    header: say('As proposed'),
    align: 'right' as const,
    cell: (t: Taxes) => <Money amount={t.taxProposed} currency={t.currency} />,
  },
  {
    key: 'difference',
    header: say('Difference'),
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
        <Loader size="xs" /> {say("Last month's records are taxed again…")}
      </Text>
    );
  return (
    <Stack component="section" gap="sm" aria-label={say('Effect on last month')}>
      <Title order={3}>{say('Effect on last month')}</Title>
      <Text size="sm">
        {say(
          'Had it been in force from {from} to {to}, {changed} of {looked} records would have borne other taxes. Nothing is recorded or corrected by this.',
          { from: dayInWords(e.from), to: dayInWords(e.to), changed: e.changed, looked: e.looked },
        )}
        {e.begins ? ` ${say('The change itself begins on {begins}.', { begins: dayInWords(e.begins) })}` : ''}
      </Text>
      {e.sampled ? (
        <Alert color="brass" title={say('Not all records were read')}>
          {say('{looked} of {records} were: the first of each day, in proportion. The figures are of these.', {
            looked: e.looked,
            records: e.records,
          })}
        </Alert>
      ) : null}
      {e.left > 0 ? (
        <Text size="sm">
          {say('{left} transactions are covered by no proposed row; they are not among the figures.', { left: e.left })}
        </Text>
      ) : null}
      {e.correctable > 0 ? (
        <Text size="sm">
          {say(
            '{correctable} records are not taxed as the rules in force have it: a correction would adjust them, whatever is decided here.',
            { correctable: e.correctable },
          )}
        </Text>
      ) : null}
      {e.notLookedAt.length > 0 ? <Text size="sm">{say('Call detail records were not looked at.')}</Text> : null}
      <DataTable
        label={say('Taxes by operation and currency')}
        pages={{ rows: e.lines }}
        rowKey={(l) => `${l.operation} ${l.currency}`}
        empty={<Empty title={say('No records that it is about')} />}
        columns={[
          { key: 'operation', header: say('Operation'), cell: (l) => inOneWord(l.operation) },
          { key: 'records', header: say('Records'), align: 'right', cell: (l) => l.records },
          { key: 'changed', header: say('Changed'), align: 'right', cell: (l) => l.changed },
          ...figures,
        ]}
      />
      {e.duties.length > 0 ? (
        <DataTable
          label={say('Duties by periodic return')}
          pages={{ rows: e.duties }}
          rowKey={(d) => d.currency}
          columns={[{ key: 'duty', header: say('Duty'), cell: () => say('By periodic return') }, ...figures]}
        />
      ) : null}
      {e.examples.length > 0 ? (
        <DataTable
          label={say('Examples')}
          pages={{ rows: e.examples }}
          rowKey={(x) => x.recordId}
          columns={[
            {
              key: 'record',
              header: say('Example'),
              cell: (x) => <RecordLink pspId={x.pspId} recordId={x.recordId} />,
            },
            { key: 'day', header: say('Day'), cell: (x) => x.date },
            moneyColumn('amount', say('Amount')),
            ...figures,
          ]}
        />
      ) : null}
    </Stack>
  );
}
