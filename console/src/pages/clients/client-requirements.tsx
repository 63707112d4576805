// What a client has to show: every requirement with its state, until when it is due and until when what is held counts.

import { Group, Stack, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords, StatusBadge, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { capitalized } from '../../data/capitalized.ts';
import { dayInWords } from '../../data/moments.ts';
import { day } from '../../data/now.ts';
import { say } from '../../words/words.ts';
import { useOwnerNames } from './client-owners.tsx';

type Client = Content<'getClient'>;
export type Requirement = NonNullable<Client['requirements']>[number];

const states: Readonly<Record<Requirement['state'], { readonly label: string; readonly tone: Tone }>> = {
  DUE: { label: say('Missing'), tone: 'wait' },
  SUBMITTED: { label: say('To be decided'), tone: 'note' },
  HELD: { label: say('Shown'), tone: 'good' },
  EXPIRED: { label: say('Expired'), tone: 'bad' },
};
const sureness: Readonly<Record<Requirement['confidence'], string>> = {
  official: say('from the law'),
  secondary: say('from a summary of the law'),
  assumed: say('our own choice'),
};

export function ClientRequirements({ client }: { readonly client: Client }) {
  const names = useOwnerNames(client);
  return (
    <Panel title={say('What is asked for')} flush>
      <DataTable<Requirement>
        label={say('Requirements')}
        pages={{ rows: client.requirements ?? [] }}
        rowKey={(r) => r.requirementId}
        empty={
          <Empty title={say('Nothing is asked of this account')}>
            {say('Requirements are asked of clients only.')}
          </Empty>
        }
        columns={[
          {
            key: 'what',
            header: say('Requirement'),
            cell: (r) => (
              <Stack gap={0}>
                {capitalized(r.what)}
                {r.missingOwners.length > 0 ? (
                  <Text size="sm" c="dimmed">
                    {say('Not shown by {owners}', {
                      owners: r.missingOwners.map((id) => names.get(id) ?? say('an owner')).join(', '),
                    })}
                  </Text>
                ) : null}
              </Stack>
            ),
          },
          { key: 'level', header: say('Level'), cell: (r) => inWords(r.level) },
          { key: 'state', header: say('State'), cell: (r) => <StatusBadge status={r.state} {...states[r.state]} /> },
          { key: 'due', header: say('Due by'), cell: (r) => <Due of={r} /> },
          {
            key: 'until',
            header: say('Counts until'),
            cell: (r) => (r.validUntil ? dayInWords(r.validUntil) : <Nothing />),
          },
          {
            key: 'law',
            header: say('Basis'),
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

/** Until when it is to be shown; says so where that has passed. */
function Due({ of: { dueBy, state } }: { readonly of: Requirement }) {
  if (!dueBy) return <Nothing />;
  const overdue = (state === 'DUE' || state === 'EXPIRED') && dueBy < day();
  return (
    <Group gap={6} wrap="wrap">
      {dayInWords(dueBy)}
      {overdue ? <StatusBadge status="OVERDUE" /> : null}
    </Group>
  );
}
