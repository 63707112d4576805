// The list of payouts on wagers.
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { GamingFilters, gamingQuery } from './gaming-filters.tsx';
import { Lines } from './lines.tsx';

export default function Payouts() {
  const [filters, setFilters] = useFilters();
  const asked = gamingQuery(filters, ['ref', 'wagerReference']);
  const pages = usePages('listPayouts', asked);
  return (
    <>
      <PageHeader title="Payouts" lead="What was paid out on wagers, newest first." />
      <Lines />
      <Panel title="Find" flush>
        <GamingFilters
          label="Payouts"
          filters={filters}
          set={setFilters}
          fields={[
            ['ref', 'Ref', 'In full'],
            ['wagerReference', 'Ref of its wager', 'In full'],
          ]}
        />
        <DataTable
          label="Payouts"
          pages={pages}
          rowKey={(p) => p.payoutId}
          rowTo={(p) => `/gaming/payouts/${p.payoutId}`}
          empty={
            Object.keys(asked).length > 0 ? (
              <Empty title="Nothing fits these filters">A ref is found where it is written in full.</Empty>
            ) : (
              <Empty title="No payouts yet">They appear here when they are recorded with capturePayout.</Empty>
            )
          }
          columns={[
            { key: 'ref', header: 'Ref', cell: (p) => p.ref },
            { key: 'wager', header: 'Wager', cell: (p) => p.wagerReference },
            { key: 'client', header: 'Client', cell: (p) => <ClientName id={p.clientId} /> },
            {
              key: 'amount',
              header: 'Amount',
              align: 'right',
              cell: (p) => <Money amount={p.amount} currency={p.currency} />,
            },
            { key: 'taxes', header: 'Taxes', align: 'right', wideOnly: true, cell: (p) => p.taxes.length },
            { key: 'country', header: 'Country', wideOnly: true, cell: (p) => p.countryCode },
            { key: 'at', header: 'Paid', cell: (p) => <Stamp at={p.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}
