// A section of a report with its heading, note, optional chart, lines and CSV.

import { Anchor, Box, Text } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Panel } from '../../components/panel.tsx';
import { groupDigits } from '../../data/amounts.ts';
import { useClientNames } from '../../data/clients.ts';
import { series as colors } from '../../theme/palette.ts';
import { say } from '../../words/words.ts';
import { codeWords, SectionTable } from './section-table.tsx';
import { inLanguage, type Section } from './shown.ts';

type Row = Section['rows'][number];

/** Beyond this many bars the table is clearer than a chart. */
const mostBars = 40;

export function SectionPanel({ section, csv }: { readonly section: Section; readonly csv: string | undefined }) {
  return (
    <Panel
      title={section.title}
      flush
      actions={
        csv ? (
          <Anchor
            href={inLanguage(csv)}
            download
            size="sm"
            aria-label={say('{title} as CSV', { title: section.title })}
          >
            {say('CSV')}
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

/** Bars of one name, such as a rule in several operations, take the text of the first column that makes them differ. */
function labelsOf(rows: readonly Row[], s: Section, word: (row: Row, column: string) => string): string[] {
  const at = s.chart?.label ?? '';
  const names = rows.map((r) => word(r, at));
  const isTwice = (of: readonly string[]) => new Set(of).size < of.length;
  if (!isTwice(names)) return names;
  const longer = s.columns
    .filter((c) => c.name !== at && c.type === 'text')
    .map((c) => rows.map((r) => [word(r, at), word(r, c.name)].join(', ')));
  return longer.find((l) => !isTwice(l)) ?? names;
}

/** One chart per currency: amounts in different currencies share no axis. */
function Chart({ section }: { readonly section: Section }) {
  const { chart, rows } = section;
  if (!chart || rows.length < 2) return null;
  const currencies = [...new Set(rows.map((r) => String(r.currency ?? '')))];
  if (currencies.length < 2 || chart.label === 'currency') return <OneChart section={section} />;
  return currencies.map((c) => (
    <OneChart key={c} currency={c} section={{ ...section, rows: rows.filter((r) => String(r.currency ?? '') === c) }} />
  ));
}

function OneChart({ section, currency }: { readonly section: Section; readonly currency?: string }) {
  const { chart, rows, columns } = section;
  const nameOf = useClientNames();
  if (!chart) return null;
  const word = (row: Row, column: string) => {
    const text = String(row[column] ?? say('none'));
    return nameOf(text) ?? codeWords(column, text);
  };
  const shown = rows.slice(0, mostBars);
  const labels = labelsOf(shown, section, word);
  const bars = shown.map((row, i) => ({
    at: labels[i] ?? '',
    values: Object.fromEntries(chart.values.map((v) => [v, String(row[v] ?? '0')])),
  }));
  const titleOf = (name: string) => columns.find((c) => c.name === name)?.title ?? name;
  const values = chart.values.map(titleOf).join(', ');
  return (
    <Box px="md" pb="sm">
      <Text size="sm" fw={600}>
        {values}
        {currency ? `, ${currency}` : ''}
      </Text>
      <Bars
        label={say('{title}: {values}{currency}', {
          title: section.title,
          values,
          currency: currency ? ` ${say('in {currency}', { currency })}` : '',
        })}
        rows={bars}
        series={chart.values.map((v, i) => ({
          name: v,
          label: titleOf(v),
          color: colors[i % colors.length] as string,
        }))}
        format={(v) => groupDigits(String(v), currency)}
      />
    </Box>
  );
}
