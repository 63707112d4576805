// One key: what it may do, when it was used, what it made that outlives it, and the end of all that after a leak.

import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { day } from '../../data/now.ts';
import { usePath } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { shownText } from '../../data/shown-text.ts';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { plural, say } from '../../words/words.ts';
import { KeyState } from './keys-panel.tsx';
import { scopesInWords } from './scopes.ts';

export default function Key() {
  const keyId = usePath('keyId');
  const may = useMay('revokeOwnKey');
  const { data, error, isPending, refetch } = useOp('listKeyMade', { keyId });
  const names = new Map(data ? [[keyId, data.key.name], ...data.items.map((m) => [m.id, m.name] as const)] : []);
  return (
    <>
      <PageHeader
        title={data?.key.name ?? say('API key')}
        above={[{ title: say('API keys'), to: '/keys' }]}
        beside={data ? <KeyState of={data.key} /> : null}
        lead={data?.key.accountName}
        actions={
          <Group gap="xs">
            <Button component={Link} to="/requests" search={{ keyId } as never} variant="default">
              {say('Its requests')}
            </Button>
            {may ? <EndAll keyId={keyId} /> : null}
          </Group>
        }
      />
      <Stack>
        {data ? (
          <Panel title={say('The key')}>
            <Facts
              columns={2}
              items={[
                [say('Key'), <Id key="id" value={keyId} what={say('key id')} full />],
                [say('Scopes'), scopesInWords(data.key.scopes)],
                [say('Issued'), <Stamp key="made" at={data.key.createdAt} />],
                [say('Expires'), data.key.expiresAt ? <Stamp key="ends" at={data.key.expiresAt} /> : say('Never')],
                [
                  say('Last used'),
                  data.key.lastUsedAt ? <Stamp key="used" at={data.key.lastUsedAt} show="both" /> : say('Never'),
                ],
                [say('From|network'), data.key.lastUsedNetwork],
              ]}
            />
          </Panel>
        ) : null}
        <Panel title={say('Made by this key, and by keys and people that it made')} flush>
          <DataTable
            label={say('Made by this key')}
            pages={{ rows: data?.items, error: error ?? undefined, loading: isPending, retry: () => void refetch() }}
            rowKey={(m) => `${m.type} ${m.id}`}
            empty={
              <Empty title={say('Nothing that outlives it')}>
                {say('Transactions and other records are not listed here.')}
              </Empty>
            }
            columns={[
              { key: 'name', header: say('Name'), cell: (m) => shownText(m.name) },
              { key: 'type', header: say('Type'), cell: (m) => inWords(m.type) },
              { key: 'id', header: say('Id'), cell: (m) => <Id value={m.id} what={say('id')} /> },
              {
                key: 'state',
                header: say('State'),
                cell: (m) => <StatusBadge status={m.active ? 'ACTIVE' : 'ENDED'} />,
              },
              { key: 'at', header: say('Made'), cell: (m) => <Stamp at={m.madeAt} /> },
              { key: 'by', header: say('Made by'), cell: (m) => <Maker id={m.madeBy} name={names.get(m.madeBy)} /> },
            ]}
          />
        </Panel>
      </Stack>
    </>
  );
}

function Maker({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  if (name === undefined) return <Id value={id} what={say("maker's id")} />;
  return (
    <Anchor component={Link} to={`/go/${id}`} title={id}>
      {shownText(name)}
    </Anchor>
  );
}

function EndAll({ keyId }: { readonly keyId: string }) {
  const [since, setSince] = useState(`${day(7)}T00:00`);
  const revoke = useDo('revokeOwnKey', {
    done: (c) =>
      plural(
        (c.made ?? []).filter((m) => !m.active).length,
        'The key is revoked, and {n} thing it made has ended',
        'The key is revoked, and {n} things it made have ended',
      ),
  });
  return (
    <ConfirmButton
      label={say('Revoke after a leak')}
      question={say('Revoke the key and end what it made?')}
      reason="required"
      danger
      onConfirm={(reason) => revoke.mutateAsync({ keyId, reason, endMadeSince: `${since}:00Z` })}
    >
      {say(
        'Its keys are revoked, people disabled, logins revoked and webhook addresses deleted, if they were made from this moment on. Clients stay, without the keys it gave them.',
      )}
      <TextInput
        mt="sm"
        label={say('Leaked since (UTC)')}
        type="datetime-local"
        required
        value={since}
        onChange={(e) => setSince(e.currentTarget.value)}
      />
    </ConfirmButton>
  );
}
