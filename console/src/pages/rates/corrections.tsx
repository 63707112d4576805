// Correcting transactions taxed at a wrong rate, by two people: one proposes a range of days, then the approved
// correction is applied.

import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { call } from '../../data/assay.ts';
import { useChosenPsp } from '../../data/psps.ts';
import { tellRefusal, usePropose } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

const isDay = (v: string) => (/^\d{4}-\d{2}-\d{2}$/.test(v) ? null : say('A day, such as 2026-10-01'));
const isSaid = (v: string) => (v.trim() ? null : say('Needed'));

export function ProposeCorrection() {
  const chosen = useChosenPsp();
  const [opened, { open, close }] = useDisclosure(false);
  const propose = usePropose();
  const form = useForm({
    initialValues: { clientId: '', countryCode: '', from: '', to: '', rule: '', reason: '' },
    validate: {
      clientId: (v) => (v.trim() || chosen ? null : say('Needed while no PSP is chosen')),
      countryCode: (v) => (/^[A-Za-z]{2,3}$/.test(v.trim()) ? null : say('A country, such as NG')),
      from: isDay,
      to: isDay,
      reason: isSaid,
    },
  });
  const submit = form.onSubmit(async ({ reason, clientId, countryCode, from, to, rule }) => {
    const correction = {
      clientId: clientId.trim() || (chosen?.pspId ?? ''),
      countryCode: countryCode.trim().toUpperCase(),
      from,
      to,
      ...(rule.trim() ? { rule: rule.trim() } : {}),
    };
    const made = await propose.mutateAsync({ reason: reason.trim(), correction }).catch(() => undefined);
    if (!made) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Propose a correction')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Propose a correction')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={say('Client or PSP')}
              description={say('Its id; a PSP means all its clients.')}
              placeholder={chosen?.pspId ?? say('cli_… or psp_…')}
              data-autofocus
              {...form.getInputProps('clientId')}
            />
            <TextInput
              label={say('Country taxed in')}
              placeholder="NG"
              required
              {...form.getInputProps('countryCode')}
            />
            <Group grow align="flex-start">
              <TextInput label={say('First day')} type="date" required {...form.getInputProps('from')} />
              <TextInput label={say('Last day')} type="date" required {...form.getInputProps('to')} />
            </Group>
            <TextInput label={say('Tax rule')} placeholder={say('Any')} {...form.getInputProps('rule')} />
            <ReasonField {...form.getInputProps('reason')} />
            <DialogActions label={say('Propose')} busy={propose.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}

interface Range {
  readonly clientId: string;
  readonly countryCode: string;
  readonly from: string;
  readonly to: string;
  readonly rule?: string;
}

/** Writes the adjustments of an approved correction, a few hundred transactions per call. */
async function make(proposalId: string): Promise<number> {
  const { proposed, reason } = await call('getProposal', { proposalId }, {});
  let adjusted = 0;
  let after: string | null = null;
  do {
    const done: { adjusted: number; next: string | null } = await call(
      'correctRates',
      { ...(proposed as unknown as Range), reason, proposalId, ...(after === null ? {} : { after }) },
      {},
    );
    adjusted += done.adjusted;
    after = done.next;
  } while (after !== null);
  return adjusted;
}

export function MakeCorrection({ proposalId, subject }: { readonly proposalId: string; readonly subject: string }) {
  const confirm = () =>
    make(proposalId).then(
      (n) => notifications.show({ message: say('Adjusted: {n} transactions', { n }), color: 'verdigris' }),
      (error) => {
        tellRefusal(error);
        throw error;
      },
    );
  return (
    <ConfirmButton
      label={say('Make it')}
      size="xs"
      question={say('Make the correction of {subject}?', { subject })}
      onConfirm={confirm}
    >
      {say(
        'Each approved transaction of these days that the rules in force now tax otherwise gets an adjustment. To repeat it changes nothing.',
      )}
    </ConfirmButton>
  );
}
