// All PSPs, for staff: list, create, suspend, reactivate, close, and the way to the keys and records of each.
import { Anchor, Group, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useFilters } from '../../data/path.ts';
import { pageOf } from '../../data/psp-address.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { CreatePsp } from './create-psp.tsx';

type Psp = Content<'listAccounts'>['items'][number];

const modes = ['live', 'test'] as const;
const standings = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;

export default function Psps() {
  const [filters, setFilters] = useFilters();
  const may = useMay('administrator');
  const mode = modes.find((m) => m === filters.mode);
  const standing = standings.find((s) => s === filters.standing);
  const pages = usePages(
    'listAccounts',
    { kind: 'psp', ...(mode ? { mode } : {}), ...(standing ? { operationalStanding: standing } : {}) },
    { asOperator: true },
  );
  return (
    <>
      <PageHeader
        title="PSPs"
        lead="Payment service providers of this installation. A test tenant is created beside one with its first test key; nothing in it is real."
        actions={may ? <CreatePsp /> : null}
      />
      <FilterBar>
        <Select
          label="Mode"
          placeholder="Live and test"
          clearable
          clearButtonProps={{ 'aria-label': 'Live and test' }}
          data={modes.map((m) => ({ value: m, label: inWords(m) }))}
          value={mode ?? null}
          onChange={(v) => setFilters({ mode: v ?? undefined })}
        />
        <Select
          label="Standing"
          placeholder="Any"
          clearable
          clearButtonProps={{ 'aria-label': 'Any standing' }}
          data={standings.map((s) => ({ value: s, label: inWords(s) }))}
          value={standing ?? null}
          onChange={(v) => setFilters({ standing: v ?? undefined })}
        />
      </FilterBar>
      <Panel title="All PSPs" flush>
        <DataTable
          label="PSPs"
          pages={pages}
          rowKey={(p) => p.clientId}
          empty={<Empty title="No PSP">Create the first one: it gets a key and a signing secret.</Empty>}
          columns={[
            { key: 'name', header: 'Name', cell: (p) => <Name psp={p} /> },
            { key: 'id', header: 'PSP', cell: (p) => <Id value={p.clientId} what="PSP id" />, wideOnly: true },
            { key: 'country', header: 'Country', cell: (p) => p.countryCode },
            { key: 'standing', header: 'Standing', cell: (p) => <StatusBadge status={p.operationalStanding} /> },
            { key: 'at', header: 'Created', cell: (p) => <Stamp at={p.createdAt} /> },
            {
              key: 'see',
              header: 'Open',
              cell: (p) => (
                <Group gap="sm" wrap="nowrap">
                  {[
                    ['Keys', '/keys'],
                    ['Clients', '/clients'],
                    ['Transactions', '/transactions'],
                  ].map(([label, to]) => (
                    <Anchor
                      key={to}
                      component={Link}
                      to={pageOf(p.clientId, to as string)}
                      size="sm"
                      aria-label={`${label} of ${p.registeredName}`}
                    >
                      {label}
                    </Anchor>
                  ))}
                </Group>
              ),
            },
            { key: 'acts', header: 'Actions', cell: (p) => (may && !p.test ? <Acts psp={p} /> : null) },
          ]}
        />
      </Panel>
    </>
  );
}

function Name({ psp }: { readonly psp: Psp }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" fw={600}>
        {psp.registeredName}
      </Text>
      {psp.test ? <StatusBadge status="TEST" tone="note" label="Test" /> : null}
    </Group>
  );
}

function Acts({ psp }: { readonly psp: Psp }) {
  const set = useDo('setStanding', { asOperator: true, done: 'The standing is changed' });
  if (psp.operationalStanding === 'CLOSED') return null;
  const change = (operationalStanding: (typeof standings)[number]) => (reason: string) =>
    set.mutateAsync({ accountId: psp.clientId, operationalStanding, reason });
  return (
    <Group gap="xs" wrap="nowrap">
      {psp.operationalStanding === 'ACTIVE' ? (
        <ConfirmButton
          label="Suspend"
          size="xs"
          question={`Suspend ${psp.registeredName}?`}
          reason="required"
          danger
          onConfirm={change('SUSPENDED')}
        >
          From the moment it is confirmed, every transaction of all its clients is declined.
        </ConfirmButton>
      ) : (
        <ConfirmButton
          label="Reactivate"
          size="xs"
          question={`Reactivate ${psp.registeredName}?`}
          reason="required"
          onConfirm={change('ACTIVE')}
        >
          Transactions of its clients are approved again, unless a hold blocks them.
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Close"
        size="xs"
        question={`Close ${psp.registeredName} for good?`}
        reason="required"
        danger
        onConfirm={change('CLOSED')}
      >
        A closed PSP cannot be opened again. It and its clients may still read what was recorded.
      </ConfirmButton>
    </Group>
  );
}
