// The page of the records behind a figure of the analysis, selected by filters in the address.

import { Badge, Group } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { moneyColumn } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { between, say } from '../../words/words.ts';
import { ByReturn } from './by-return.tsx';
import { className, duration } from './parts.ts';

/** The filters of a figure by their names in the URL, as people read them. */
const titles = {
  period: say('Month'),
  callPeriod: say('Month of the calls'),
  class: say('Class'),
  currency: say('Currency'),
  ruleId: say('Tax rule'),
  reason: say('Reason'),
  finding: say('Finding'),
  clientId: say('Account'),
} as const;
const names = Object.keys(titles) as (keyof typeof titles)[];

const above = [
  { title: say('Call records'), to: '/cdr' },
  { title: say('Analysis'), to: '/cdr/analysis' },
];

export default function AnalysedRecords() {
  const [filters] = useFilters();
  const asked = names.flatMap((n) => (filters[n] ? [[n, filters[n]] as const] : []));
  const period = filters.period ?? '';
  const pages = usePages('listCdrAnalyses', { ...Object.fromEntries(asked), period }, { enabled: period !== '' });
  return (
    <>
      <PageHeader
        title={say('Records of a figure')}
        above={above}
        lead={
          <Group gap={6} mt={4}>
            {asked.map(([n, v]) => (
              <Badge key={n} variant="default">
                {rich('{title}: {value}', {
                  title: titles[n],
                  value: n === 'class' ? className(v) : n === 'clientId' ? <ClientName id={v} /> : v,
                })}
              </Badge>
            ))}
          </Group>
        }
      />
      <Panel title={say('Analysed records')} flush>
        {period === '' ? (
          <Empty title={say('No figure chosen')}>{say('Open one from the analysis or from a report.')}</Empty>
        ) : (
          <DataTable
            label={say('Analysed records')}
            pages={pages}
            rowKey={(a) => a.cdrId}
            rowTo={(a) => `/cdr/records/${a.cdrId}`}
            empty={<Empty title={say('No record')} />}
            columns={[
              { key: 'id', header: say('Record'), cell: (a) => <Id value={a.cdrId} copy={false} full /> },
              { key: 'class', header: say('Class'), cell: (a) => className(a.class) },
              {
                key: 'period',
                header: say('Month'),
                cell: (a) => `${a.period}${a.late ? `${between}${say('late')}` : ''}`,
              },
              { key: 'answered', header: say('Answered'), cell: (a) => (a.answered ? say('yes') : say('no')) },
              { key: 'seconds', header: say('Duration'), align: 'right', cell: (a) => duration(a.seconds) },
              moneyColumn('cost', say('Cost')),
              moneyColumn('tax', say('Tax'), { strong: true }),
              {
                key: 'byReturn',
                header: say('Due by return'),
                align: 'right',
                cell: (a) => <ByReturn of={a.byReturn} />,
              },
              { key: 'finding', header: say('Finding'), cell: (a) => a.finding ?? say('none') },
            ]}
          />
        )}
      </Panel>
    </>
  );
}
