// Totals of each country, as bars and as exact figures.
import { Grid, Text } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { groupDigits } from '../../data/amounts.ts';
import { countryName } from '../../data/countries.ts';
import type { OverviewData } from './series.ts';

const drawn = 8;

export function Countries({
  overview,
  currency,
}: {
  readonly overview: OverviewData;
  readonly currency: string | undefined;
}) {
  const lines = overview.byCountry.filter((l) => l.currency === currency);
  const none = <Empty title="No country in this period">Countries appear with their first transaction.</Empty>;
  const byTax = [...lines].sort((a, b) => Number(b.vat) - Number(a.vat));
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Panel title={currency ? `Tax and fees by country, ${currency}` : 'Tax and fees by country'}>
          {lines.length === 0 ? (
            none
          ) : (
            <Bars
              label={`Tax and processing fees by country in ${currency}`}
              rows={byTax.slice(0, drawn).map((l) => ({
                at: l.countryCode,
                values: { vat: l.vat, fees: l.processingFee },
              }))}
              series={[
                { name: 'vat', label: 'Tax', color: 'slate.5' },
                { name: 'fees', label: 'Processing fees', color: 'brass.4' },
              ]}
              format={(v) => groupDigits(String(v), currency)}
              sideways
              height={Math.max(150, 60 + Math.min(drawn, lines.length) * 44)}
            />
          )}
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Panel title="By country and currency" flush>
          <PlainTable
            label="Figures by country and currency"
            pages={{ rows: overview.byCountry }}
            rowKey={(l) => `${l.countryCode} ${l.currency}`}
            empty={none}
            columns={[
              {
                key: 'country',
                header: 'Country',
                cell: (l) => (
                  <Text inherit component="span" title={l.countryCode}>
                    {countryName(l.countryCode)}
                  </Text>
                ),
              },
              { key: 'currency', header: 'Currency', cell: (l) => l.currency },
              { key: 'approved', header: 'Approved', align: 'right', cell: (l) => l.approved.toLocaleString('en') },
              { key: 'declined', header: 'Declined', align: 'right', cell: (l) => l.declined.toLocaleString('en') },
              {
                key: 'vat',
                header: 'Tax',
                align: 'right',
                cell: (l) => <Money amount={l.vat} currency={l.currency} unit={false} />,
              },
              {
                key: 'fees',
                header: 'Fees',
                align: 'right',
                cell: (l) => <Money amount={l.processingFee} currency={l.currency} unit={false} />,
              },
            ]}
          />
        </Panel>
      </Grid.Col>
    </Grid>
  );
}
