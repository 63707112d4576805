// Who may sign in for an account: their roles, their sign-ins, and blocking one.

import { Group } from '@mantine/core';
import { Beneath } from '../../components/beneath.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { useAccountNames } from '../../data/clients.ts';
import { useMay, useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { AddPerson, SetRole } from './person-dialogs.tsx';
import { PersonSignIn } from './person-sign-in.tsx';

interface Props {
  /** Whose people; undefined for all that the reader may see. */
  readonly accountId: string | undefined;
  /** Adding somebody from here, where the page itself has no button for it. */
  readonly adds?: boolean;
  /** Whether its people only look, as those of an authority. */
  readonly reads?: boolean;
}

export function PeopleTable({ accountId, adds = false, reads = false }: Props) {
  const may = useMay('setUserRole');
  const { user, account } = useMe();
  const nameOf = useAccountNames();
  const ofAll = account.kind === 'operator' && accountId === undefined;
  const accountOf = (id: string) => {
    if (id === account.accountId) return say('the operator');
    return nameOf(id) ?? <Id value={id} what={say('account id')} />;
  };
  const pages = usePages('listUsers', accountId ? { accountId } : {}, { asOperator: true });
  const disable = useDo('disableUser', { asOperator: true, done: say('The person can no longer sign in') });
  const enable = useDo('enableUser', { asOperator: true, done: say('The person may sign in again') });
  return (
    <Panel
      title={say('Who may sign in')}
      actions={adds && may && accountId ? <AddPerson clientId={accountId} reads={reads} /> : null}
      flush
    >
      <DataTable
        label={say('People')}
        pages={pages}
        rowKey={(p) => p.userId}
        empty={<Empty title={say('Nobody yet')} />}
        columns={[
          {
            key: 'name',
            header: say('Name'),
            cell: (p) => (
              <>
                {p.userId === user.userId ? say('{name} (you)', { name: p.name }) : p.name}
                <Beneath>{p.email}</Beneath>
              </>
            ),
          },
          ...(ofAll
            ? [{ key: 'of', header: say('Staff of'), cell: (p: { accountId: string }) => accountOf(p.accountId) }]
            : []),
          { key: 'role', header: say('Role'), cell: (p) => inWords(p.role) },
          {
            key: 'state',
            header: say('State'),
            cell: (p) => (
              <Group gap={6}>
                <StatusBadge status={p.state} />
                {p.lockedUntil ? <StatusBadge status="LOCKED" tone="wait" /> : null}
                {p.mustChangePassword ? (
                  <StatusBadge status="NEW_PASSWORD" tone="wait" label={say('Password to change')} />
                ) : null}
                {p.secondFactor ? (
                  <StatusBadge status="SECOND_FACTOR" tone="note" label={say('Second factor')} />
                ) : null}
              </Group>
            ),
          },
          {
            key: 'in',
            header: say('Signed in'),
            cell: (p) => (
              <>
                <Stamp at={p.signedInAt} show="relative" />
                {p.seenNetwork ? <Beneath>{say('from {network}', { network: p.seenNetwork })}</Beneath> : null}
              </>
            ),
          },
          {
            key: 'act',
            header: '',
            align: 'right',
            cell: (p) =>
              may && p.userId !== user.userId ? (
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <SetRole person={p} />
                  <PersonSignIn person={p} />
                  {p.state === 'ACTIVE' ? (
                    <ConfirmButton
                      label={say('Disable')}
                      size="xs"
                      question={say('Keep {name} out?', { name: p.name })}
                      reason="required"
                      danger
                      onConfirm={(reason) => disable.mutateAsync({ userId: p.userId, reason })}
                    >
                      {say('Sessions of this person end within a second.')}
                    </ConfirmButton>
                  ) : (
                    <ConfirmButton
                      label={say('Enable')}
                      size="xs"
                      question={say('Let {name} in again?', { name: p.name })}
                      reason="required"
                      onConfirm={(reason) => enable.mutateAsync({ userId: p.userId, reason })}
                    />
                  )}
                </Group>
              ) : null,
          },
        ]}
      />
    </Panel>
  );
}
