// The state of the service itself, for staff: each figure in words, and what to do where something is wrong.

import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';

type Check = Content<'getServiceStatus'>['checks'][number];

const areas: readonly (readonly [Check['area'], string])[] = [
  ['PROCESSES', say('Processes')],
  ['JOURNAL', say('Journal')],
  ['QUEUES', say('Queues')],
  ['DATABASE', say('Database')],
  ['STORAGE', say('Storage and backups')],
  ['KEYS', say('API keys')],
];

const states: Readonly<Record<Check['state'], { readonly tone: Tone; readonly label: string }>> = {
  OK: { tone: 'good', label: say('Good') },
  WARNING: { tone: 'wait', label: say('Needs attention') },
  CRITICAL: { tone: 'bad', label: say('Act now') },
  UNKNOWN: { tone: 'note', label: say('Not known') },
};

export default function Status() {
  const { data, error, refetch } = useOp('getServiceStatus', {}, { every: 15_000, asOperator: true });
  if (!data) return <Unfetched title={say('Status')} above={[]} error={error} refetch={refetch} />;
  const wrong = data.checks.filter((c) => c.state !== 'OK');
  return (
    <>
      <PageHeader
        title={say('Status')}
        lead={say('Updated every 15 seconds from the process that answers, and from the database for all others.')}
        beside={<StatusBadge status={data.state} {...states[data.state]} />}
      />
      <Stack>
        <Text size="sm" c="dimmed">
          {rich('Version {version}, read {at}', { version: data.version, at: <Stamp at={data.at} /> })}
        </Text>
        {wrong.length === 0 ? (
          <Alert color="verdigris" variant="light" icon={<IconCircleCheck size={20} aria-hidden />}>
            <Text size="sm">{say('Nothing needs attention.')}</Text>
          </Alert>
        ) : (
          wrong.map((c) => (
            <Alert
              key={c.name}
              color={c.state === 'CRITICAL' ? 'brick' : 'brass'}
              variant="light"
              icon={<IconAlertTriangle size={20} aria-hidden />}
              title={say('{title}: {value}', { title: c.title, value: c.value })}
            >
              {c.advice}
            </Alert>
          ))
        )}
        {areas.map(([area, title]) => (
          <Panel key={area} title={title} flush>
            <DataTable
              label={title}
              pages={{ rows: data.checks.filter((c) => c.area === area) }}
              rowKey={(c) => c.name}
              columns={[
                { key: 'title', header: say('What'), cell: (c) => c.title },
                {
                  key: 'state',
                  header: say('State'),
                  cell: (c) => <StatusBadge status={c.state} {...states[c.state]} />,
                },
                { key: 'value', header: say('Found'), cell: (c) => c.value },
              ]}
            />
          </Panel>
        ))}
      </Stack>
    </>
  );
}
