// Correcting transactions taxed at a wrong rate, by two people: one proposes a range of days, then the approved
// correction is applied.
import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { call } from '../../data/assay.ts';
import { useChosenPsp } from '../../data/psps.ts';
import { tellRefusal, usePropose } from '../../data/use-do.ts';

const isDay = (v: string) => (/^\d{4}-\d{2}-\d{2}$/.test(v) ? null : 'A day, such as 2026-10-01');
const isSaid = (v: string) => (v.trim() ? null : 'Needed');

export function ProposeCorrection() {
  const chosen = useChosenPsp();
  const [opened, { open, close }] = useDisclosure(false);
  const propose = usePropose();
  const form = useForm({
    initialValues: { clientId: '', countryCode: '', from: '', to: '', rule: '', reason: '' },
    validate: {
      clientId: (v) => (v.trim() || chosen ? null : 'Needed while no PSP is chosen'),
      countryCode: (v) => (/^[A-Za-z]{2,3}$/.test(v.trim()) ? null : 'A country, such as NG'),
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
        Propose a correction
      </Button>
      <Modal opened={opened} onClose={close} title="Propose a correction">
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label="Client or PSP"
              description="Its id; a PSP means all its clients."
              placeholder={chosen?.pspId ?? 'cli_… or psp_…'}
              data-autofocus
              {...form.getInputProps('clientId')}
            />
            <TextInput label="Country taxed in" placeholder="NG" required {...form.getInputProps('countryCode')} />
            <Group grow align="flex-start">
              <TextInput label="First day" type="date" required {...form.getInputProps('from')} />
              <TextInput label="Last day" type="date" required {...form.getInputProps('to')} />
            </Group>
            <TextInput label="Tax rule" placeholder="Any" {...form.getInputProps('rule')} />
            <Textarea label="Reason" required autosize minRows={2} {...form.getInputProps('reason')} />
            <Button type="submit" loading={propose.isPending}>
              Propose
            </Button>
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
      (n) => notifications.show({ message: `Adjusted: ${n} transactions`, color: 'verdigris' }),
      (error) => {
        tellRefusal(error);
        throw error;
      },
    );
  return (
    <ConfirmButton label="Make it" size="xs" question={`Make the correction of ${subject}?`} onConfirm={confirm}>
      Each approved transaction of these days that the rules in force now tax otherwise gets an adjustment. To repeat it
      changes nothing.
    </ConfirmButton>
  );
}
