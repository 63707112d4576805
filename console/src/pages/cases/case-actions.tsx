// What may be done from a case: assigning, escalating, and acting on the client or a transaction.
import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { usePsp } from '../../data/psp.tsx';
import { useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { type CaseDetail, keptSealed } from './state.tsx';

export function CaseActions({ of: c }: { readonly of: CaseDetail }) {
  const { caseId } = c;
  const me = useMe().user.userId;
  const mine = c.assignee === me;
  const assign = useDo('assignCase', { done: mine ? 'Unassigned' : 'Assigned to you', asOperator: true });
  const escalate = useDo('escalateCase', { done: 'Escalated', asOperator: true });
  return (
    <Group gap="xs">
      <Button
        variant={mine ? 'default' : 'filled'}
        loading={assign.isPending}
        onClick={() => assign.mutate(mine ? { caseId, assignee: null } : { caseId })}
      >
        {mine ? 'Unassign' : c.assignee ? 'Take it over' : 'Assign to me'}
      </Button>
      <ConfirmButton
        label="Escalate"
        question="Escalate this case?"
        reason="required"
        kept={keptSealed}
        onConfirm={(note) => escalate.mutateAsync({ caseId, note })}
      >
        It goes to the queue “escalated” and is unassigned. Its due date stays.
      </ConfirmButton>
      <Acting of={c} />
    </Group>
  );
}

const ofOperators = [
  { value: 'HOLD', label: 'Place a hold on the client' },
  { value: 'RELEASE', label: 'Propose to end a hold' },
  { value: 'SUSPEND', label: 'Suspend the client' },
];
const ofAll = [
  { value: 'DECLINE', label: 'Decline a transaction' },
  { value: 'CHARGE_BACK', label: 'Charge a transaction back' },
];

function Acting({ of: c }: { readonly of: CaseDetail }) {
  const [opened, { open, close }] = useDisclosure(false);
  const { isOperator } = usePsp();
  const [action, setAction] = useState<string | null>(null);
  const [named, setNamed] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const act = useDo('caseAction', { asOperator: true, done: 'Done' });
  const onTransaction = ofAll.some((a) => a.value === action);
  const known = [...new Set(c.reviews.flatMap((r) => r.transactionId ?? []))];
  function submit(event: FormEvent) {
    event.preventDefault();
    const of = onTransaction ? { transactionId: named ?? '' } : action === 'RELEASE' ? { holdId: named ?? '' } : {};
    void act.mutateAsync({ caseId: c.caseId, action: action as 'HOLD', reason: reason.trim(), ...of }).then(
      () => {
        close();
        setReason('');
        setNamed(null);
      },
      () => undefined,
    );
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        Act
      </Button>
      <Modal opened={opened} onClose={close} title="Act from this case" closeButtonProps={{ 'aria-label': 'Close' }}>
        <form onSubmit={submit}>
          <Stack>
            <Select
              label="What to do"
              required
              data={isOperator ? [...ofOperators, ...ofAll] : ofAll}
              value={action}
              onChange={(v) => {
                setAction(v);
                setNamed(null);
              }}
            />
            {onTransaction ? (
              <Select label="Transaction" required searchable data={known} value={named} onChange={setNamed} />
            ) : null}
            {action === 'RELEASE' ? <HoldSelect of={c} value={named} onChange={setNamed} /> : null}
            <Textarea
              label="Reason"
              description="The client is not told of the case. Name no persons."
              required
              maxLength={500}
              autosize
              minRows={2}
              value={reason}
              onChange={(e) => setReason(e.currentTarget.value)}
            />
            <DialogActions label="Do it" busy={act.isPending} onCancel={close} color="brick" />
          </Stack>
        </form>
      </Modal>
    </>
  );
}

interface HoldProps {
  readonly of: CaseDetail;
  readonly value: string | null;
  readonly onChange: (holdId: string | null) => void;
}

/** The client's holds by code and reason; flags that nobody placed end by themselves and are left out. */
function HoldSelect({ of: c, value, onChange }: HoldProps) {
  const { data } = useOp('verifyClientStatus', {}, { clientId: c.clientId, pspId: c.pspId });
  if (data === undefined) return <Text size="sm">Reading the client’s holds …</Text>;
  const holds = data.flags.filter((f) => f.id.startsWith('hld_'));
  if (holds.length === 0) return <Text size="sm">No hold of this client is in force.</Text>;
  return (
    <Select
      label="Hold"
      required
      data={holds.map((f) => ({ value: f.id, label: f.reason ? `${inWords(f.code)}: ${f.reason}` : inWords(f.code) }))}
      value={value}
      onChange={onChange}
    />
  );
}
