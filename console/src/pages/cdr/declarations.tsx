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
import { Declare } from './declare.tsx';
import { cdrPages } from './parts.ts';

export default function Declarations() {
  const pages = usePages('listCdrDeclarations');
  const may = useMay('administrator');
  return (
    <>
      <PageHeader
        title="Declarations"
        above={[{ title: 'Call records', to: '/cdr' }]}
        lead="Figures declared to the authority, to be compared with those computed from the records."
        actions={may ? <Declare /> : null}
      />
      <SubPages label="Pages of call records" pages={cdrPages} />
      <Panel title="All declarations" flush>
        <DataTable
          label="Declarations"
          pages={pages}
          rowKey={(d) => d.declarationId}
          rowTo={(d) => `/cdr/declarations/${d.declarationId}`}
          empty={
            <Empty title="Nothing declared yet">
              Record what was declared for a month, and the report compares it.
            </Empty>
          }
          columns={[
            { key: 'period', header: 'Month', cell: (d) => d.period },
            { key: 'client', header: 'Account', cell: (d) => <ClientName id={d.clientId} /> },
            { key: 'revision', header: 'Revision', align: 'right', cell: (d) => d.revision },
            {
              key: 'state',
              header: 'State',
              cell: (d) => (
                <StatusBadge status={d.current ? 'current' : 'superseded'} tone={d.current ? 'good' : 'quiet'} />
              ),
            },
            { key: 'lines', header: 'Figures', align: 'right', cell: (d) => d.lineCount.toLocaleString('en') },
            { key: 'at', header: 'Recorded', cell: (d) => <Stamp at={d.createdAt} /> },
          ]}
        />
      </Panel>
    </>
  );
}
