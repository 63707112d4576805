// The dispute of a transaction's chargeback: its state, the evidence submitted, and the scheme's decision, or opening
// one.

import { Group, List, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { OpenDispute, SendEvidence } from './dispute-forms.tsx';

export function Dispute({ chargebackId }: { readonly chargebackId: string }) {
  const { data, error, refetch } = useOp('listDisputes', { chargebackId });
  const resolve = useDo('resolveDispute', { done: say('The decision is recorded') });
  const may = useMay('openDispute');
  const resolves = useMay('resolveDispute');
  const d = data?.items[0];
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data || (!d && !may)) return null;
  if (!d)
    return (
      <Panel title={say('Dispute of the chargeback')} actions={<OpenDispute chargebackId={chargebackId} />}>
        <Text size="sm">{say('Nobody has disputed it.')}</Text>
      </Panel>
    );
  const decide = (outcome: 'WON' | 'LOST') => (reason: string) =>
    resolve.mutateAsync({ disputeId: d.disputeId, outcome, reason });
  const decided = d.state === 'WON' || d.state === 'LOST';
  return (
    <Panel
      title={say('Dispute of the chargeback')}
      actions={
        may && !decided ? (
          <Group gap="xs">
            <SendEvidence disputeId={d.disputeId} />
            {resolves ? (
              <>
                <ConfirmButton
                  label={say('Won')}
                  size="xs"
                  question={say('Was the dispute won?')}
                  reason="required"
                  onConfirm={decide('WON')}
                >
                  {say(
                    'The chargeback is reversed today: its amounts are due again, and what was set off is released. This cannot be undone.',
                  )}
                </ConfirmButton>
                <ConfirmButton
                  label={say('Lost')}
                  size="xs"
                  question={say('Was the dispute lost?')}
                  reason="required"
                  onConfirm={decide('LOST')}
                >
                  {say('The chargeback stays as it is. This cannot be undone.')}
                </ConfirmButton>
              </>
            ) : null}
          </Group>
        ) : null
      }
    >
      <Facts
        items={[
          [say('State'), <StatusBadge key="state" status={d.state} />],
          [say('Reason'), d.reason],
          [
            say('Evidence due'),
            <Stamp key="due" at={d.evidenceDueAt} show={d.state === 'OPEN' ? 'both' : 'absolute'} />,
          ],
          d.outcomeReason !== null && [say('The scheme said'), d.outcomeReason],
        ]}
      />
      {d.evidence.length > 0 ? (
        <>
          <Text fw={600} size="sm" mt="md" mb={4}>
            {say('Evidence')}
          </Text>
          <List size="sm" spacing={4}>
            {d.evidence.map((e) => (
              <List.Item key={`${e.at}${e.by}`}>
                {e.text ?? say('Sealed for the customer')} {e.documents.length > 0 ? `(${e.documents.join(', ')})` : ''}
              </List.Item>
            ))}
          </List>
        </>
      ) : null}
    </Panel>
  );
}
