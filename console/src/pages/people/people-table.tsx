// Who may sign in for an account: their roles, their sign-ins, and blocking one.
import { Group } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { usePsps } from '../../data/psps.ts';
import { useMay, useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { AddPerson, SetRole } from './person-dialogs.tsx';
import { PersonSignIn } from './person-sign-in.tsx';

interface Props {
  /** Whose people; undefined for all that the reader may see. */
  readonly accountId: string | undefined;
  /** Adding somebody from here, where the page itself has no button for it. */
  readonly adds?: boolean;
}

export function PeopleTable({ accountId, adds = false }: Props) {
  const may = useMay('administrator');
  const { user, account } = useMe();
  const psps = usePsps();
  const accountOf = (id: string) => {
    if (id.startsWith('cli_')) return 'a client';
    return psps.data?.find((x) => x.pspId === id)?.name ?? 'the operator';
  };
  const pages = usePages('listUsers', accountId ? { accountId } : {}, { asOperator: true });
  const disable = useDo('disableUser', { asOperator: true, done: 'The person can no longer sign in' });
  const enable = useDo('enableUser', { asOperator: true, done: 'The person may sign in again' });
  return (
    <Panel title="Who may sign in" actions={adds && may && accountId ? <AddPerson clientId={accountId} /> : null} flush>
      <DataTable
        label="People"
        pages={pages}
        rowKey={(p) => p.userId}
        empty={<Empty title="Nobody yet" />}
        columns={[
          { key: 'name', header: 'Name', cell: (p) => (p.userId === user.userId ? `${p.name} (you)` : p.name) },
          { key: 'email', header: 'E-mail', cell: (p) => p.email },
          ...(account.kind === 'operator' && accountId === undefined
            ? [{ key: 'of', header: 'Staff of', cell: (p: { accountId: string }) => accountOf(p.accountId) }]
            : []),
          { key: 'role', header: 'Role', cell: (p) => inWords(p.role) },
          {
            key: 'state',
            header: 'State',
            cell: (p) => (
              <Group gap={6}>
                <StatusBadge status={p.state} />
                {p.lockedUntil ? <StatusBadge status="LOCKED" tone="wait" /> : null}
                {p.mustChangePassword ? (
                  <StatusBadge status="NEW_PASSWORD" tone="wait" label="Password to change" />
                ) : null}
                {p.secondFactor ? <StatusBadge status="SECOND_FACTOR" tone="note" label="Second factor" /> : null}
              </Group>
            ),
          },
          { key: 'in', header: 'Signed in', cell: (p) => <Stamp at={p.signedInAt} show="relative" /> },
          { key: 'from', header: 'Last seen from', cell: (p) => p.seenNetwork ?? <Nothing /> },
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
                      label="Disable"
                      size="xs"
                      question={`Keep ${p.name} out?`}
                      reason="required"
                      danger
                      onConfirm={(reason) => disable.mutateAsync({ userId: p.userId, reason })}
                    >
                      Sessions of this person end within a second.
                    </ConfirmButton>
                  ) : (
                    <ConfirmButton
                      label="Enable"
                      size="xs"
                      question={`Let ${p.name} in again?`}
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
