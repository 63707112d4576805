// The period day by day: verdicts, and their taxes and fees.
import { SimpleGrid } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { groupDigits } from '../../data/amounts.ts';
import { dailyAmounts, dailyCounts, type OverviewData } from './series.ts';

export function Days({
  overview,
  currency,
}: {
  readonly overview: OverviewData;
  readonly currency: string | undefined;
}) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Panel title="Verdicts by day">
        <Bars
          label={`Approvals and declines by day, ${overview.period.from} to ${overview.period.to}`}
          rows={dailyCounts(overview)}
          series={[
            { name: 'approved', label: 'Approved', color: 'verdigris.6' },
            { name: 'declined', label: 'Declined', color: 'brick.5' },
          ]}
          format={(v) => Number(v).toLocaleString('en')}
          stacked
        />
      </Panel>
      <Panel title={currency ? `Tax and fees by day, ${currency}` : 'Tax and fees by day'}>
        {currency ? (
          <Bars
            label={`Tax and processing fees by day in ${currency}`}
            rows={dailyAmounts(overview, currency)}
            series={[
              { name: 'vat', label: 'Tax', color: 'slate.5' },
              { name: 'fees', label: 'Processing fees', color: 'brass.4' },
            ]}
            format={(v) => groupDigits(String(v), currency)}
            stacked
          />
        ) : (
          <Empty title="No amounts in this period">They appear with the first approved transaction.</Empty>
        )}
      </Panel>
    </SimpleGrid>
  );
}
