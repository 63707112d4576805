// The page of declarations to the authority by month, with a button to declare.

import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { useMay } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { Declare } from './declare.tsx';
import { cdrPages, declarationState } from './parts.ts';

export default function Declarations() {
  const pages = usePages('listCdrDeclarations');
  const may = useMay('declareCdr');
  return (
    <>
      <PageHeader
        title={say('Declarations')}
        above={[{ title: say('Call records'), to: '/cdr' }]}
        lead={say('Figures declared to the authority, to be compared with those computed from the records.')}
        actions={may ? <Declare /> : null}
      />
      <SubPages label={say('Pages of call records')} pages={cdrPages} />
      <Panel title={say('All declarations')} flush>
        <DataTable
          label={say('Declarations')}
          pages={pages}
          rowKey={(d) => d.declarationId}
          rowTo={(d) => `/cdr/declarations/${d.declarationId}`}
          empty={
            <Empty title={say('Nothing declared yet')}>
              {say('Record what was declared for a month, and the report compares it.')}
            </Empty>
          }
          columns={[
            { key: 'period', header: say('Month'), cell: (d) => d.period },
            { key: 'client', header: say('Account'), cell: (d) => <ClientName id={d.clientId} /> },
            { key: 'revision', header: say('Revision'), align: 'right', cell: (d) => d.revision },
            {
              key: 'state',
              header: say('State'),
              cell: (d) => <StatusBadge {...declarationState(d.current)} />,
            },
            { key: 'lines', header: say('Figures'), align: 'right', cell: (d) => d.lineCount.toLocaleString(locale) },
            { key: 'at', header: say('Recorded'), cell: (d) => <Stamp at={d.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}
