// The list of baskets: items put together before a sale, and the state of each.

import { Group } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { moneyColumn } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { type Filters, useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';

const statuses = [
  { value: 'PENDING', label: say('Pending') },
  { value: 'VERIFIED', label: say('Verified') },
  { value: 'CANCELLED', label: say('Cancelled') },
];
type Status = 'PENDING' | 'VERIFIED' | 'CANCELLED';

export default function Baskets() {
  const [filters, setFilters] = useFilters();
  const { status, ref, clientId } = filters;
  const pages = usePages('listBaskets', { status: status as Status, ref }, { clientId });
  return (
    <>
      <PageHeader
        title={say('Baskets')}
        lead={say('What customers put together, with the tax of every item, newest first.')}
      />
      <Panel title={say('Find')} flush>
        <Fields filters={filters} set={setFilters} />
        <DataTable
          label={say('Baskets')}
          pages={pages}
          rowKey={(b) => b.basketId}
          rowTo={(b) => `/baskets/${b.basketId}`}
          empty={
            status || ref || clientId ? (
              <Empty title={say('Nothing fits these filters')}>
                {say('A ref is found where it is written in full.')}
              </Empty>
            ) : (
              <Empty title={say('No baskets yet')}>{say('They appear here when a client calls submitBasket.')}</Empty>
            )
          }
          columns={[
            { key: 'ref', header: say('Ref'), cell: (b) => b.ref },
            { key: 'status', header: say('Status'), cell: (b) => <BasketBadge status={b.status} /> },
            { key: 'client', header: say('Client'), cell: (b) => <ClientName id={b.clientId} /> },
            {
              key: 'items',
              header: say('Items'),
              align: 'right',
              cell: (b) => b.lineVat.length.toLocaleString(locale),
            },
            moneyColumn('totalAmount', say('Total'), { key: 'total' }),
            moneyColumn('vatAmount', say('Tax'), { key: 'vat' }),
            { key: 'at', header: say('Submitted'), cell: (b) => <Stamp at={b.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}

/** Waiting for payment, paid, or not going to be paid. */
export function BasketBadge({ status }: { readonly status: Status }) {
  return <StatusBadge status={status} tone={status === 'CANCELLED' ? 'bad' : status === 'PENDING' ? 'wait' : 'good'} />;
}

function Fields({ filters, set }: { readonly filters: Filters; readonly set: (change: Filters) => void }) {
  return (
    <Group
      component="search"
      aria-label={say('Baskets')}
      px="md"
      pb="md"
      align="flex-end"
      gap="sm"
      grow
      preventGrowOverflow={false}
    >
      <TextFilter of="ref" label={say('Ref')} placeholder={say('In full')} miw={160} />
      <AnyOf of="status" label={say('Status')} clear={say('Any status')} data={statuses} miw={140} />
      <ClientSelect value={filters.clientId} onChange={(clientId) => set({ clientId })} />
    </Group>
  );
}
