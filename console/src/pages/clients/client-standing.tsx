// The standing of a client: level, status and holds, what would change the next decision, and the actions that change
// it.

import { Box, Group, Stack } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { ChangePreview } from './change-preview.tsx';
import { ClientHolds } from './client-holds.tsx';
import { StandingBadge } from './standing-badge.tsx';
import { Level, PlaceHold } from './standing-dialogs.tsx';

type Client = Content<'getClient'>;

export function ClientStanding({ client }: { readonly client: Client }) {
  const may = useMay('setStanding');
  const accountId = client.clientId;
  const { data: status, error, refetch } = useOp('verifyClientStatus', {}, { clientId: accountId });
  const set = useDo('setStanding', { asOperator: true, done: say('The standing is changed') });
  const flags = status?.flags ?? [];
  const due = status?.requirements.currentlyDue ?? [];
  const change = (operationalStanding: 'ACTIVE' | 'SUSPENDED' | 'CLOSED') => (reason: string) =>
    set.mutateAsync({ accountId, operationalStanding, reason });
  return (
    <>
      <Panel title={say('Standing')} actions={may ? <PlaceHold accountId={accountId} /> : null}>
        <Facts
          items={[
            [say('State'), <StandingBadge key="state" client={client} />],
            [say('Verification'), inWords(client.verificationLevel)],
            [
              say('Next transaction'),
              <StatusBadge
                key="next"
                status={client.acceptable ? 'APPROVED' : 'DECLINED'}
                label={client.acceptable ? say('Would be approved') : say('Would be declined')}
              />,
            ],
            client.reason ? [say('Why'), client.reason] : null,
            due.length > 0 ? [say('Still due'), due.map(inWords).join(', ')] : null,
          ]}
        />
        {error ? <Problem error={error} retry={() => void refetch()} /> : null}
        {may && client.operationalStanding !== 'CLOSED' ? (
          <Group gap="xs" mt="md">
            {client.operationalStanding === 'ACTIVE' ? (
              <ConfirmButton
                label={say('Suspend')}
                question={say('Suspend {registeredName}?', { registeredName: client.registeredName })}
                reason="required"
                danger
                onConfirm={change('SUSPENDED')}
              >
                <Stack gap="sm">
                  {rich(
                    'From the moment it is confirmed, every transaction of this client is declined.{changePreview}',
                    {
                      changePreview: (
                        <ChangePreview accountId={accountId} idea={{ operationalStanding: 'SUSPENDED' }} />
                      ),
                    },
                  )}
                </Stack>
              </ConfirmButton>
            ) : (
              <ConfirmButton
                label={say('Reactivate')}
                question={say('Reactivate {registeredName}?', { registeredName: client.registeredName })}
                reason="required"
                onConfirm={change('ACTIVE')}
              >
                <Stack gap="sm">
                  {rich('Its transactions are approved again, unless a hold blocks them.{changePreview}', {
                    changePreview: <ChangePreview accountId={accountId} idea={{ operationalStanding: 'ACTIVE' }} />,
                  })}
                </Stack>
              </ConfirmButton>
            )}
            <ConfirmButton
              label={say('Close')}
              question={say('Close {registeredName} for good?', { registeredName: client.registeredName })}
              reason="required"
              danger
              onConfirm={change('CLOSED')}
            >
              {say('A closed client cannot be opened again.')}
            </ConfirmButton>
            <Level client={client} />
          </Group>
        ) : null}
      </Panel>
      {flags.length > 0 ? (
        // Below both panels of the grid, for half of the page is too narrow for what each hold does.
        <Box style={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <Panel title={say('Holds and flags')} flush>
            <ClientHolds accountId={accountId} flags={flags} may={may} />
          </Panel>
        </Box>
      ) : null}
    </>
  );
}
