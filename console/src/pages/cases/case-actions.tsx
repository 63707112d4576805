// What may be done from a case: assigning, escalating, and acting on the client or a transaction.

import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { usePsp } from '../../data/psp.tsx';
import { useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { useTransactionChoices } from './choices.ts';
import { type CaseDetail, keptSealed } from './state.tsx';

export function CaseActions({ of: c }: { readonly of: CaseDetail }) {
  const { caseId } = c;
  const me = useMe().user.userId;
  const mine = c.assignee === me;
  const assign = useDo('assignCase', { done: mine ? say('Unassigned') : say('Assigned to you'), asOperator: true });
  const escalate = useDo('escalateCase', { done: say('Escalated'), asOperator: true });
  return (
    <Group gap="xs">
      <Button
        variant={mine ? 'default' : 'filled'}
        loading={assign.isPending}
        onClick={() => assign.mutate({ caseId, from: c.assignee, ...(mine ? { assignee: null } : {}) })}
      >
        {mine ? say('Unassign') : c.assignee ? say('Take it over') : say('Assign to me')}
      </Button>
      <ConfirmButton
        label={say('Escalate')}
        question={say('Escalate this case?')}
        reason="required"
        kept={keptSealed}
        onConfirm={(note) => escalate.mutateAsync({ caseId, note })}
      >
        {say('It goes to the queue “escalated” and is unassigned. Its due date stays.')}
      </ConfirmButton>
      <Acting of={c} />
    </Group>
  );
}

const ofOperators = [
  { value: 'HOLD', label: say('Place a hold on the client') },
  { value: 'SUSPEND', label: say('Suspend the client') },
];
const ofAll = [
  { value: 'RELEASE', label: say('Propose to end a hold') },
  { value: 'HOLD_WALLET', label: say('Put the wallet of a payment on hold') },
  { value: 'DECLINE', label: say('Decline a transaction') },
  { value: 'CHARGE_BACK', label: say('Charge a transaction back') },
];

function Acting({ of: c }: { readonly of: CaseDetail }) {
  const { isOperator } = usePsp();
  const [action, setAction] = useState<string | null>(null);
  const [named, setNamed] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const act = useDo('caseAction', { asOperator: true, done: say('Done') });
  const onTransaction = action !== 'RELEASE' && ofAll.some((a) => a.value === action);
  const { data: transactions } = useTransactionChoices(c);
  async function submit() {
    const of = onTransaction ? { transactionId: named ?? '' } : action === 'RELEASE' ? { holdId: named ?? '' } : {};
    await act.mutateAsync({ caseId: c.caseId, action: action as 'HOLD', reason: reason.trim(), ...of });
    setReason('');
    setNamed(null);
  }
  return (
    <FormDialog
      label={say('Act')}
      title={say('Act from this case')}
      action={say('Do it')}
      button={{ variant: 'default' }}
      color="brick"
      onSubmit={submit}
    >
      <Select
        label={say('What to do')}
        required
        data={isOperator ? [...ofOperators, ...ofAll] : ofAll}
        value={action}
        onChange={(v) => {
          setAction(v);
          setNamed(null);
        }}
      />
      {onTransaction ? (
        <Select label={say('Transaction')} required searchable data={transactions} value={named} onChange={setNamed} />
      ) : null}
      {action === 'RELEASE' ? <HoldSelect of={c} value={named} onChange={setNamed} /> : null}
      <ReasonField
        description={say('The client is not told of the case. Name no persons.')}
        maxLength={500}
        value={reason}
        onChange={(e) => setReason(e.currentTarget.value)}
      />
    </FormDialog>
  );
}

interface HoldProps {
  readonly of: CaseDetail;
  readonly value: string | null;
  readonly onChange: (holdId: string | null) => void;
}

/**
 * Holds of wallets that were placed from the case, and for operators the client's, by code and reason; flags that nobody
 * placed end by themselves and are left out.
 */
function HoldSelect({ of: c, value, onChange }: HoldProps) {
  const { isOperator } = usePsp();
  const { data } = useOp('verifyClientStatus', {}, { clientId: c.clientId, pspId: c.pspId, enabled: isOperator });
  const asked = { caseId: c.caseId, inForce: 'true' as const };
  const { data: wallets } = useOp('listWalletHolds', asked, isOperator ? { pspId: c.pspId } : {});
  if (wallets === undefined || (isOperator && data === undefined))
    return <Text size="sm">{say('Reading the holds …')}</Text>;
  const held = wallets.items.map((h) => ({ id: h.holdId, code: 'WALLET', reason: h.reason }));
  const holds = [...held, ...(data?.flags ?? []).filter((f) => f.setBy !== undefined)];
  if (holds.length === 0)
    return <Text size="sm">{say('No hold of this client, or of a wallet from this case, is in force.')}</Text>;
  return (
    <Select
      label={say('Hold')}
      required
      data={holds.map((f) => ({
        value: f.id,
        label: f.reason ? say('{code}: {reason}', { code: inWords(f.code), reason: f.reason }) : inWords(f.code),
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
