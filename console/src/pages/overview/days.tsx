// The period day by day: verdicts, and their taxes and fees.

import { SimpleGrid } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { groupDigits } from '../../data/amounts.ts';
import { dayInWords } from '../../data/moments.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
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
      <Panel title={say('Verdicts by day')}>
        <Bars
          label={say('Approvals and declines by day, {from} to {to}', {
            from: dayInWords(overview.period.from),
            to: dayInWords(overview.period.to),
          })}
          rows={dailyCounts(overview)}
          series={[
            { name: 'approved', label: say('Approved'), color: 'verdigris.6' },
            { name: 'declined', label: say('Declined'), color: 'brick.5' },
          ]}
          format={(v) => Number(v).toLocaleString(locale)}
          stacked
        />
      </Panel>
      <Panel title={currency ? say('Tax and fees by day, {currency}', { currency }) : say('Tax and fees by day')}>
        {currency ? (
          <Bars
            label={say('Tax and processing fees by day in {currency}', { currency })}
            rows={dailyAmounts(overview, currency)}
            series={[
              { name: 'vat', label: say('Tax'), color: 'slate.5' },
              { name: 'fees', label: say('Processing fees'), color: 'brass.5' },
            ]}
            format={(v) => groupDigits(String(v), currency)}
            stacked
          />
        ) : (
          <Empty title={say('No amounts in this period')}>
            {say('They appear with the first approved transaction.')}
          </Empty>
        )}
      </Panel>
    </SimpleGrid>
  );
}
