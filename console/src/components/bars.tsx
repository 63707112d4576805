// An accessible bar chart: drawn from numbers, described in exact text, with a table of the same values.
import { locale } from '../words/language.ts';
import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import { forDrawing } from '../data/amounts.ts';
import classes from './bars.module.css';

interface BarSeries {
  readonly name: string;
  readonly label: string;
  /** A colour of the theme, from `series` in theme/palette.ts or one with a meaning. */
  readonly color: string;
}

export interface BarRow {
  /** Label under the bar; several may have the same. */
  readonly at: string;
  /** Exact values by the series' names. */
  readonly values: Readonly<Record<string, string | number>>;
}

interface Props {
  /** What the chart shows, in one sentence. */
  readonly label: string;
  readonly rows: readonly BarRow[];
  readonly series: readonly BarSeries[];
  /** Writes a value in full, for the tooltip and the table. */
  readonly format: (value: string | number) => string;
  readonly stacked?: boolean;
  readonly sideways?: boolean;
  readonly height?: number;
  /** Width in pixels of the labels beside horizontal bars. */
  readonly labelWidth?: number;
  readonly legend?: boolean;
}

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });

/** A mark of an axis: 1.2M, and below one 0.00046, as amounts of crypto assets are. */
const markOf = (v: number): string => (Math.abs(v) < 1 ? small : compact).format(v);

export function Bars({
  label,
  rows,
  series,
  format,
  stacked = false,
  sideways = false,
  height = 240,
  labelWidth = 48,
  legend = true,
}: Props) {
  // A bar is found by its number: two days of different years have one label, as do two lines of one rule.
  const drawn = rows.map((r, i) => ({
    bar: String(i),
    ...Object.fromEntries(series.map((s) => [s.name, forDrawing(r.values[s.name] ?? 0)])),
  }));
  const rowOf = (bar: unknown) => rows[Number(bar)];
  const labels = { tickFormatter: (bar: unknown) => rowOf(bar)?.at ?? '' };
  // Counts have no fractional axis marks.
  const marks = { allowDecimals: rows.some((r) => Object.values(r.values).some((v) => String(v).includes('.'))) };
  // Marks of small parts of one have more digits than others.
  const isSmall = rows.every((r) => series.every((s) => Math.abs(forDrawing(r.values[s.name] ?? 0)) < 1));
  return (
    <figure className={classes.figure} aria-label={label}>
      <div aria-hidden="true">
        <BarChart
          h={height}
          data={drawn}
          dataKey="bar"
          series={series.map(({ name, label: words, color }) => ({ name, label: words, color }))}
          type={stacked ? 'stacked' : 'default'}
          orientation={sideways ? 'vertical' : 'horizontal'}
          withLegend={legend && series.length > 1}
          legendProps={{ verticalAlign: 'top', height: 36 }}
          gridAxis={sideways ? 'y' : 'x'}
          tickLine="none"
          maxBarWidth={28}
          minBarSize={0}
          valueFormatter={markOf}
          yAxisProps={{
            width: sideways ? labelWidth : isSmall ? 'auto' : 52,
            tickMargin: 6,
            ...(sideways ? labels : marks),
          }}
          xAxisProps={{ minTickGap: 24, tickMargin: 6, ...(sideways ? marks : labels) }}
          barChartProps={{ accessibilityLayer: false }}
          barProps={{ isAnimationActive: false }}
          tooltipAnimationDuration={0}
          tooltipProps={{
            content: ({ label: bar }) => {
              const row = bar === undefined ? undefined : rowOf(bar);
              return row ? <Note row={row} series={series} format={format} /> : null;
            },
          }}
        />
      </div>
      <VisuallyHidden>
        <Table>
          <Table.Caption>{label}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th />
              {series.map((s) => (
                <Table.Th key={s.name}>{s.label}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((r, i) => (
              <Table.Tr key={drawn[i]?.bar}>
                <Table.Th scope="row">{r.at}</Table.Th>
                {series.map((s) => (
                  <Table.Td key={s.name}>{format(r.values[s.name] ?? 0)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </figure>
  );
}

function Note({ row, series, format }: { readonly row: BarRow } & Pick<Props, 'series' | 'format'>) {
  return (
    <Paper px="sm" py="xs" shadow="md">
      <Text size="sm" fw={600} mb={2}>
        {row.at}
      </Text>
      {series.map((s) => (
        <div key={s.name} className={classes.line}>
          <span className={classes.key} style={{ background: `var(--mantine-color-${s.color.replace('.', '-')})` }} />
          <span>{s.label}</span>
          <span className={classes.value}>{format(row.values[s.name] ?? 0)}</span>
        </div>
      ))}
    </Paper>
  );
}
