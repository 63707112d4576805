// The boxes of a form in the authority's order, by their own names, each with a way to the lines behind it.

import { Anchor, Button, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { plural, say } from '../../words/words.ts';
import { inLanguage, type Section } from '../reports/shown.ts';

type Row = Section['rows'][number];

interface Props {
  readonly section: Section;
  /** Sections whose lines name the boxes that add them. */
  readonly behind: readonly (Section | undefined)[];
  readonly csv: string | undefined;
  /** The box whose lines are shown. */
  readonly chosen: string | undefined;
  readonly onChoose: (box: string | undefined) => void;
}

const text = (v: unknown): string => (v === null || v === undefined ? '' : String(v));

export function Boxes({ section, behind, csv, chosen, onChoose }: Props) {
  const lines = behind.flatMap((s) => s?.rows ?? []).map((r) => text(r.boxes).split('; '));
  const countOf = (box: string) => lines.filter((l) => l.includes(box)).length;
  return (
    <Panel
      title={say('Boxes')}
      flush
      actions={
        csv ? (
          <Anchor href={inLanguage(csv)} download size="sm" aria-label={say('Boxes as CSV')}>
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
      <DataTable<Row>
        label={say('Boxes')}
        pages={{ rows: section.rows }}
        rowKey={(b) => text(b.box)}
        columns={[
          { key: 'box', header: say('Box'), cell: (b) => <b>{text(b.box)}</b> },
          { key: 'name', header: say('Name'), cell: (b) => <Name row={b} /> },
          { key: 'figure', header: say('Figure'), align: 'right', cell: (b) => <Figure row={b} /> },
          {
            key: 'how',
            header: say('How it is filled in'),
            cell: (b) => (
              <Text size="sm" c="dimmed" maw="24rem">
                {text(b.how)}
              </Text>
            ),
          },
          {
            key: 'lines',
            header: say('Lines'),
            cell: (b) => <Lines box={text(b.box)} count={countOf(text(b.box))} chosen={chosen} onChoose={onChoose} />,
          },
        ]}
      />
    </Panel>
  );
}

function Name({ row }: { readonly row: Row }) {
  return (
    <div>
      <Text size="sm" maw="32rem">
        {text(row.name)}
      </Text>
      {row.english && row.english !== row.name ? (
        <Text size="xs" c="dimmed" maw="32rem">
          {text(row.english)}
        </Text>
      ) : null}
    </div>
  );
}

function Figure({ row }: { readonly row: Row }) {
  if (row.figure === null || row.figure === undefined)
    return (
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {say('You fill it in')}
      </Text>
    );
  return <Money amount={text(row.figure)} currency={text(row.currency)} unit={false} strong />;
}

interface LinesProps {
  readonly box: string;
  readonly count: number;
  readonly chosen: string | undefined;
  readonly onChoose: (box: string | undefined) => void;
}

function Lines({ box, count, chosen, onChoose }: LinesProps) {
  if (count === 0) return <Nothing />;
  const isChosen = chosen === box;
  const words = plural(count, '{n} line', '{n} lines');
  return (
    <Button
      size="compact-sm"
      variant={isChosen ? 'filled' : 'default'}
      aria-pressed={isChosen}
      aria-label={say('{words} behind box {box}', { words, box })}
      onClick={() => onChoose(isChosen ? undefined : box)}
    >
      {words}
    </Button>
  );
}
