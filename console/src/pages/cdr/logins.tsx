// The page of logins of the file drop: who may upload, by password or key; logins are created and revoked here.

import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
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
import { plural, say } from '../../words/words.ts';
import { CreateLogin } from './create-login.tsx';
import { cdrPages } from './parts.ts';

type Login = Content<'listSftpCredentials'>['items'][number];

const waysIn = (l: Login): string =>
  [l.password ? say('password') : '', l.publicKeys.length ? plural(l.publicKeys.length, '{n} key', '{n} keys') : '']
    .filter(Boolean)
    .join(', ') || say('none');

export default function Logins() {
  const pages = usePages('listSftpCredentials');
  const may = useMay('createSftpCredentials');
  return (
    <>
      <PageHeader
        title={say('SFTP logins')}
        above={[{ title: say('Call records'), to: '/cdr' }]}
        lead={say('A login opens /cdr/incoming and /cdr/status of its account, and nothing else.')}
        actions={may ? <CreateLogin /> : null}
      />
      <SubPages label={say('Pages of call records')} pages={cdrPages} />
      <Panel title={say('Logins')} flush>
        <DataTable
          label={say('SFTP logins')}
          pages={pages}
          rowKey={(l) => l.loginId}
          empty={<Empty title={say('No login yet')}>{say('Create one, and call detail files can be uploaded.')}</Empty>}
          columns={[
            { key: 'user', header: say('User name'), cell: (l) => l.username },
            { key: 'name', header: say('What for'), cell: (l) => l.name },
            { key: 'client', header: say('Account'), cell: (l) => <ClientName id={l.clientId} /> },
            { key: 'state', header: say('State'), cell: (l) => <StatusBadge status={l.state} /> },
            { key: 'ways', header: say('Signs in by'), cell: waysIn },
            { key: 'at', header: say('Created'), cell: (l) => <Stamp at={l.createdAt} /> },
            ...(may ? [{ key: 'do', header: say('Change'), cell: (l: Login) => <LoginActions login={l} /> }] : []),
          ]}
        />
      </Panel>
    </>
  );
}

function LoginActions({ login }: { readonly login: Login }) {
  const revoke = useDo('revokeSftpCredentials', { done: say('{username} is revoked', { username: login.username }) });
  if (login.state !== 'ACTIVE') return <Stamp at={login.revokedAt} />;
  return (
    <Group gap={6} justify="flex-start" wrap="nowrap">
      <AddKey login={login} />
      <ConfirmButton
        label={say('Revoke')}
        size="xs"
        question={say('Revoke {username}?', { username: login.username })}
        reason="required"
        danger
        onConfirm={(reason) => revoke.mutateAsync({ loginId: login.loginId, reason })}
      >
        {say('Nobody signs in with it from then on, and open sessions end within seconds.')}
      </ConfirmButton>
    </Group>
  );
}

function AddKey({ login }: { readonly login: Login }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [publicKey, setPublicKey] = useState('');
  const add = useDo('addSftpKey', { done: say('Key added') });
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
        {say('Add a key')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Add a key to {username}', { username: login.username })}>
        <form onSubmit={submit}>
          <Stack>
            <Textarea
              label={say('Public key')}
              description={say('One line, as in authorized_keys.')}
              placeholder={say('ssh-ed25519 AAAA…')}
              required
              autosize
              minRows={3}
              value={publicKey}
              onChange={(e) => setPublicKey(e.currentTarget.value)}
              data-autofocus
            />
            <DialogActions label={say('Add')} busy={add.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
