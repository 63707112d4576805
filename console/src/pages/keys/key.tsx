// One key: what it made that outlives it, and the end of all that after a leak.
import { Button, Group, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { day } from '../../data/now.ts';
import { usePath } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';

export default function Key() {
  const keyId = usePath('keyId');
  const may = useMay('administrator');
  const { data, error, isPending, refetch } = useOp('listKeyMade', { keyId });
  return (
    <>
      <PageHeader
        title="What a key made"
        above={[{ title: 'API keys', to: '/keys' }]}
        lead={<Id value={keyId} what="key id" full />}
        actions={
          <Group gap="xs">
            <Button component={Link} to="/requests" search={{ keyId } as never} variant="default">
              Its requests
            </Button>
            {may ? <EndAll keyId={keyId} /> : null}
          </Group>
        }
      />
      <Panel title="Made by this key, and by keys and people that it made" flush>
        <DataTable
          label="Made by this key"
          pages={{ rows: data?.items, error: error ?? undefined, loading: isPending, retry: () => void refetch() }}
          rowKey={(m) => `${m.type} ${m.id}`}
          empty={<Empty title="Nothing that outlives it">Transactions and other records are not listed here.</Empty>}
          columns={[
            { key: 'name', header: 'Name', cell: (m) => m.name },
            { key: 'type', header: 'Type', cell: (m) => inWords(m.type) },
            { key: 'id', header: 'Id', cell: (m) => <Id value={m.id} what="id" /> },
            { key: 'state', header: 'State', cell: (m) => <StatusBadge status={m.active ? 'ACTIVE' : 'ENDED'} /> },
            { key: 'at', header: 'Made', cell: (m) => <Stamp at={m.madeAt} /> },
            { key: 'by', header: 'Made by', cell: (m) => <Id value={m.madeBy} what="maker's id" /> },
          ]}
        />
      </Panel>
    </>
  );
}

function EndAll({ keyId }: { readonly keyId: string }) {
  const [since, setSince] = useState(`${day(7)}T00:00`);
  const revoke = useDo('revokeOwnKey', {
    done: (c) => `The key is revoked, and ${(c.made ?? []).filter((m) => !m.active).length} things it made have ended`,
  });
  return (
    <ConfirmButton
      label="Revoke after a leak"
      question="Revoke the key and end what it made?"
      reason="required"
      danger
      onConfirm={(reason) => revoke.mutateAsync({ keyId, reason, endMadeSince: `${since}:00Z` })}
    >
      Its keys are revoked, people disabled, logins revoked and webhook addresses deleted, if they were made from this
      moment on. Clients stay, without the keys it gave them.
      <TextInput
        mt="sm"
        label="Leaked since (UTC)"
        type="datetime-local"
        required
        value={since}
        onChange={(e) => setSince(e.currentTarget.value)}
      />
    </ConfirmButton>
  );
}
