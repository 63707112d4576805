// The list of wagers with their stakes and taxable amounts.

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

export default function Wagers() {
  const [filters, setFilters] = useFilters();
  const asked = gamingQuery(filters, ['ref', 'type']);
  const pages = usePages('listWagers', asked);
  return (
    <>
      <PageHeader title={say('Wagers')} lead={say('Every stake that was captured, newest first.')} />
      <Lines />
      <Panel title={say('Find')} flush>
        <GamingFilters
          label={say('Wagers')}
          filters={filters}
          set={setFilters}
          fields={[
            ['ref', say('Ref'), say('In full')],
            ['type', say('Product line'), say('sports, casino, …')],
          ]}
        />
        <DataTable
          label={say('Wagers')}
          pages={pages}
          rowKey={(w) => w.wagerId}
          rowTo={(w) => `/gaming/wagers/${w.wagerId}`}
          empty={
            Object.keys(asked).length > 0 ? (
              <Empty title={say('Nothing fits these filters')}>
                {say('A ref is found where it is written in full.')}
              </Empty>
            ) : (
              <Empty title={say('No wagers yet')}>
                {say('They appear here when they are recorded with captureWager.')}
              </Empty>
            )
          }
          columns={[
            { key: 'ref', header: say('Ref'), cell: (w) => w.ref },
            { key: 'line', header: say('Product line'), cell: (w) => w.type },
            { key: 'client', header: say('Client'), cell: (w) => <ClientName id={w.clientId} /> },
            moneyColumn('amount', say('Stake')),
            { key: 'taxes', header: say('Taxes'), align: 'right', wideOnly: true, cell: (w) => w.taxes.length },
            { key: 'country', header: say('Country'), wideOnly: true, cell: (w) => countryName(w.countryCode) },
            { key: 'at', header: say('Captured'), cell: (w) => <Stamp at={w.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}
