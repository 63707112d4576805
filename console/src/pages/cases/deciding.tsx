// Closes a case, agrees to or rejects what another person proposed, or reopens it.

import { Group, Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { OutcomeForm } from '../../components/outcome-form.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { isIdOf } from '../../data/id-kind.ts';
import { useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { type CaseDetail, keptSealed } from './state.tsx';

interface Props {
  readonly of: CaseDetail;
  readonly actorOf: (actor: string) => string;
}

export function Deciding({ of: c, actorOf }: Props) {
  if (c.state === 'CLOSED') return <Reopening caseId={c.caseId} />;
  return c.proposed ? <Proposed of={c} actorOf={actorOf} /> : <Closing caseId={c.caseId} />;
}

function Proposed({ of: c, actorOf }: Props) {
  const me = useMe().user.userId;
  const { caseId, proposed: p } = c;
  const approve = useDo('approveCase', { asOperator: true, done: say('Agreed') });
  const reject = useDo('rejectCase', { asOperator: true, done: say('The case goes on') });
  if (!p) return null;
  const what =
    p.action === 'CLOSE'
      ? say('to close the case: {outcome}', { outcome: p.outcome === 'CLEARED' ? 'cleared' : 'confirmed' })
      : isIdOf('walletHold', p.holdId)
        ? say('to end a hold of a wallet')
        : say('to end a hold of the client');
  return (
    <Panel title={say('A second person decides')}>
      <Stack gap="sm">
        <Text>
          {rich('{by} proposed {what} · {at}', {
            by: actorOf(p.by) === say('you') ? say('You') : actorOf(p.by),
            what,
            at: <Stamp at={p.at} show="relative" />,
          })}
        </Text>
        <Group gap="xs">
          {p.by === me ? null : (
            <ConfirmButton
              label={say('Agree')}
              question={p.action === 'CLOSE' ? say('Close this case?') : say('End the hold?')}
              variant="filled"
              onConfirm={() => approve.mutateAsync({ caseId })}
            />
          )}
          <ConfirmButton
            label={p.by === me ? say('Take it back') : say('Reject')}
            question={say('Go on with the case?')}
            reason="required"
            kept={keptSealed}
            onConfirm={(note) => reject.mutateAsync({ caseId, note })}
          />
        </Group>
      </Stack>
    </Panel>
  );
}

function Reopening({ caseId }: { readonly caseId: string }) {
  const reopen = useDo('reopenCase', { asOperator: true, done: say('Reopened') });
  return (
    <Panel title={say('Reopen')}>
      <ConfirmButton
        label={say('Reopen the case')}
        question={say('Reopen this case?')}
        reason="required"
        kept={keptSealed}
        onConfirm={(note) => reopen.mutateAsync({ caseId, note })}
      >
        {say('Its alerts stay resolved; it is due again.')}
      </ConfirmButton>
    </Panel>
  );
}

function Closing({ caseId }: { readonly caseId: string }) {
  const close = useDo('closeCase', {
    done: (c) => (c.state === 'CLOSED' ? say('Closed') : say('Proposed; another person has to agree')),
    asOperator: true,
  });
  return (
    <OutcomeForm
      title={say('Close')}
      kept={say('Sealed: it may name people. Its open alerts end with the same outcome.')}
      longest={4000}
      action={say('Close the case')}
      pending={close.isPending}
      onSubmit={(outcome, note) => close.mutate({ caseId, outcome, note })}
    />
  );
}
