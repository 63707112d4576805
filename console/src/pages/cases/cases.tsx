// The queue of cases: the overdue ones first, by assignee, severity and state.

import { Box, SegmentedControl } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { Id } from '../../components/id.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { useFilters } from '../../data/path.ts';
import { useActorNames } from '../../data/people.ts';
import { usePsp } from '../../data/psp.tsx';
import { usePsps } from '../../data/psps.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { CaseBadge, Due, queueName, queueOf } from './state.tsx';

const queues = {
  open: { label: say('Open'), asked: { state: 'ACTIVE' }, empty: say('No open cases') },
  overdue: { label: say('Overdue'), asked: { overdue: 'true' }, empty: say('Nothing is overdue') },
  unassigned: {
    label: say('Unassigned'),
    asked: { state: 'ACTIVE', assignee: 'none' },
    empty: say('Every open case is assigned'),
  },
  mine: { label: say('Mine'), asked: { state: 'ACTIVE', assignee: 'me' }, empty: say('You have no open cases') },
  closed: { label: say('Closed'), asked: { state: 'CLOSED' }, empty: say('No case is closed yet') },
} as const;
type Queue = keyof typeof queues;

const severities = [
  { value: 'HIGH', label: say('High') },
  { value: 'MEDIUM', label: say('Medium') },
  { value: 'LOW', label: say('Low') },
];

export default function Cases() {
  const [filters, setFilters] = useFilters();
  const shown: Queue = filters.show && filters.show in queues ? (filters.show as Queue) : 'open';
  const { severity, queue, clientId } = filters;
  const pages = usePages('listCases', {
    ...queues[shown].asked,
    severity: severity as 'HIGH',
    queue,
    clientId,
  });
  const actorOf = useActorNames();
  const { isOperator, pspId } = usePsp();
  const { data: psps } = usePsps();
  const overAll = isOperator && !pspId;
  return (
    <>
      <PageHeader
        title={say('Cases')}
        lead={say(
          'Alerts of one client or person that are worked on together, by when they are due. Clients learn nothing of them.',
        )}
      />
      <FilterBar>
        <AnyOf of="severity" label={say('Severity')} data={severities} />
        <TextFilter of="queue" label={say('Queue')} placeholder={say('Default')} read={queueOf} />
      </FilterBar>
      <FilterMarks of={{ clientId: say('Client') }} mb="md" />
      <Panel title={say('Queue')} flush>
        <Box px="md" pb="md" maw="100%" style={{ overflowX: 'auto' }}>
          <SegmentedControl
            size="xs"
            aria-label={say('Which cases')}
            data={Object.entries(queues).map(([value, { label }]) => ({ value, label }))}
            value={shown}
            onChange={(v) => setFilters({ show: v === 'open' ? undefined : v })}
          />
        </Box>
        <DataTable
          label={say('Cases')}
          pages={pages}
          rowKey={(c) => c.caseId}
          rowTo={(c) => `/cases/${c.caseId}`}
          empty={
            <Empty title={queues[shown].empty}>
              {say('A case opens with the first alert of a client or person; later alerts join it while it is open.')}
            </Empty>
          }
          columns={[
            { key: 'number', header: say('Case'), cell: (c) => say('Case {number}', { number: c.number }) },
            { key: 'why', header: say('Why'), cell: (c) => (c.rule ? inWords(c.rule) : <Nothing />) },
            { key: 'severity', header: say('Severity'), cell: (c) => <StatusBadge status={c.severity} /> },
            { key: 'state', header: say('State'), cell: (c) => <CaseBadge of={c} /> },
            { key: 'due', header: say('Due'), cell: (c) => <Due of={c} /> },
            {
              key: 'client',
              header: say('Client'),
              cell: (c) => <span title={c.clientId}>{c.clientName ?? c.clientId}</span>,
            },
            ...(overAll
              ? [
                  {
                    key: 'psp',
                    header: 'PSP',
                    cell: (c: { pspId: string }) =>
                      psps?.find((p) => p.pspId === c.pspId)?.name ?? <Id value={c.pspId} />,
                  },
                ]
              : []),
            {
              key: 'assignee',
              header: say('Assigned to'),
              cell: (c) => (c.assignee ? actorOf(c.assignee) : <Nothing />),
            },
            { key: 'queue', header: say('Queue'), wideOnly: true, cell: (c) => queueName(c.queue) },
            { key: 'alerts', header: say('Alerts'), align: 'right', wideOnly: true, cell: (c) => c.alerts },
          ]}
        />
      </Panel>
    </>
  );
}
