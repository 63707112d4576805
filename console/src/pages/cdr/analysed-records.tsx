// The page of the records behind a figure of the analysis, selected by filters in the address.
import { Badge, Group } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { className, duration } from './parts.ts';

const names = ['period', 'callPeriod', 'class', 'currency', 'ruleId', 'reason', 'finding', 'clientId'] as const;

const above = [
  { title: 'Call records', to: '/cdr' },
  { title: 'Analysis', to: '/cdr/analysis' },
];

export default function AnalysedRecords() {
  const [filters] = useFilters();
  const asked = names.flatMap((n) => (filters[n] ? [[n, filters[n]] as const] : []));
  const period = filters.period ?? '';
  const pages = usePages('listCdrAnalyses', { ...Object.fromEntries(asked), period }, { enabled: period !== '' });
  return (
    <>
      <PageHeader
        title="Records of a figure"
        above={above}
        lead={
          <Group gap={6} mt={4}>
            {asked.map(([n, v]) => (
              <Badge key={n} variant="default">
                {n} {v}
              </Badge>
            ))}
          </Group>
        }
      />
      <Panel title="Analysed records" flush>
        {period === '' ? (
          <Empty title="No figure chosen">Open one from the analysis or from a report.</Empty>
        ) : (
          <DataTable
            label="Analysed records"
            pages={pages}
            rowKey={(a) => a.cdrId}
            rowTo={(a) => `/cdr/records/${a.cdrId}`}
            empty={<Empty title="No record" />}
            columns={[
              { key: 'id', header: 'Record', cell: (a) => <Id value={a.cdrId} copy={false} full /> },
              { key: 'class', header: 'Class', cell: (a) => className(a.class) },
              { key: 'period', header: 'Month', cell: (a) => `${a.period}${a.late ? ' · late' : ''}` },
              { key: 'answered', header: 'Answered', cell: (a) => (a.answered ? 'yes' : 'no') },
              { key: 'seconds', header: 'Length', align: 'right', cell: (a) => duration(a.seconds) },
              {
                key: 'cost',
                header: 'Cost',
                align: 'right',
                cell: (a) => <Money amount={a.cost} currency={a.currency} />,
              },
              {
                key: 'tax',
                header: 'Tax',
                align: 'right',
                cell: (a) => <Money amount={a.tax} currency={a.currency} strong />,
              },
              { key: 'finding', header: 'Finding', cell: (a) => a.finding ?? 'none' },
            ]}
          />
        )}
      </Panel>
    </>
  );
}
