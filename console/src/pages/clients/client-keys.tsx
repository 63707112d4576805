// API keys of an account: lists them, adds one (shown once), revokes one.
import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { ShownSecrets } from '../../components/shown-secrets.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';

export function ClientKeys({ accountId }: { readonly accountId: string }) {
  const { data, error, isPending, refetch } = useOp('listKeys', { accountId }, { asOperator: true });
  const may = useMay('administrator');
  const revoke = useDo('revokeKey', { asOperator: true, done: 'The key is revoked; it stops working within a second' });
  return (
    <Panel title="API keys" actions={may ? <IssueKey accountId={accountId} /> : null} flush>
      <DataTable
        label="API keys"
        pages={{ rows: data?.items, error: error ?? undefined, loading: isPending, retry: () => void refetch() }}
        rowKey={(k) => k.keyId}
        empty={<Empty title="No keys" />}
        columns={[
          { key: 'name', header: 'Name', cell: (k) => k.name },
          { key: 'id', header: 'Key', cell: (k) => <Id value={k.keyId} what="key id" /> },
          { key: 'state', header: 'State', cell: (k) => <StatusBadge status={k.revokedAt ? 'REVOKED' : 'ACTIVE'} /> },
          { key: 'made', header: 'Issued', cell: (k) => <Stamp at={k.createdAt} /> },
          { key: 'expires', header: 'Expires', cell: (k) => <Stamp at={k.expiresAt} /> },
          { key: 'used', header: 'Last used', cell: (k) => <Stamp at={k.lastUsedAt} show="relative" /> },
          { key: 'from', header: 'From', cell: (k) => k.lastUsedNetwork ?? <Nothing /> },
          {
            key: 'act',
            header: '',
            align: 'right',
            cell: (k) =>
              may && !k.revokedAt ? (
                <ConfirmButton
                  label="Revoke"
                  size="xs"
                  question={`Revoke the key ${k.name}?`}
                  reason="required"
                  danger
                  onConfirm={(reason) => revoke.mutateAsync({ keyId: k.keyId, reason })}
                />
              ) : null,
          },
        ]}
      />
    </Panel>
  );
}

function IssueKey({ accountId }: { readonly accountId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [secret, setSecret] = useState('');
  const issue = useDo('issueKey', { asOperator: true });
  const form = useForm({
    initialValues: { name: '', mode: 'live' as 'live' | 'test' },
    validate: { name: (v) => (v.trim() ? null : 'Needed') },
  });
  const done = () => {
    close();
    setSecret('');
    form.reset();
  };
  const submit = form.onSubmit(async ({ name, mode }) => {
    const made = await issue.mutateAsync({ accountId, name: name.trim(), mode }).catch(() => undefined);
    if (made) setSecret(made.apiKey);
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Issue a key
      </Button>
      <Modal opened={opened} onClose={done} title="Issue a key" closeOnClickOutside={!secret}>
        {secret ? (
          <Stack>
            <ShownSecrets secrets={[['API key', secret]]} />
            <Button onClick={done}>I have kept it</Button>
          </Stack>
        ) : (
          <form onSubmit={submit} noValidate>
            <Stack>
              <TextInput
                label="What it is for"
                placeholder="checkout server"
                required
                data-autofocus
                {...form.getInputProps('name')}
              />
              <Select
                label="Mode"
                description="What a test key records is apart from live records, and its refs can force outcomes."
                allowDeselect={false}
                data={[
                  { value: 'live', label: 'Live' },
                  { value: 'test', label: 'Test' },
                ]}
                {...form.getInputProps('mode')}
              />
              <DialogActions label="Issue" busy={issue.isPending} onCancel={done} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
