// Says that a suspicious transaction report was sent: when, and under which reference the intelligence unit has it.

import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { isDay } from '../../data/days.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

interface Props {
  readonly caseId: string;
  readonly fileId: string;
  readonly name: string;
}

export function ReportSent({ caseId, fileId, name }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const mark = useDo('markStrSent', { asOperator: true, done: say('Noted as sent') });
  const form = useForm({
    initialValues: { sentOn: '', reference: '' },
    validate: {
      sentOn: (v) => (isDay(v) ? null : say('A day, such as 2026-11-26')),
      reference: (v) => (v.trim() ? null : say('Needed')),
    },
  });
  const submit = form.onSubmit(async ({ sentOn, reference }) => {
    const sent = await mark.mutateAsync({ caseId, fileId, sentOn, reference: reference.trim() }).catch(() => undefined);
    if (sent) close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('It was sent')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('When was {name} sent?', { name })}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text size="sm">{say('Sending it to the intelligence unit is yours; here it is noted.')}</Text>
            <TextInput label={say('Sent on')} placeholder="2026-11-26" required {...form.getInputProps('sentOn')} />
            <TextInput
              label={say('Reference of the intelligence unit')}
              description={say('Sealed with the case.')}
              required
              maxLength={200}
              {...form.getInputProps('reference')}
            />
            <DialogActions label={say('Note it')} busy={mark.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
