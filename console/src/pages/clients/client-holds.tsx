// The holds and flags of an account: who placed each, when and why, how long it applies, what the client sees of it, and a
// button that ends it.
import { Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { absolute } from '../../data/moments.ts';
import { useNow } from '../../data/now.ts';
import { useActorNames } from '../../data/people.ts';
import { useDo } from '../../data/use-do.ts';
import { ChangePreview } from './change-preview.tsx';

type Flag = Content<'verifyClientStatus'>['flags'][number];

interface Props {
  readonly accountId: string;
  readonly flags: readonly Flag[];
  /** Whether the reader may end holds. */
  readonly may: boolean;
}

export function ClientHolds({ accountId, flags, may }: Props) {
  const release = useDo('releaseHold', { asOperator: true, done: 'The hold is ended' });
  const nameOf = useActorNames();
  const now = useNow();
  const blocking = flags.filter((f) => f.blocking).length;
  return (
    <DataTable<Flag>
      label="Holds and flags"
      pages={{ rows: flags }}
      rowKey={(f) => f.id}
      columns={[
        {
          key: 'what',
          header: 'Hold or flag',
          cell: (f) => (
            <>
              <StatusBadge status={f.code} tone={f.blocking ? 'bad' : 'wait'} />
              <Text size="sm">{f.reason}</Text>
            </>
          ),
        },
        {
          key: 'does',
          header: 'What it does',
          cell: (f) => (
            <Text size="sm">
              {f.blocking ? 'Declines every transaction' : 'Declines nothing'}
              {Date.parse(f.since) > now ? `, from ${absolute(f.since)}` : ''}
              {f.until ? `, until ${absolute(f.until)}` : f.blocking ? ', until somebody ends it' : ''}
            </Text>
          ),
        },
        {
          key: 'who',
          header: 'Placed',
          cell: (f) => (
            <Stack gap={0}>
              {f.setBy ? <Text size="sm">by {nameOf(f.setBy)}</Text> : null}
              <Stamp at={f.since} />
            </Stack>
          ),
        },
        ...(flags.some((f) => f.shownToClient !== undefined)
          ? [
              {
                key: 'shown',
                header: 'What the client sees',
                cell: (f: Flag) => (
                  <Text size="sm">{f.shownToClient ? `“${f.shownToClient.reason}”` : 'Nothing: it is private'}</Text>
                ),
              },
            ]
          : []),
        ...(may
          ? [
              {
                key: 'end',
                header: 'End it',
                cell: (f: Flag) =>
                  f.id.startsWith('hld_') ? (
                    <ConfirmButton
                      label="End"
                      size="xs"
                      question={`End the hold ${f.code}?`}
                      reason="required"
                      onConfirm={(reason) => release.mutateAsync({ accountId, holdId: f.id, reason })}
                    >
                      {blocking === 1 && f.blocking ? (
                        <ChangePreview accountId={accountId} idea={{ endHolds: true }} />
                      ) : null}
                    </ConfirmButton>
                  ) : null,
              },
            ]
          : []),
      ]}
    />
  );
}
