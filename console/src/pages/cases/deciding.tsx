// Closes a case, agrees to or rejects what another person proposed, or reopens it.
import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
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
  const [outcome, setOutcome] = useState<'CLEARED' | 'CONFIRMED' | ''>('');
  const [note, setNote] = useState('');
  const close = useDo('closeCase', {
    done: (c) => (c.state === 'CLOSED' ? 'Closed' : 'Proposed; another person has to agree'),
    asOperator: true,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (outcome !== '') close.mutate({ caseId, outcome, note: note.trim() });
  }
  return (
    <Panel title="Close">
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <Radio.Group label="Outcome" value={outcome} onChange={(v) => setOutcome(v as 'CLEARED')} required>
            <Stack gap={6} mt={6}>
              <Radio value="CLEARED" label="Cleared: nothing is wrong" />
              <Radio value="CONFIRMED" label="Confirmed: something is" />
            </Stack>
          </Radio.Group>
          <Textarea
            label="Why"
            description="Sealed: it may name people. Its open alerts end with the same outcome."
            required
            value={note}
            onChange={(e) => setNote(e.currentTarget.value)}
            maxLength={4000}
            autosize
            minRows={2}
            w="100%"
          />
          <Button type="submit" loading={close.isPending} disabled={outcome === '' || note.trim() === ''}>
            Close the case
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
