// The page of totals by month, class and tax, with charts. Each figure links to its records.
import { Select, SimpleGrid, Stack } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Progress } from '../../components/progress.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import type { Content } from '../../data/assay.ts';
import { consolePath } from '../../data/open.ts';
import { useFilters } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { AnalysisCharts } from './analysis-charts.tsx';
import { among, callClasses, cdrPages, className, duration } from './parts.ts';

export type Totals = Content<'listCdrTotals'>;
export type Total = Totals['items'][number];
/** The largest page of the list. */
const limit = 200;

export default function Analysis() {
  const [filters, setFilters] = useFilters();
  const callClass = among(callClasses, filters.class);
  const period = /^\d{4}-\d\d$/.test(filters.period ?? '') ? filters.period : undefined;
  const { data, error, refetch } = useOp(
    'listCdrTotals',
    { limit, ...(period ? { period } : {}), ...(callClass ? { class: callClass } : {}) },
    { every: 10_000 },
  );
  const months = useOp('listCdrPeriods');
  const periods = [...new Set([...(months.data?.items ?? []).map((p) => p.period), ...(period ? [period] : [])])];
  return (
    <>
      <PageHeader
        title="Analysis"
        above={[{ title: 'Call records', to: '/cdr' }]}
        lead="Records by month, class and tax. Amounts are exact; reports round them."
      />
      <SubPages label="Pages of call records" pages={cdrPages} />
      <FilterBar>
        <Select
          label="Month"
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': 'All months' }}
          data={periods.sort().reverse()}
          value={period ?? null}
          onChange={(v) => setFilters({ period: v ?? undefined })}
        />
        <Select
          label="Class"
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': 'All classes' }}
          data={callClasses.map((c) => ({ value: c, label: className(c) }))}
          value={callClass ?? null}
          onChange={(v) => setFilters({ class: v ?? undefined })}
        />
      </FilterBar>
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading /> : null}
      {data ? <Figures totals={data} /> : null}
    </>
  );
}

function Figures({ totals }: { readonly totals: Totals }) {
  const { items, progress } = totals;
  const taxes = items.flatMap((t) =>
    t.taxes.map((x) => ({ ...x, period: t.period, class: t.class, key: `${keyOf(t)} ${x.ruleId} ${x.reason}` })),
  );
  return (
    <Stack>
      {progress.complete ? null : (
        <Panel title="Being analysed">
          <Progress label="Journal entries read" done={progress.read} total={progress.entries} />
        </Panel>
      )}
      {items.length > 0 ? (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <AnalysisCharts totals={items} />
        </SimpleGrid>
      ) : null}
      <Panel title="Totals by month and class" flush>
        <DataTable
          label="Totals by month and class"
          pages={{ rows: items }}
          rowKey={keyOf}
          rowTo={(t) => consolePath(t.open)}
          empty={<Empty title="Nothing analysed yet">Figures appear as soon as records are analysed.</Empty>}
          columns={[
            {
              key: 'period',
              header: 'Month',
              cell: (t) => `${t.period}${t.late ? ` · late for ${t.callPeriod}` : ''}`,
            },
            { key: 'class', header: 'Class', cell: (t) => className(t.class) },
            { key: 'records', header: 'Records', align: 'right', cell: (t) => t.records.toLocaleString('en') },
            { key: 'answered', header: 'Answered', align: 'right', cell: (t) => t.answered.toLocaleString('en') },
            { key: 'seconds', header: 'Length', align: 'right', cell: (t) => duration(t.seconds) },
            {
              key: 'cost',
              header: 'Cost',
              align: 'right',
              cell: (t) => <Money amount={t.cost} currency={t.currency} />,
            },
            {
              key: 'tax',
              header: 'Tax',
              align: 'right',
              cell: (t) => <Money amount={t.tax} currency={t.currency} strong />,
            },
            {
              key: 'findings',
              header: 'Findings',
              cell: (t) => t.findings.map((f) => `${f.code} ${f.records.toLocaleString('en')}`).join(', ') || 'none',
            },
          ]}
        />
      </Panel>
      {taxes.length > 0 ? (
        <Panel title="By tax rule" flush>
          <DataTable
            label="Totals by tax rule"
            pages={{ rows: taxes }}
            rowKey={(t) => t.key}
            rowTo={(t) => consolePath(t.open)}
            columns={[
              { key: 'tax', header: 'Tax', cell: (t) => t.taxCode },
              { key: 'rule', header: 'Rule', cell: (t) => t.ruleId },
              { key: 'period', header: 'Month', cell: (t) => t.period },
              { key: 'class', header: 'Class', cell: (t) => className(t.class) },
              { key: 'records', header: 'Records', align: 'right', cell: (t) => t.records.toLocaleString('en') },
              {
                key: 'taxable',
                header: 'Taxable',
                align: 'right',
                cell: (t) => <Money amount={t.taxable ?? t.quantity} currency={t.taxable ? t.currency : undefined} />,
              },
              {
                key: 'amount',
                header: 'Tax',
                align: 'right',
                cell: (t) => <Money amount={t.tax} currency={t.currency} strong />,
              },
              { key: 'why', header: 'Why none', cell: (t) => t.reason ?? '–', wideOnly: true },
            ]}
          />
        </Panel>
      ) : null}
    </Stack>
  );
}

const keyOf = (t: Total): string => [t.clientId, t.period, t.callPeriod, t.class, t.currency].join(' ');
