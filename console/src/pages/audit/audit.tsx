// Oversight: who did what, and the seal that shows that nothing of it was changed since.
import { Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { usePages } from '../../data/use-op.ts';
import { Checkpoint } from './checkpoint.tsx';
import { byWhom, titleOf } from './entries.tsx';

export default function Audit() {
  const { ready } = usePsp();
  const [filters, setFilters] = useFilters();
  const [kind, setKind] = useState(filters.kind ?? '');
  const [actor, setActor] = useState(filters.actor ?? '');
  const setLater = useDebouncedCallback((name: string, text: string) => setFilters({ [name]: text.trim() }), 400);
  const records = filters.records === 'true' ? ('true' as const) : ('false' as const);
  const pages = usePages('listJournal', {
    kind: filters.kind,
    actor: filters.actor,
    clientId: filters.clientId,
    records,
  });
  return (
    <>
      <PageHeader
        title="Audit"
        lead="Every act is an entry of the journal, with who did it and why. The journal is append-only and sealed about once a second."
      />
      <Stack gap="lg">
        {ready ? <Checkpoint /> : null}
        <div>
          <FilterBar>
            <TextInput
              label="Kind of entry"
              placeholder="such as client.updated"
              value={kind}
              onChange={(e) => {
                setKind(e.currentTarget.value);
                setLater('kind', e.currentTarget.value);
              }}
            />
            <TextInput
              label="Who"
              placeholder="user_…, key_… or a login"
              value={actor}
              onChange={(e) => {
                setActor(e.currentTarget.value);
                setLater('actor', e.currentTarget.value);
              }}
            />
            <Select
              label="What is shown"
              allowDeselect={false}
              data={[
                { value: 'false', label: 'Acts of people' },
                { value: 'true', label: 'Records too' },
              ]}
              value={records}
              onChange={(v) => setFilters({ records: v === 'true' ? 'true' : undefined })}
            />
          </FilterBar>
          <Panel title="Who did what" flush>
            <DataTable
              label="Entries of the journal"
              pages={pages}
              rowKey={(e) => e.eventId}
              empty={<Empty title="No entry matches">Acts of staff appear here the moment they are done.</Empty>}
              columns={[
                { key: 'what', header: 'What', cell: (e) => titleOf(e.kind) },
                { key: 'at', header: 'When', cell: (e) => <Stamp at={e.at} /> },
                { key: 'who', header: 'Who', cell: (e) => byWhom(e.actor) },
                { key: 'why', header: 'Why', cell: (e) => e.reason },
                {
                  key: 'of',
                  header: 'Account',
                  cell: (e) => <Id value={e.clientId} what="account id" />,
                  wideOnly: true,
                },
                { key: 'seq', header: 'Number', align: 'right', cell: (e) => e.seq.toLocaleString('en') },
              ]}
            />
          </Panel>
        </div>
      </Stack>
    </>
  );
}
