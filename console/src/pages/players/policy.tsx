// How exclusions and limits apply for the PSP, and the dialog that changes it.

import { Button, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Content, tagOf } from '../../data/assay.ts';
import { usePsp } from '../../data/psp.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';

type Policy = Content<'getPlayerPolicy'>;
type Mode = Policy['exclusions'];

const parts = [
  ['exclusions', say('Exclusions')],
  ['limits', say('Limits of players')],
  ['countryLimits', say('Limits of countries')],
] as const;
const modes: readonly { value: Mode; label: string }[] = [
  { value: 'OFF', label: say('Off') },
  { value: 'OBSERVE', label: say('Observe') },
  { value: 'ENFORCE', label: say('Enforce') },
];
const tones = { OFF: 'quiet', OBSERVE: 'wait', ENFORCE: 'good' } as const;

export function PlayerPolicy() {
  const policy = useOp('getPlayerPolicy', {}).data;
  const may = useMay('setPlayerPolicy');
  if (policy === undefined) return null;
  return (
    <Panel title={say('How they apply')} actions={may ? <ChangePolicy policy={policy} /> : undefined}>
      <Facts
        columns={2}
        items={parts.map(([name, title]) => [
          title,
          <StatusBadge key={name} status={policy[name]} tone={tones[policy[name]]} />,
        ])}
      />
    </Panel>
  );
}

function ChangePolicy({ policy }: { readonly policy: Policy }) {
  const [opened, dialog] = useDisclosure(false);
  const { isOperator } = usePsp();
  const [asked, setAsked] = useState<Partial<Record<(typeof parts)[number][0], Mode>>>({});
  const [basedOn, setBasedOn] = useState<string>();
  const set = useDo('setPlayerPolicy', { basedOn, done: say('It applies from this moment on') });
  const start = () => {
    // What was chosen and not applied is not shown as if it were in force.
    setAsked({});
    setBasedOn(tagOf(policy));
    dialog.open();
  };
  const shown = isOperator ? modes.filter((m) => m.value !== 'ENFORCE') : modes;
  return (
    <>
      <Button variant="default" size="xs" onClick={start}>
        {say('Change')}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={say('How exclusions and limits apply')}>
        <form
          noValidate
          onSubmit={async (e) => {
            e.preventDefault();
            const done = await set.mutateAsync(asked).catch(() => undefined);
            if (!done) return;
            dialog.close();
          }}
        >
          <Stack>
            <Text size="sm">
              {rich(
                'Observe notes them and opens a review. Enforce declines deposits and refuses wagers; withdrawals and payouts always pass.{isOperator}',
                { isOperator: isOperator ? ` ${say('Only the PSP itself can enforce them.')}` : '' },
              )}
            </Text>
            {parts.map(([name, title]) => (
              <Select
                key={name}
                label={title}
                allowDeselect={false}
                data={isOperator && policy[name] === 'ENFORCE' ? modes : shown}
                value={asked[name] ?? policy[name]}
                onChange={(mode) => setAsked({ ...asked, [name]: mode as Mode })}
              />
            ))}
            <DialogActions label={say('Apply')} busy={set.isPending} onCancel={dialog.close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
