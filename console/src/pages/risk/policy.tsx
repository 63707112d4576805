// Which rules decline records of the PSP and put its clients or wallets on hold. Its own administrators change that; staff only read it.

import { Anchor, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { type Content, tagOf } from '../../data/assay.ts';
import { useActorNames } from '../../data/people.ts';
import { usePsp } from '../../data/psp.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { named, plural, say } from '../../words/words.ts';
import type { RiskRule } from './document.ts';

export function RiskPolicy({ rules }: { readonly rules: readonly RiskRule[] }) {
  const { isOperator } = usePsp();
  const may = useMay('setRiskPolicy');
  const actorOf = useActorNames();
  const { data: policy, error, refetch } = useOp('getRiskPolicy', {});
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (policy === undefined) return null;
  const able = rules.filter((r) => declines(r) || holds(r));
  return (
    <Panel
      title={say('Rules that decline and hold')}
      actions={may && !isOperator && able.length > 0 ? <Change able={able} policy={policy} /> : null}
    >
      {policy.declining.length === 0 ? (
        <Text size="sm">
          {rich('None: no rule declines a transaction of this PSP{isOperator}.', {
            isOperator: isOperator ? say('; only its own people switch one on') : '',
          })}
        </Text>
      ) : (
        <Rules ids={policy.declining} able={able.filter(declines)} />
      )}
      {policy.holding.length === 0 ? null : (
        <>
          <Text size="sm" mt="xs">
            {say('These put a client or a wallet on hold:')}
          </Text>
          <Rules ids={policy.holding} able={able.filter(holds)} />
        </>
      )}
      {policy.changedAt === null ? null : (
        <Text size="sm" c="dimmed" mt={4}>
          {rich('{reason} · {changedAt} · by {actorOf}', {
            reason: policy.reason,
            changedAt: <Stamp at={policy.changedAt} show="both" />,
            actorOf: actorOf(policy.setBy ?? ''),
          })}
        </Text>
      )}
    </Panel>
  );
}

const declines = (r: RiskRule): boolean => r.action === 'decline';
const holds = (r: RiskRule): boolean => r.action === 'hold' || r.action === 'holdWallet';

interface RulesProps {
  readonly ids: readonly string[];
  /** Those that do what the policy switched on; a later version of a rule may only count. */
  readonly able: readonly RiskRule[];
}

function Rules({ ids, able }: RulesProps) {
  return (
    <Group gap="md">
      {ids.map((id) => (
        <Text key={id} span size="sm">
          <Anchor component={Link} to={`/risk/${id}`} size="sm">
            {id}
          </Anchor>
          {able.some((r) => r.id === id) ? null : ` · ${say('without effect since the rule was changed')}`}
        </Text>
      ))}
    </Group>
  );
}

interface ChangeProps {
  readonly able: readonly RiskRule[];
  readonly policy: Content<'getRiskPolicy'>;
}

function Change(p: ChangeProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Change')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Rules that decline and hold')} size="lg">
        <ChangeForm {...p} close={close} />
      </Modal>
    </>
  );
}

function ChangeForm({ able, policy, close }: ChangeProps & { readonly close: () => void }) {
  // What a rule does not do any more cannot be switched on again, and has no box to be switched off by.
  const still = (ids: readonly string[], does: (r: RiskRule) => boolean) =>
    ids.filter((id) => able.some((r) => r.id === id && does(r)));
  const [chosen, setChosen] = useState(() => still(policy.declining, declines));
  const [held, setHeld] = useState(() => still(policy.holding, holds));
  const [reason, setReason] = useState('');
  const [basedOn] = useState(() => tagOf(policy));
  const set = useDo('setRiskPolicy', { basedOn, done: say('It applies from this moment on') });
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (await set.mutateAsync({ declining: chosen, holding: held, reason: reason.trim() }).catch(() => undefined))
      close();
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {say(
            'A transaction that a declining rule matches is declined, a wager refused; of a payout an alert is opened. A holding rule puts the client or the wallet on hold after the record. Your clients read the public code, never the reason.',
          )}
        </Text>
        <Choice label={say('Decline with')} rules={able.filter(declines)} chosen={chosen} onChange={setChosen} />
        <Choice
          label={say('Put clients and wallets on hold with')}
          rules={able.filter(holds)}
          chosen={held}
          onChange={setHeld}
        />
        <ReasonField
          description={say('Kept in the journal with your name.')}
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        <DialogActions label={say('Apply')} busy={set.isPending} disabled={reason.trim() === ''} onCancel={close} />
      </Stack>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly rules: readonly RiskRule[];
  readonly chosen: string[];
  onChange(ids: string[]): void;
}

function Choice({ label, rules, chosen, onChange }: ChoiceProps) {
  if (rules.length === 0) return null;
  return (
    <Checkbox.Group label={label} value={chosen} onChange={onChange}>
      <Stack gap="sm" mt={6}>
        {rules.map((r) => (
          <Checkbox
            key={r.id}
            value={r.id}
            label={r.id}
            description={`${named(r.reason)} ${plural(r.matches, 'It matched {n} record within 30 days.', 'It matched {n} records within 30 days.')}`}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
