// Disputes of chargebacks, newest first, with the last day for evidence.

import { Box } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { among, useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { settlementPages } from './parts.ts';

/** Days, as the overview counts those that need evidence. */
const soon = '7';
const states = ['OPEN', 'SUBMITTED', 'WON', 'LOST'] as const;

export default function Disputes() {
  const [filters, setFilters] = useFilters();
  const { clientId } = filters;
  const state = among(states, filters.state);
  const dueWithinDays = filters.due === soon ? Number(soon) : undefined;
  const pages = usePages('listDisputes', { state, clientId, dueWithinDays });
  return (
    <>
      <PageHeader
        title={say('Disputes')}
        above={[{ title: say('Settlement'), to: '/settlement' }]}
        lead={say('Chargebacks that are held to be wrong. One that is won is reversed, with all its amounts.')}
      />
      <SubPages label={say('Pages of settlement')} pages={settlementPages} />
      <Panel title={say('Find')} flush>
        <Box px="md">
          <FilterBar>
            <AnyOf of="state" label={say('State')} data={states.map((s) => ({ value: s, label: inWords(s) }))} />
            <AnyOf of="due" label={say('Evidence due')} data={[{ value: soon, label: say('Within 7 days') }]} />
            <ClientSelect value={clientId} onChange={(v) => setFilters({ clientId: v })} />
          </FilterBar>
        </Box>
        <DataTable
          label={say('Disputes')}
          pages={pages}
          rowKey={(d) => d.disputeId}
          rowTo={(d) => `/transactions/${d.transactionId}`}
          empty={
            <Empty title={say('No disputes')}>{say('A chargeback is disputed on the page of its transaction.')}</Empty>
          }
          columns={[
            { key: 'reason', header: say('Reason'), cell: (d) => d.reason },
            { key: 'state', header: say('State'), cell: (d) => <StatusBadge status={d.state} /> },
            { key: 'client', header: say('Account'), cell: (d) => <ClientName id={d.clientId} /> },
            {
              key: 'due',
              header: say('Evidence due'),
              cell: (d) => <Stamp at={d.evidenceDueAt} show={d.state === 'OPEN' ? 'both' : 'absolute'} />,
            },
            { key: 'at', header: say('Opened'), cell: (d) => <Stamp at={d.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}
