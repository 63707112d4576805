// API keys of a PSP or one of its clients: lists them, issues, replaces and revokes them.

import { Group } from '@mantine/core';
import { Beneath } from '../../components/beneath.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useNow } from '../../data/now.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { IssueKey } from './issue-key.tsx';
import { ReplaceKey } from './replace-key.tsx';
import { scopesInWords } from './scopes.ts';

/** @param clientId the client; without it, the PSP */
export function KeysPanel({ clientId }: { readonly clientId?: string }) {
  const pages = usePages('listOwnKeys', {}, { clientId });
  const may = useMay('issueOwnKey');
  const revoke = useDo('revokeOwnKey', { done: say('The key is revoked; it stops working within a second') });
  return (
    <Panel title={say('API keys')} actions={may ? <IssueKey clientId={clientId} /> : null} flush>
      <DataTable
        label={say('API keys')}
        pages={pages}
        rowKey={(k) => k.keyId}
        rowTo={(k) => `/keys/${k.keyId}`}
        empty={<Empty title={say('No keys')} />}
        columns={[
          { key: 'name', header: say('Name'), cell: (k) => k.name },
          { key: 'id', header: say('Key'), cell: (k) => <Id value={k.keyId} what={say('key id')} /> },
          {
            key: 'state',
            header: say('State'),
            cell: (k) => <KeyState of={k} />,
          },
          { key: 'scopes', header: say('Scopes'), cell: (k) => scopesInWords(k.scopes) },
          { key: 'made', header: say('Issued'), cell: (k) => <Stamp at={k.createdAt} /> },
          { key: 'expires', header: say('Expires'), cell: (k) => <Stamp at={k.expiresAt} /> },
          {
            key: 'used',
            header: say('Last used'),
            cell: (k) => (
              <>
                <Stamp at={k.lastUsedAt} show="relative" />
                {k.lastUsedNetwork ? <Beneath>{say('from {network}', { network: k.lastUsedNetwork })}</Beneath> : null}
              </>
            ),
          },
          {
            key: 'act',
            header: '',
            align: 'right',
            cell: (k) =>
              may && !k.revokedAt ? (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <ReplaceKey keyId={k.keyId} name={k.name} />
                  <ConfirmButton
                    label={say('Revoke')}
                    size="xs"
                    question={say('Revoke the key {name}?', { name: k.name })}
                    reason="required"
                    danger
                    onConfirm={(reason) => revoke.mutateAsync({ keyId: k.keyId, reason })}
                  />
                </Group>
              ) : null,
          },
        ]}
      />
    </Panel>
  );
}

interface KeyShown {
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
  readonly mode: string;
}

/** Whether a key works, and whether it is one for tests. */
export function KeyState({ of: k }: { readonly of: KeyShown }) {
  const now = useNow();
  const hasEnded = k.expiresAt !== null && Date.parse(k.expiresAt) <= now;
  return (
    <Group gap={6} wrap="nowrap">
      <StatusBadge status={k.revokedAt ? 'REVOKED' : hasEnded ? 'EXPIRED' : 'ACTIVE'} />
      {k.mode === 'test' ? <StatusBadge status="TEST" tone="note" /> : null}
    </Group>
  );
}
