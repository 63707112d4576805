// What a client has to show: every requirement with its state, until when it is due and until when what is held counts.
import { Stack, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords, StatusBadge, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';

type Client = Content<'getClient'>;
export type Requirement = NonNullable<Client['requirements']>[number];

const states: Readonly<Record<Requirement['state'], { readonly label: string; readonly tone: Tone }>> = {
  DUE: { label: 'Missing', tone: 'wait' },
  SUBMITTED: { label: 'To be decided', tone: 'note' },
  HELD: { label: 'Shown', tone: 'good' },
  EXPIRED: { label: 'Expired', tone: 'bad' },
};
const sureness: Readonly<Record<Requirement['confidence'], string>> = {
  official: 'from the law',
  secondary: 'from a summary of the law',
  assumed: 'our own choice',
};

export function ClientRequirements({ requirements }: { readonly requirements: readonly Requirement[] }) {
  return (
    <Panel title="What it has to show" flush>
      <DataTable<Requirement>
        label="Requirements"
        pages={{ rows: requirements }}
        rowKey={(r) => r.requirementId}
        empty={<Empty title="Nothing is asked of this account">Requirements are asked of clients only.</Empty>}
        columns={[
          { key: 'what', header: 'Requirement', cell: (r) => r.what.charAt(0).toUpperCase() + r.what.slice(1) },
          { key: 'level', header: 'Level', cell: (r) => inWords(r.level) },
          { key: 'state', header: 'State', cell: (r) => <StatusBadge status={r.state} {...states[r.state]} /> },
          { key: 'due', header: 'Due by', cell: (r) => (r.dueBy ? dayInWords(r.dueBy) : <Nothing />) },
          {
            key: 'until',
            header: 'Counts until',
            cell: (r) => (r.validUntil ? dayInWords(r.validUntil) : <Nothing />),
          },
          {
            key: 'law',
            header: 'Basis',
            wideOnly: true,
            cell: (r) => (
              <Stack gap={0}>
                {r.law ? <Text size="sm">{r.law}</Text> : null}
                <Text size="sm" c="dimmed">
                  {sureness[r.confidence]}
                </Text>
              </Stack>
            ),
          },
        ]}
      />
    </Panel>
  );
}
