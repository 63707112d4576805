// Closes a case, agrees to or rejects what another person proposed, or reopens it.
import { Group, Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { OutcomeForm } from '../../components/outcome-form.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
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
  const approve = useDo('approveCase', { asOperator: true, done: 'Agreed' });
  const reject = useDo('rejectCase', { asOperator: true, done: 'The case goes on' });
  if (!p) return null;
  const what =
    p.action === 'CLOSE'
      ? `to close the case: ${p.outcome === 'CLEARED' ? 'cleared' : 'confirmed'}`
      : 'to end a hold of the client';
  return (
    <Panel title="A second person decides">
      <Stack gap="sm">
        <Text>
          {actorOf(p.by) === 'you' ? 'You' : actorOf(p.by)} proposed {what} · <Stamp at={p.at} show="relative" />
        </Text>
        <Group gap="xs">
          {p.by === me ? null : (
            <ConfirmButton
              label="Agree"
              question={p.action === 'CLOSE' ? 'Close this case?' : 'End the hold?'}
              variant="filled"
              onConfirm={() => approve.mutateAsync({ caseId })}
            />
          )}
          <ConfirmButton
            label={p.by === me ? 'Take it back' : 'Reject'}
            question="Go on with the case?"
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
  const reopen = useDo('reopenCase', { asOperator: true, done: 'Reopened' });
  return (
    <Panel title="Reopen">
      <ConfirmButton
        label="Reopen the case"
        question="Reopen this case?"
        reason="required"
        kept={keptSealed}
        onConfirm={(note) => reopen.mutateAsync({ caseId, note })}
      >
        Its alerts stay resolved; it is due again.
      </ConfirmButton>
    </Panel>
  );
}

function Closing({ caseId }: { readonly caseId: string }) {
  const close = useDo('closeCase', {
    done: (c) => (c.state === 'CLOSED' ? 'Closed' : 'Proposed; another person has to agree'),
    asOperator: true,
  });
  return (
    <OutcomeForm
      title="Close"
      kept="Sealed: it may name people. Its open alerts end with the same outcome."
      longest={4000}
      action="Close the case"
      pending={close.isPending}
      onSubmit={(outcome, note) => close.mutate({ caseId, outcome, note })}
    />
  );
}
