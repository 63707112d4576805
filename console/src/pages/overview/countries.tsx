// Totals of each country, as bars and as exact figures.

import { Grid, Text } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { forDrawing, groupDigits } from '../../data/amounts.ts';
import { countryName } from '../../data/countries.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { type OverviewData, taxOf } from './series.ts';

const drawn = 8;

export function Countries({
  overview,
  currency,
}: {
  readonly overview: OverviewData;
  readonly currency: string | undefined;
}) {
  const lines = overview.byCountry.filter((l) => l.currency === currency);
  const none = (
    <Empty title={say('No country in this period')}>{say('Countries appear with their first transaction.')}</Empty>
  );
  const byTax = [...lines].sort((a, b) => forDrawing(taxOf(b)) - forDrawing(taxOf(a)));
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Panel
          title={currency ? say('Tax and fees by country, {currency}', { currency }) : say('Tax and fees by country')}
        >
          {lines.length === 0 ? (
            none
          ) : (
            <Bars
              label={say('Tax and processing fees by country in {currency}', { currency })}
              rows={byTax.slice(0, drawn).map((l) => ({
                at: l.countryCode,
                values: { vat: taxOf(l), fees: l.processingFee },
              }))}
              series={[
                { name: 'vat', label: say('Tax'), color: 'slate.5' },
                { name: 'fees', label: say('Processing fees'), color: 'brass.5' },
              ]}
              format={(v) => groupDigits(String(v), currency)}
              sideways
              height={Math.max(150, 60 + Math.min(drawn, lines.length) * 44)}
            />
          )}
        </Panel>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Panel title={say('By country and currency')} flush>
          <PlainTable
            label={say('Figures by country and currency')}
            pages={{ rows: overview.byCountry }}
            rowKey={(l) => `${l.countryCode} ${l.currency}`}
            empty={none}
            columns={[
              {
                key: 'country',
                header: say('Country'),
                cell: (l) => (
                  <Text inherit component="span" title={l.countryCode}>
                    {countryName(l.countryCode)}
                  </Text>
                ),
              },
              { key: 'currency', header: say('Currency'), cell: (l) => l.currency },
              {
                key: 'approved',
                header: say('Approved'),
                align: 'right',
                cell: (l) => l.approved.toLocaleString(locale),
              },
              {
                key: 'declined',
                header: say('Declined'),
                align: 'right',
                cell: (l) => l.declined.toLocaleString(locale),
              },
              {
                key: 'vat',
                header: say('Tax'),
                align: 'right',
                cell: (l) => <Money amount={taxOf(l)} currency={l.currency} unit={false} />,
              },
              {
                key: 'fees',
                header: say('Fees'),
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
