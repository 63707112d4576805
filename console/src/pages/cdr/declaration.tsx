// The page of one declaration: its figures, and how they differ from those of the records.
import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { className } from './parts.ts';
import { Variance } from './variance.tsx';

type Declaration = Content<'getCdrDeclaration'>;
const above = [
  { title: 'Call records', to: '/cdr' },
  { title: 'Declarations', to: '/cdr/declarations' },
];

export default function DeclarationPage() {
  const declarationId = usePath('declarationId');
  const { data, error, refetch } = useOp('getCdrDeclaration', { declarationId });
  if (!data) return <Unfetched title="Declaration" above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={`Declaration of ${data.period}`}
        above={above}
        beside={<StatusBadge status={data.current ? 'current' : 'superseded'} tone={data.current ? 'good' : 'quiet'} />}
        actions={
          <Button component={Link} to={`/reports/new?kind=cdrTax&period=${data.period}`}>
            Compare in a report
          </Button>
        }
      />
      <Stack>
        <Panel title="Declaration">
          <Facts
            columns={2}
            items={[
              ['Account', <ClientName key="w" id={data.clientId} link />],
              ['Revision', data.revision],
              ['Recorded', <Stamp key="a" at={data.createdAt} show="both" />],
              ['Id', <Id key="id" value={data.declarationId} what="declaration id" full />],
            ]}
          />
        </Panel>
        <Lines declaration={data} />
        <Variance period={data.period} clientId={data.clientId} />
      </Stack>
    </>
  );
}

function Lines({ declaration }: { readonly declaration: Declaration }) {
  return (
    <Panel title="Declared figures" flush>
      <DataTable
        label="Declared figures"
        pages={{ rows: declaration.lines }}
        rowKey={(l) => `${l.class} ${l.taxCode} ${l.currency}`}
        columns={[
          { key: 'class', header: 'Class', cell: (l) => (l.class ? className(l.class) : 'All classes') },
          { key: 'tax', header: 'Tax', cell: (l) => l.taxCode ?? 'All taxes' },
          { key: 'records', header: 'Records', align: 'right', cell: (l) => <Money amount={l.records} /> },
          { key: 'minutes', header: 'Minutes', align: 'right', cell: (l) => <Money amount={l.minutes} /> },
          { key: 'data', header: 'Data, MB', align: 'right', cell: (l) => <Money amount={l.dataMb} /> },
          {
            key: 'gross',
            header: 'Gross',
            align: 'right',
            cell: (l) => <Money amount={l.gross} currency={l.currency} />,
          },
          {
            key: 'taxable',
            header: 'Taxable',
            align: 'right',
            cell: (l) => <Money amount={l.taxable} currency={l.currency} />,
          },
          {
            key: 'amount',
            header: 'Tax',
            align: 'right',
            cell: (l) => <Money amount={l.tax} currency={l.currency} strong />,
          },
        ]}
      />
    </Panel>
  );
}
