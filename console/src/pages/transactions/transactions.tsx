// The list of transactions: filtered by ref, id, client, status, type, amount and day, all kept in the URL.

import { Anchor, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { groupDigits } from '../../data/amounts.ts';
import { useFilters, useSorting } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { useZone } from '../../data/use-zone.ts';
import { cityOf } from '../../data/zone.ts';
import { say } from '../../words/words.ts';
import { TransactionFilters } from './filters.tsx';
import { isFiltered, listQuery, needsCountry, orderOf } from './query.ts';
import { typeName } from './words.ts';

export default function Transactions() {
  const [filters, setFilters] = useFilters();
  const needs = needsCountry(filters);
  const pages = usePages('listTransactions', listQuery(filters), { enabled: !needs });
  const sorting = useSorting('-time', orderOf(filters));
  const zone = useZone();
  return (
    <>
      <PageHeader
        title={say('Transactions')}
        lead={say(
          'Every sale, deposit and withdrawal. The address holds the filters, the order and the time zone: send it to share what you see.',
        )}
      />
      <Panel title={say('Find')} flush>
        <TransactionFilters filters={filters} set={setFilters} />
        <DataTable
          label={say('Transactions')}
          pages={needs ? { rows: [] } : pages}
          sorting={sorting}
          rowKey={(t) => t.transactionId}
          rowTo={(t) => `/transactions/${t.transactionId}`}
          empty={
            needs ? (
              <Empty title={say('Choose a country')}>
                {say(
                  'Chargebacks are listed by the days of one country’s calendar. Choose the country above, or remove the days.',
                )}
              </Empty>
            ) : isFiltered(filters) ? (
              <Empty title={say('No transaction matches')}>
                {say('A search finds refs by how they begin, and capitals count. Remove a filter, or widen the days.')}
              </Empty>
            ) : (
              <Empty
                title={say('No transactions yet')}
                action={
                  <Anchor href="/docs/tutorial/first-order" target="_blank" size="sm" underline="always">
                    {say('From nothing to a first order, in ten minutes')}
                  </Anchor>
                }
              >
                {say('They appear here when a PSP or its clients call verifyTransaction, a deposit or a withdrawal.')}
              </Empty>
            )
          }
          columns={[
            {
              key: 'ref',
              header: say('Ref'),
              cell: (t) => (t.ref ? <OneLine>{t.ref}</OneLine> : <Id value={t.transactionId} copy={false} />),
            },
            {
              key: 'status',
              header: say('Status'),
              cell: (t) => (
                <Group gap={4} wrap="nowrap">
                  <StatusBadge status={t.status} />
                  {t.chargeback ? <StatusBadge status="CHARGED_BACK" /> : null}
                </Group>
              ),
            },
            { key: 'type', header: say('Type'), wideOnly: true, cell: (t) => typeName(t.type) },
            {
              key: 'client',
              header: say('Client'),
              cell: (t) => (
                <OneLine>
                  <ClientName id={t.clientId} />
                </OneLine>
              ),
            },
            {
              key: 'total',
              header: say('Gross'),
              sort: 'amount',
              ...(filters.currency ? {} : { sortNeeds: say('Choose a currency to sort by amount') }),
              align: 'right',
              cell: (t) => <Money amount={t.totalAmount} currency={t.currency} />,
            },
            {
              key: 'tax',
              header: say('Tax'),
              align: 'right',
              wideOnly: true,
              cell: (t) => groupDigits(t.vatAmount, t.currency),
            },
            {
              key: 'settled',
              header: say('Settled'),
              align: 'right',
              cell: (t) => groupDigits(t.merchantAmount ?? t.netAmount ?? '', t.currency),
            },
            // A list that holds declined ones among others has no room for it.
            ...(filters.status === 'DECLINED' || filters.declinedFor
              ? [{ key: 'why', header: say('Reason'), cell: (t: { reason: string | null }) => t.reason ?? <Nothing /> }]
              : []),
            {
              key: 'at',
              header: say('Recorded ({zone})', { zone: cityOf(zone) }),
              sort: 'time',
              cell: (t) => <Stamp at={t.createdAt} show="short" />,
            },
          ]}
        />
      </Panel>
    </>
  );
}

/** Truncates long names, so that a row stays one line. */
function OneLine({ children }: { readonly children: ReactNode }) {
  return (
    <Text component="span" inherit truncate display="block" maw="13rem">
      {children}
    </Text>
  );
}
