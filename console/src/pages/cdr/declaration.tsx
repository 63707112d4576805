// The page of one declaration: its figures, and how they differ from those of the records.

import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money, moneyColumn } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { say } from '../../words/words.ts';
import { className, declarationState } from './parts.ts';
import { Variance } from './variance.tsx';

type Declaration = Content<'getCdrDeclaration'>;
const above = [
  { title: say('Call records'), to: '/cdr' },
  { title: say('Declarations'), to: '/cdr/declarations' },
];

export default function DeclarationPage() {
  const declarationId = usePath('declarationId');
  const { data, error, refetch } = useOp('getCdrDeclaration', { declarationId });
  if (!data) return <Unfetched title={say('Declaration')} above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={say('Declaration of {period}', { period: data.period })}
        above={above}
        beside={<StatusBadge {...declarationState(data.current)} />}
        actions={
          <Button component={Link} to={`/reports/new?kind=cdrTax&period=${data.period}`}>
            {say('Compare in a report')}
          </Button>
        }
      />
      <Stack>
        <Panel title={say('Declaration')}>
          <Facts
            columns={2}
            items={[
              [say('Account'), <ClientName key="w" id={data.clientId} link />],
              [say('Revision'), data.revision],
              [say('Recorded'), <Stamp key="a" at={data.createdAt} show="both" />],
              [say('Id'), <Id key="id" value={data.declarationId} what={say('declaration id')} full />],
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
    <Panel title={say('Declared figures')} flush>
      <DataTable
        label={say('Declared figures')}
        pages={{ rows: declaration.lines }}
        rowKey={(l) => `${l.class} ${l.taxCode} ${l.currency}`}
        columns={[
          { key: 'class', header: say('Class'), cell: (l) => (l.class ? className(l.class) : say('All classes')) },
          { key: 'tax', header: say('Tax'), cell: (l) => l.taxCode ?? say('All taxes') },
          { key: 'records', header: say('Records'), align: 'right', cell: (l) => <Money amount={l.records} /> },
          { key: 'minutes', header: say('Minutes'), align: 'right', cell: (l) => <Money amount={l.minutes} /> },
          { key: 'data', header: say('Data, MB'), align: 'right', cell: (l) => <Money amount={l.dataMb} /> },
          moneyColumn('gross', say('Gross')),
          moneyColumn('taxable', say('Taxable')),
          moneyColumn('tax', say('Tax'), { key: 'amount', strong: true }),
        ]}
      />
    </Panel>
  );
}
