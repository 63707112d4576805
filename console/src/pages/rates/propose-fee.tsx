// Proposes a fee row: another person has to approve it before it applies.

import { Button, Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { plainNumber } from '../../data/amounts.ts';
import { useChosenPsp } from '../../data/psps.ts';
import { usePropose } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { classifications } from './rule.ts';

const operations = ['verifyTransaction', 'cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal'];
const percent = /^\d{1,3}(\.\d{1,6})?$/;

export function ProposeFee() {
  const chosen = useChosenPsp();
  const [opened, { open, close }] = useDisclosure(false);
  const propose = usePropose();
  const form = useForm({
    initialValues: {
      feeId: '',
      percent: '',
      validFrom: '',
      operations: [] as string[],
      classifications: [] as string[],
      reason: '',
    },
    validate: {
      feeId: (v) => (v.trim() ? null : say('Needed')),
      percent: (v) => (percent.test(plainNumber(v)) ? null : say('Percent, such as 1.25')),
      validFrom: (v) => (/^\d{4}-\d{2}-\d{2}$/.test(v) ? null : say('A day, such as 2027-01-01')),
      reason: (v) => (v.trim() ? null : say('Needed')),
    },
  });
  const submit = form.onSubmit(async ({ reason, ...typed }) => {
    const fee = { ...typed, percent: plainNumber(typed.percent) };
    const made = await propose
      .mutateAsync({ reason: reason.trim(), fee: { ...fee, ...(chosen ? { pspId: chosen.pspId } : {}) } })
      .catch(() => undefined);
    if (!made) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Propose a row')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={
          chosen ? say('Propose a fee row of {name}', { name: chosen.name }) : say('Propose a fee row of every PSP')
        }
      >
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={say('Row')}
              placeholder="EXAMPLE-PAY-2027"
              required
              data-autofocus
              {...form.getInputProps('feeId')}
            />
            <Group grow align="flex-start">
              <TextInput label={say('Percent')} inputMode="decimal" required {...form.getInputProps('percent')} />
              <TextInput label={say('From')} type="date" required {...form.getInputProps('validFrom')} />
            </Group>
            <MultiSelect
              label={say('Operations')}
              placeholder={say('Any')}
              data={operations}
              {...form.getInputProps('operations')}
            />
            <MultiSelect
              label={say('Classifications')}
              placeholder={say('Any')}
              data={classifications.map((c) => ({ value: c, label: inWords(c) }))}
              {...form.getInputProps('classifications')}
            />
            <ReasonField {...form.getInputProps('reason')} />
            <DialogActions label={say('Propose')} busy={propose.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
