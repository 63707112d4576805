// The lists in force, as the last load left each, and the ways to load one or to begin one.

import { Group } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { percent } from '../../data/amounts.ts';
import { dayInWords } from '../../data/moments.ts';
import { useMay } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { LoadList } from './load-list.tsx';
import { PutEntry } from './put-entry.tsx';
import { purposes } from './words.ts';

export function InForce() {
  const may = useMay('loadList');
  const { data, error, isPending, refetch } = useOp('listLists', {});
  return (
    <Panel
      title={say('Lists in force')}
      actions={
        may ? (
          <Group gap={6}>
            <LoadList />
            <PutEntry />
          </Group>
        ) : null
      }
      flush
    >
      <DataTable
        label={say('Lists in force')}
        pages={{ rows: data?.items, error, loading: isPending, retry: () => void refetch() }}
        rowKey={(l) => l.loadId}
        rowTo={(l) => `/lists/${l.list}`}
        empty={
          <Empty title={say('No lists')}>
            {say('Nobody is screened until a list is loaded, or the first entry of one is put.')}
          </Empty>
        }
        columns={[
          { key: 'list', header: say('List'), cell: (l) => l.list },
          { key: 'purpose', header: say('For'), cell: (l) => purposes[l.purpose] },
          { key: 'whose', header: say('Screened for'), cell: (l) => (l.shared ? say('All PSPs') : say('This PSP')) },
          { key: 'entries', header: say('Entries'), align: 'right', cell: (l) => l.entries.toLocaleString('en-GB') },
          { key: 'threshold', header: say('Matches from'), align: 'right', cell: (l) => percent(l.threshold) },
          {
            key: 'published',
            header: say('Published'),
            cell: (l) => (l.published === null ? <Nothing /> : dayInWords(l.published)),
          },
          { key: 'loaded', header: say('Loaded'), cell: (l) => <Stamp at={l.loadedAt} /> },
          {
            key: 'state',
            header: say('State'),
            cell: (l) =>
              l.complete ? (
                <StatusBadge status="COMPLETE" />
              ) : (
                <StatusBadge status="INCOMPLETE" tone="bad" label={say('Load it again')} />
              ),
          },
        ]}
      />
    </Panel>
  );
}
