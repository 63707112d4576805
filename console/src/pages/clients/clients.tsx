// The clients of a PSP: found by name or registration number, with the standing that decides on their transactions.
import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { useFilters } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { RegisterClient } from './register-client.tsx';

const standings = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;

export default function Clients() {
  const [filters, setFilters] = useFilters();
  const [q, setQ] = useState(filters.q ?? '');
  const search = useDebouncedCallback((text: string) => setFilters({ q: text.trim() }), 300);
  const standing = standings.find((s) => s === filters.standing);
  const pages = usePages('listClients', { q: filters.q, operationalStanding: standing });
  const may = useMay('administrator');
  return (
    <>
      <PageHeader
        title="Clients"
        lead="Merchants, operators and exchanges registered by the PSP. Their standing decides on every transaction."
        actions={may ? <RegisterClient /> : null}
      />
      <FilterBar>
        <TextInput
          label="Name or registration number"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={q}
          onChange={(e) => {
            setQ(e.currentTarget.value);
            search(e.currentTarget.value);
          }}
        />
        <Select
          label="Standing"
          data={standings.map((s) => ({ value: s, label: inWords(s) }))}
          value={standing ?? null}
          onChange={(v) => setFilters({ standing: v ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Any standing' }}
          placeholder="Any"
        />
      </FilterBar>
      <Panel title="Registered clients" flush>
        <DataTable
          label="Clients"
          pages={pages}
          rowKey={(c) => c.clientId}
          rowTo={(c) => `/clients/${c.clientId}`}
          empty={
            filters.q || standing ? (
              <Empty title="No client matches">Try less of the name, or any standing.</Empty>
            ) : (
              <Empty title="No clients yet">They appear here when they are registered with registerClient.</Empty>
            )
          }
          columns={[
            { key: 'name', header: 'Name', cell: (c) => c.registeredName },
            {
              key: 'standing',
              header: 'Standing',
              cell: (c) => <StatusBadge status={c.operationalStanding} {...(c.acceptable ? {} : { tone: 'bad' })} />,
            },
            { key: 'level', header: 'Level', cell: (c) => inWords(c.verificationLevel) },
            { key: 'class', header: 'Classification', cell: (c) => c.classification && inWords(c.classification) },
            { key: 'country', header: 'Country', cell: (c) => c.countryCode },
            { key: 'id', header: 'Client', cell: (c) => <Id value={c.clientId} what="client id" />, wideOnly: true },
            { key: 'since', header: 'Registered', cell: (c) => <Stamp at={c.createdAt} />, wideOnly: true },
          ]}
        />
      </Panel>
    </>
  );
}
