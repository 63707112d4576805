// Which rules decline transactions of the PSP. Its own administrators change that; staff only read it.
import { Anchor, Button, Checkbox, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useActorNames } from '../../data/people.ts';
import { usePsp } from '../../data/psp.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import type { RiskRule } from './document.ts';

export function RiskPolicy({ rules }: { readonly rules: readonly RiskRule[] }) {
  const { isOperator } = usePsp();
  const administrator = useMay('administrator');
  const actorOf = useActorNames();
  const { data: policy, error, refetch } = useOp('getRiskPolicy', {});
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (policy === undefined) return null;
  const able = rules.filter((r) => r.action === 'decline');
  return (
    <Panel
      title="Rules that decline"
      actions={
        administrator && !isOperator && able.length > 0 ? (
          <Change able={able} declining={policy.declining} key={policy.version} />
        ) : null
      }
    >
      {policy.declining.length === 0 ? (
        <Text size="sm">
          None: no rule declines a transaction of this PSP{isOperator ? '; only its own people switch one on' : ''}.
        </Text>
      ) : (
        <Group gap="md">
          {policy.declining.map((id) => (
            <Anchor key={id} component={Link} to={`/risk/${id}`} size="sm">
              {id}
            </Anchor>
          ))}
        </Group>
      )}
      {policy.changedAt === null ? null : (
        <Text size="sm" c="dimmed" mt={4}>
          {policy.reason} · <Stamp at={policy.changedAt} show="both" /> · by {actorOf(policy.setBy ?? '')}
        </Text>
      )}
    </Panel>
  );
}

interface ChangeProps {
  readonly able: readonly RiskRule[];
  readonly declining: readonly string[];
}

function Change({ able, declining }: ChangeProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const [chosen, setChosen] = useState<string[]>([...declining]);
  const [reason, setReason] = useState('');
  const set = useDo('setRiskPolicy', { done: 'It applies from this moment on' });
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (await set.mutateAsync({ declining: chosen, reason: reason.trim() }).catch(() => undefined)) close();
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Change
      </Button>
      <Modal opened={opened} onClose={close} title="Rules that decline your transactions" size="lg">
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              A transaction that one of them matches is declined. Your clients read the public code, never the reason.
            </Text>
            <Checkbox.Group label="Decline with" value={chosen} onChange={setChosen}>
              <Stack gap="sm" mt={6}>
                {able.map((r) => (
                  <Checkbox
                    key={r.id}
                    value={r.id}
                    label={r.id}
                    description={`${r.reason} It matched ${r.matches} ${r.matches === 1 ? 'record' : 'records'} within 30 days.`}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <Textarea
              label="Reason"
              description="Kept in the journal with your name."
              required
              maxLength={500}
              autosize
              minRows={2}
              value={reason}
              onChange={(e) => setReason(e.currentTarget.value)}
            />
            <DialogActions label="Apply" busy={set.isPending} disabled={reason.trim() === ''} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
