// The review queue: transactions somebody should look at, by assignee and outcome.

import { Box, SegmentedControl } from '@mantine/core';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { useFilters } from '../../data/path.ts';
import { useActorNames } from '../../data/people.ts';
import { usePsp } from '../../data/psp.tsx';
import { usePsps } from '../../data/psps.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { ReviewBadge } from './state.tsx';

const queues = {
  open: { label: say('Open'), asked: { state: 'OPEN' }, empty: say('No open reviews') },
  unassigned: {
    label: say('Unassigned'),
    asked: { state: 'OPEN', assignee: 'none' },
    empty: say('Every open review is assigned'),
  },
  mine: { label: say('Mine'), asked: { state: 'OPEN', assignee: 'me' }, empty: say('You have no open reviews') },
  resolved: { label: say('Resolved'), asked: { state: 'RESOLVED' }, empty: say('No review is resolved yet') },
} as const;
type Queue = keyof typeof queues;

export default function Reviews() {
  const [filters, setFilters] = useFilters();
  const queue: Queue = filters.queue && filters.queue in queues ? (filters.queue as Queue) : 'open';
  const { transactionId, clientId } = filters;
  const pages = usePages('listReviews', {
    ...queues[queue].asked,
    transactionId,
    clientId,
  });
  const actorOf = useActorNames();
  const { isOperator, pspId } = usePsp();
  const { data: psps } = usePsps();
  const overAll = isOperator && !pspId;
  return (
    <>
      <PageHeader
        title={say('Reviews')}
        lead={say('Transactions that a rule or a person found worth a look. A review changes no decision.')}
      />
      <Panel title={say('Queue')} flush>
        <Box px="md" pb="md" maw="100%" style={{ overflowX: 'auto' }}>
          <SegmentedControl
            aria-label={say('Which reviews')}
            data={Object.entries(queues).map(([value, { label }]) => ({ value, label }))}
            value={queue}
            onChange={(v) => setFilters({ queue: v === 'open' ? undefined : v })}
          />
        </Box>
        {overAll ? null : (
          <Box px="md" pb="md" maw={340}>
            <ClientSelect value={clientId} onChange={(v) => setFilters({ clientId: v })} />
          </Box>
        )}
        <FilterMarks
          of={{ transactionId: say('Transaction'), ...(overAll ? { clientId: say('Client') } : {}) }}
          px="md"
          pb="md"
        />
        <DataTable
          label={say('Reviews')}
          pages={pages}
          rowKey={(r) => r.reviewId}
          rowTo={(r) => `/reviews/${r.reviewId}`}
          empty={
            <Empty title={queues[queue].empty}>
              {say(
                'Rules open reviews of approved transactions, as of large amounts or addresses that do not fit; people open them on the page of a transaction.',
              )}
            </Empty>
          }
          columns={[
            { key: 'rule', header: say('Why'), cell: (r) => inWords(r.rule) },
            { key: 'severity', header: say('Severity'), cell: (r) => <StatusBadge status={r.severity} /> },
            { key: 'state', header: say('State'), cell: (r) => <ReviewBadge review={r} /> },
            {
              key: 'transaction',
              header: say('Transaction'),
              cell: (r) => (r.transactionId ? <Id value={r.transactionId} copy={false} /> : <Nothing />),
            },
            {
              key: 'amount',
              header: say('Gross'),
              align: 'right',
              cell: (r) => (r.amount === null ? <Nothing /> : <Money amount={r.amount} currency={r.currency} />),
            },
            ...(overAll
              ? [
                  {
                    key: 'psp',
                    header: 'PSP',
                    cell: (r: { pspId: string }) =>
                      psps?.find((p) => p.pspId === r.pspId)?.name ?? <Id value={r.pspId} />,
                  },
                ]
              : []),
            {
              key: 'client',
              header: say('Client'),
              cell: (r) => <span title={r.clientId}>{r.clientName ?? r.clientId}</span>,
            },
            {
              key: 'assignee',
              header: say('Assigned to'),
              cell: (r) => (r.assignee ? actorOf(r.assignee) : <Nothing />),
            },
            { key: 'notes', header: say('Notes'), align: 'right', wideOnly: true, cell: (r) => r.notes.length },
            { key: 'at', header: say('Opened'), cell: (r) => <Stamp at={r.createdAt} show="relative" /> },
          ]}
        />
      </Panel>
    </>
  );
}
