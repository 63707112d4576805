// The list of baskets: items put together before a sale, and the state of each.
import { Group, Select } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { type Filters, useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';

const statuses = [
  { value: 'PENDING', label: 'Pending' },
  { value: 'VERIFIED', label: 'Verified' },
  { value: 'CANCELLED', label: 'Cancelled' },
];
type Status = 'PENDING' | 'VERIFIED' | 'CANCELLED';

export default function Baskets() {
  const [filters, setFilters] = useFilters();
  const { status, ref, clientId } = filters;
  const asked = { ...(status ? { status: status as Status } : {}), ...(ref ? { ref } : {}) };
  const pages = usePages('listBaskets', asked, { clientId });
  return (
    <>
      <PageHeader title="Baskets" lead="What customers put together, with the tax of every item, newest first." />
      <Panel title="Find" flush>
        <Fields filters={filters} set={setFilters} />
        <DataTable
          label="Baskets"
          pages={pages}
          rowKey={(b) => b.basketId}
          rowTo={(b) => `/baskets/${b.basketId}`}
          empty={
            status || ref || clientId ? (
              <Empty title="Nothing fits these filters">A ref is found where it is written in full.</Empty>
            ) : (
              <Empty title="No baskets yet">They appear here when a client calls submitBasket.</Empty>
            )
          }
          columns={[
            { key: 'ref', header: 'Ref', cell: (b) => b.ref },
            { key: 'status', header: 'Status', cell: (b) => <BasketBadge status={b.status} /> },
            { key: 'client', header: 'Client', cell: (b) => <ClientName id={b.clientId} /> },
            {
              key: 'items',
              header: 'Items',
              align: 'right',
              cell: (b) => b.lineVat.length.toLocaleString('en'),
            },
            {
              key: 'total',
              header: 'Total',
              align: 'right',
              cell: (b) => <Money amount={b.totalAmount} currency={b.currency} />,
            },
            {
              key: 'vat',
              header: 'Tax',
              align: 'right',
              cell: (b) => <Money amount={b.vatAmount} currency={b.currency} />,
            },
            { key: 'at', header: 'Submitted', cell: (b) => <Stamp at={b.createdAt} /> },
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
      aria-label="Baskets"
      px="md"
      pb="md"
      align="flex-end"
      gap="sm"
      grow
      preventGrowOverflow={false}
    >
      <TextFilter label="Ref" placeholder="In full" value={filters.ref} onChange={(ref) => set({ ref })} miw={160} />
      <Select
        label="Status"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Any status' }}
        data={statuses}
        value={filters.status ?? null}
        onChange={(v) => set({ status: v ?? undefined })}
        miw={140}
      />
      <ClientSelect value={filters.clientId} onChange={(clientId) => set({ clientId })} />
    </Group>
  );
}
