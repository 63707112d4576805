// The page of logins of the file drop: who may upload, by password or key; logins are created and revoked here.
import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { SubPages } from '../../components/sub-pages.tsx';
import type { Content } from '../../data/assay.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { CreateLogin } from './create-login.tsx';
import { cdrPages } from './parts.ts';

type Login = Content<'listSftpCredentials'>['items'][number];

const waysIn = (l: Login): string =>
  [
    l.password ? 'password' : '',
    l.publicKeys.length ? `${l.publicKeys.length} key${l.publicKeys.length > 1 ? 's' : ''}` : '',
  ]
    .filter(Boolean)
    .join(', ') || 'none';

export default function Logins() {
  const pages = usePages('listSftpCredentials');
  const may = useMay('administrator');
  return (
    <>
      <PageHeader
        title="SFTP logins"
        above={[{ title: 'Call records', to: '/cdr' }]}
        lead="A login opens /cdr/incoming and /cdr/status of its account, and nothing else."
        actions={may ? <CreateLogin /> : null}
      />
      <SubPages label="Pages of call records" pages={cdrPages} />
      <Panel title="Logins" flush>
        <DataTable
          label="SFTP logins"
          pages={pages}
          rowKey={(l) => l.loginId}
          empty={<Empty title="No login yet">Create one, and call detail files can be uploaded.</Empty>}
          columns={[
            { key: 'user', header: 'User name', cell: (l) => l.username },
            { key: 'name', header: 'What for', cell: (l) => l.name },
            { key: 'client', header: 'Account', cell: (l) => <ClientName id={l.clientId} /> },
            { key: 'state', header: 'State', cell: (l) => <StatusBadge status={l.state} /> },
            { key: 'ways', header: 'Signs in by', cell: waysIn },
            { key: 'at', header: 'Created', cell: (l) => <Stamp at={l.createdAt} /> },
            ...(may ? [{ key: 'do', header: 'Change', cell: (l: Login) => <LoginActions login={l} /> }] : []),
          ]}
        />
      </Panel>
    </>
  );
}

function LoginActions({ login }: { readonly login: Login }) {
  const revoke = useDo('revokeSftpCredentials', { done: `${login.username} is revoked` });
  if (login.state !== 'ACTIVE') return <Stamp at={login.revokedAt} />;
  return (
    <Group gap={6} justify="flex-start" wrap="nowrap">
      <AddKey login={login} />
      <ConfirmButton
        label="Revoke"
        size="xs"
        question={`Revoke ${login.username}?`}
        reason="required"
        danger
        onConfirm={(reason) => revoke.mutateAsync({ loginId: login.loginId, reason })}
      >
        Nobody signs in with it from then on, and open sessions end within seconds.
      </ConfirmButton>
    </Group>
  );
}

function AddKey({ login }: { readonly login: Login }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [publicKey, setPublicKey] = useState('');
  const add = useDo('addSftpKey', { done: 'Key added' });
  async function submit(event: FormEvent) {
    event.preventDefault();
    const done = await add.mutateAsync({ loginId: login.loginId, publicKey: publicKey.trim() }).catch(() => undefined);
    if (!done) return;
    setPublicKey('');
    close();
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Add a key
      </Button>
      <Modal opened={opened} onClose={close} title={`Add a key to ${login.username}`}>
        <form onSubmit={submit}>
          <Stack>
            <Textarea
              label="Public key"
              description="One line, as in authorized_keys."
              placeholder="ssh-ed25519 AAAA…"
              required
              autosize
              minRows={3}
              value={publicKey}
              onChange={(e) => setPublicKey(e.currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end">
              <Button type="submit" loading={add.isPending}>
                Add
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
