// A section of a report under its heading: its note, its chart where it names one, its lines, its CSV.
import { Anchor, Box, Text } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Panel } from '../../components/panel.tsx';
import { groupDigits } from '../../data/amounts.ts';
import { series as colors } from '../../theme/palette.ts';
import { SectionTable } from './section-table.tsx';
import type { Section } from './shown.ts';

/** More bars than this tell nothing that the table does not tell better. */
const mostBars = 40;

export function SectionPanel({ section, csv }: { readonly section: Section; readonly csv: string | undefined }) {
  return (
    <Panel
      title={section.title}
      flush
      actions={
        csv ? (
          <Anchor href={csv} download size="sm" aria-label={`${section.title} as CSV`}>
            CSV
          </Anchor>
        ) : null
      }
    >
      {section.note ? (
        <Text size="sm" c="dimmed" px="md" pb="sm" maw="60rem">
          {section.note}
        </Text>
      ) : null}
      <Chart section={section} />
      <SectionTable section={section} />
    </Panel>
  );
}

function Chart({ section }: { readonly section: Section }) {
  const { chart, rows, columns } = section;
  if (!chart || rows.length < 2) return null;
  const currencies = new Set(rows.map((r) => r.currency).filter(Boolean));
  const nameOf = (row: Section['rows'][number]) =>
    [row[chart.label] ?? 'none', currencies.size > 1 && chart.label !== 'currency' ? row.currency : undefined]
      .filter(Boolean)
      .join(' ');
  const bars = rows.slice(0, mostBars).map((row) => ({
    at: nameOf(row),
    values: Object.fromEntries(chart.values.map((v) => [v, String(row[v] ?? '0')])),
  }));
  const titleOf = (name: string) => columns.find((c) => c.name === name)?.title ?? name;
  return (
    <Box px="md" pb="sm">
      <Bars
        label={`${section.title}: ${chart.values.map(titleOf).join(', ')}`}
        rows={bars}
        series={chart.values.map((v, i) => ({
          name: v,
          label: titleOf(v),
          color: colors[i % colors.length] as string,
        }))}
        format={(v) => groupDigits(String(v))}
      />
    </Box>
  );
}
