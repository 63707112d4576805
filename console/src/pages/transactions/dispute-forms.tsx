// The dialogs that dispute a chargeback and send evidence for it.

import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { ReasonField } from '../../components/reason-field.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

const needed = (v: string) => (v.trim() ? null : say('Needed'));

export function OpenDispute({ chargebackId }: { readonly chargebackId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const dispute = useDo('openDispute', { done: say('The chargeback is disputed') });
  const form = useForm({ initialValues: { reason: '', due: '' }, validate: { reason: needed, due: needed } });
  const submit = form.onSubmit(async ({ reason, due }) => {
    const asked = { chargebackId, reason: reason.trim(), evidenceDueAt: `${due}T23:59:59Z` };
    if (await dispute.mutateAsync(asked).catch(() => undefined)) close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Dispute it')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Dispute the chargeback')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <ReasonField label={say('Why the chargeback is wrong')} data-autofocus {...form.getInputProps('reason')} />
            <TextInput
              type="date"
              label={say('Last day for evidence (UTC)')}
              description={say('As the card scheme or the bank says')}
              required
              {...form.getInputProps('due')}
            />
            <Button type="submit" loading={dispute.isPending}>
              {say('Dispute it')}
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

export function SendEvidence({ disputeId }: { readonly disputeId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const send = useDo('sendDisputeEvidence', { done: say('The evidence is recorded') });
  const form = useForm({ initialValues: { text: '', documents: '' }, validate: { text: needed } });
  const submit = form.onSubmit(async ({ text, documents }) => {
    const named = documents.split('\n').flatMap((d) => d.trim() || []);
    if (!(await send.mutateAsync({ disputeId, text: text.trim(), documents: named }).catch(() => undefined))) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Add evidence')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Add evidence')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <ReasonField
              label={say('What it shows')}
              description={say('Do not name people in it.')}
              data-autofocus
              {...form.getInputProps('text')}
            />
            <Textarea
              label={say('Documents')}
              description={say('Names or addresses, one on each line')}
              autosize
              minRows={2}
              {...form.getInputProps('documents')}
            />
            <Button type="submit" loading={send.isPending}>
              {say('Add evidence')}
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
