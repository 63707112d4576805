// The page of totals by month, class and tax, with charts. Each figure links to its records.

import { SimpleGrid, Stack, Text } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Money, moneyColumn } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Progress } from '../../components/progress.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import { TaxReason } from '../../components/tax-reason.tsx';
import type { Content } from '../../data/assay.ts';
import { consolePath } from '../../data/open.ts';
import { among, useFilters } from '../../data/path.ts';
import { taxNamed } from '../../data/tax-names.ts';
import { useOp, useWhole } from '../../data/use-op.ts';
import { usePortions } from '../../data/use-portions.ts';
import { Loading } from '../../layout/loading.tsx';
import { locale } from '../../words/language.ts';
import { between, say } from '../../words/words.ts';
import { AnalysisCharts } from './analysis-charts.tsx';
import { ByReturn } from './by-return.tsx';
import { callClasses, cdrPages, className, duration } from './parts.ts';

type Totals = Content<'listCdrTotals'>;
export type Total = Totals['items'][number];
/** Most totals that are read: nine classes of some forty operators for a year. */
const most = 5_000;
/** Rows of a table that are shown at first, and more at a time. */
const portion = 200;

export default function Analysis() {
  const [filters] = useFilters();
  const callClass = among(callClasses, filters.class);
  const period = /^\d{4}-\d\d$/.test(filters.period ?? '') ? filters.period : undefined;
  const asked = { ...(period ? { period } : {}), ...(callClass ? { class: callClass } : {}) };
  const { data, error, refetch } = useWhole('listCdrTotals', asked, most, { every: 10_000 });
  const progress = useOp('listCdrTotals', { limit: 1 }, { every: 10_000 }).data?.progress;
  const months = useOp('listCdrPeriods');
  const periods = [...new Set([...(months.data?.items ?? []).map((p) => p.period), ...(period ? [period] : [])])];
  return (
    <>
      <PageHeader
        title={say('Analysis')}
        above={[{ title: say('Call records'), to: '/cdr' }]}
        lead={say('Records by month, class and tax. Amounts are exact; reports round them.')}
      />
      <SubPages label={say('Pages of call records')} pages={cdrPages} />
      <FilterBar>
        <AnyOf
          of="period"
          label={say('Month')}
          any={say('All')}
          clear={say('All months')}
          data={periods.sort().reverse()}
        />
        <AnyOf
          of="class"
          label={say('Class')}
          any={say('All')}
          clear={say('All classes')}
          data={callClasses.map((c) => ({ value: c, label: className(c) }))}
        />
      </FilterBar>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? <Figures items={data} progress={progress} /> : null}
    </>
  );
}

interface FiguresProps {
  readonly items: readonly Total[];
  readonly progress: Totals['progress'] | undefined;
}

function Figures({ items, progress }: FiguresProps) {
  const taxes = items.flatMap((t) =>
    t.taxes.map((x) => ({
      ...x,
      clientId: t.clientId,
      period: t.period,
      class: t.class,
      key: `${keyOf(t)} ${x.ruleId} ${x.reason}`,
    })),
  );
  const totalRows = usePortions(items, portion);
  const taxRows = usePortions(taxes, portion);
  // Lines of one account need not name it.
  const accounts =
    new Set(items.map((t) => t.clientId)).size > 1
      ? [
          {
            key: 'client',
            header: say('Account'),
            cell: (t: Pick<Total, 'clientId'>) => <ClientName id={t.clientId} />,
          },
        ]
      : [];
  return (
    <Stack>
      {progress === undefined || progress.complete ? null : (
        <Panel title={say('Being analysed')}>
          <Progress label={say('Journal entries read')} done={progress.read} total={progress.entries} />
        </Panel>
      )}
      {items.length === most ? (
        <Text size="sm">
          {say('These figures are of the newest {count} totals only. Choose a month to see all of its totals.', {
            count: most.toLocaleString(locale),
          })}
        </Text>
      ) : null}
      {items.length > 0 ? (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <AnalysisCharts totals={items} />
        </SimpleGrid>
      ) : null}
      <Panel title={say('Totals by month and class')} flush>
        <DataTable
          label={say('Totals by month and class')}
          pages={totalRows}
          rowKey={keyOf}
          rowTo={(t) => consolePath(t.open)}
          empty={
            <Empty title={say('Nothing analysed yet')}>{say('Figures appear as soon as records are analysed.')}</Empty>
          }
          columns={[
            {
              key: 'period',
              header: say('Month'),
              cell: (t) =>
                `${t.period}${t.late ? `${between}${say('late for {callPeriod}', { callPeriod: t.callPeriod })}` : ''}`,
            },
            ...accounts,
            { key: 'class', header: say('Class'), cell: (t) => className(t.class) },
            { key: 'records', header: say('Records'), align: 'right', cell: (t) => t.records.toLocaleString(locale) },
            {
              key: 'answered',
              header: say('Answered'),
              align: 'right',
              cell: (t) => t.answered.toLocaleString(locale),
            },
            { key: 'seconds', header: say('Duration'), align: 'right', cell: (t) => duration(t.seconds) },
            moneyColumn('cost', say('Cost')),
            moneyColumn('tax', say('Tax'), { strong: true }),
            {
              key: 'byReturn',
              header: say('Due by return'),
              align: 'right',
              cell: (t) => <ByReturn of={t.byReturn} />,
            },
            {
              key: 'findings',
              header: say('Findings'),
              cell: (t) =>
                t.findings.map((f) => `${f.code} ${f.records.toLocaleString(locale)}`).join(', ') || say('none'),
            },
          ]}
        />
      </Panel>
      {taxes.length > 0 ? (
        <Panel title={say('By tax rule')} flush>
          <DataTable
            label={say('Totals by tax rule')}
            pages={taxRows}
            rowKey={(t) => t.key}
            rowTo={(t) => consolePath(t.open)}
            columns={[
              { key: 'tax', header: say('Tax'), cell: (t) => taxNamed(t.taxCode) },
              { key: 'rule', header: say('Rule'), cell: (t) => t.ruleId },
              { key: 'period', header: say('Month'), cell: (t) => t.period },
              ...accounts,
              { key: 'class', header: say('Class'), cell: (t) => className(t.class) },
              { key: 'records', header: say('Records'), align: 'right', cell: (t) => t.records.toLocaleString(locale) },
              {
                key: 'taxable',
                header: say('Taxable'),
                align: 'right',
                cell: (t) => <Money amount={t.taxable ?? t.quantity} currency={t.taxable ? t.currency : undefined} />,
              },
              moneyColumn('tax', say('Tax'), { key: 'amount', strong: true }),
              { key: 'how', header: say('How it is due'), cell: (t) => inWords(t.method), wideOnly: true },
              { key: 'why', header: say('Why none'), cell: (t) => <TaxReason reason={t.reason} />, wideOnly: true },
            ]}
          />
        </Panel>
      ) : null}
    </Stack>
  );
}

const keyOf = (t: Total): string => [t.clientId, t.period, t.callPeriod, t.class, t.currency].join(' ');
