// The list of payouts on wagers.

import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { moneyColumn } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { countryName } from '../../data/countries.ts';
import { useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { GamingFilters, gamingQuery } from './gaming-filters.tsx';
import { Lines } from './lines.tsx';

export default function Payouts() {
  const [filters, setFilters] = useFilters();
  const asked = gamingQuery(filters, ['ref', 'wagerReference']);
  const pages = usePages('listPayouts', asked);
  return (
    <>
      <PageHeader title={say('Payouts')} lead={say('What was paid out on wagers, newest first.')} />
      <Lines />
      <Panel title={say('Find')} flush>
        <GamingFilters
          label={say('Payouts')}
          filters={filters}
          set={setFilters}
          fields={[
            ['ref', say('Ref'), say('In full')],
            ['wagerReference', say('Ref of its wager'), say('In full')],
          ]}
        />
        <DataTable
          label={say('Payouts')}
          pages={pages}
          rowKey={(p) => p.payoutId}
          rowTo={(p) => `/gaming/payouts/${p.payoutId}`}
          empty={
            Object.keys(asked).length > 0 ? (
              <Empty title={say('Nothing fits these filters')}>
                {say('A ref is found where it is written in full.')}
              </Empty>
            ) : (
              <Empty title={say('No payouts yet')}>
                {say('They appear here when they are recorded with capturePayout.')}
              </Empty>
            )
          }
          columns={[
            { key: 'ref', header: say('Ref'), cell: (p) => p.ref },
            { key: 'wager', header: say('Wager'), cell: (p) => p.wagerReference },
            { key: 'client', header: say('Client'), cell: (p) => <ClientName id={p.clientId} /> },
            moneyColumn('amount', say('Amount')),
            { key: 'taxes', header: say('Taxes'), align: 'right', wideOnly: true, cell: (p) => p.taxes.length },
            { key: 'country', header: say('Country'), wideOnly: true, cell: (p) => countryName(p.countryCode) },
            { key: 'at', header: say('Paid'), cell: (p) => <Stamp at={p.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}
