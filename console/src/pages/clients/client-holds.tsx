// The holds and flags of an account: who placed each, when and why, how long it applies, what the client sees of it, and a
// button that ends it.

import { Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { absolute } from '../../data/moments.ts';
import { useNow } from '../../data/now.ts';
import { useActorNames } from '../../data/people.ts';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { ChangePreview } from './change-preview.tsx';

type Flag = Content<'verifyClientStatus'>['flags'][number];

interface Props {
  readonly accountId: string;
  readonly flags: readonly Flag[];
  /** Whether the reader may end holds. */
  readonly may: boolean;
}

export function ClientHolds({ accountId, flags, may }: Props) {
  const release = useDo('releaseHold', { asOperator: true, done: say('The hold is ended') });
  const nameOf = useActorNames();
  const now = useNow();
  const begins = (f: Flag) => Date.parse(f.since) > now;
  const blocking = flags.filter((f) => f.blocking && !begins(f)).length;
  return (
    <DataTable<Flag>
      label={say('Holds and flags')}
      pages={{ rows: flags }}
      rowKey={(f) => f.id}
      columns={[
        {
          key: 'what',
          header: say('Hold or flag'),
          cell: (f) => (
            <>
              <StatusBadge
                status={f.code}
                tone={f.blocking && !begins(f) ? 'bad' : 'wait'}
                {...(begins(f) ? { label: say('{code}: not begun yet', { code: inWords(f.code) }) } : {})}
              />
              <Text size="sm">{f.reason}</Text>
            </>
          ),
        },
        {
          key: 'does',
          header: say('What it does'),
          cell: (f) => (
            <Text size="sm">
              {!f.blocking
                ? say('Declines nothing')
                : begins(f)
                  ? say('Will decline every transaction from {since}', { since: absolute(f.since) })
                  : say('Declines every transaction')}
              {f.until
                ? `, ${say('until {until}', { until: absolute(f.until) })}`
                : f.blocking
                  ? say(', until somebody ends it')
                  : ''}
            </Text>
          ),
        },
        {
          key: 'who',
          header: say('Placed'),
          cell: (f) => (
            <Stack gap={0}>
              {f.setBy ? <Text size="sm">{rich('by {setBy}', { setBy: nameOf(f.setBy) })}</Text> : null}
              {begins(f) ? null : <Stamp at={f.since} />}
            </Stack>
          ),
        },
        ...(flags.some((f) => f.shownToClient !== undefined)
          ? [
              {
                key: 'shown',
                header: say('What the client sees'),
                cell: (f: Flag) => (
                  <Text size="sm">
                    {f.shownToClient
                      ? say('“{reason}”', { reason: f.shownToClient.reason })
                      : say('Nothing: it is private')}
                  </Text>
                ),
              },
            ]
          : []),
        ...(may
          ? [
              {
                key: 'end',
                header: say('End it'),
                cell: (f: Flag) =>
                  f.setBy !== undefined ? (
                    <ConfirmButton
                      label={say('End')}
                      size="xs"
                      question={say('End the hold {code}?', { code: inWords(f.code) })}
                      reason="required"
                      onConfirm={(reason) => release.mutateAsync({ accountId, holdId: f.id, reason })}
                    >
                      {blocking === 1 && f.blocking && !begins(f) ? (
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
