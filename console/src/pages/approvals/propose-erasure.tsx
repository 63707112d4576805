// Proposes the erasure of a person. What the person is known by is sent, and kept only as keyed hashes.

import { Button, Modal, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { usePsp } from '../../data/psp.tsx';
import { useChosenPsp } from '../../data/psps.ts';
import { usePropose } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

const kinds = /^(email|phone|client|address):.+$/;

export const readSubjects = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const areSubjects = (text: string): string | null => {
  const subjects = readSubjects(text);
  if (subjects.length === 0) return say('Needed');
  return subjects.every((s) => kinds.test(s)) ? null : say('Each line begins with email:, phone:, client: or address:');
};

export const subjectsHelp = say(
  'One a line: email:, phone: (with + and the country code), client: (its id) or address:, and the value. Give all that the person is known by.',
);

export function ProposeErasure() {
  const [opened, { open, close }] = useDisclosure(false);
  const { isOperator } = usePsp();
  const chosen = useChosenPsp();
  const propose = usePropose();
  const form = useForm({
    initialValues: { subjects: '', reason: '' },
    validate: { subjects: areSubjects, reason: (v) => (v.trim() ? null : say('Needed')) },
  });
  const submit = form.onSubmit(async ({ subjects, reason }) => {
    const erasure = { subjects: readSubjects(subjects), ...(chosen ? { pspId: chosen.pspId } : {}) };
    const made = await propose.mutateAsync({ reason: reason.trim(), erasure }).catch(() => undefined);
    if (!made) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={open}
        disabled={isOperator && !chosen}
        title={isOperator && !chosen ? say('Choose a PSP first') : undefined}
      >
        {say('Propose an erasure')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Propose the erasure of a person')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Textarea
              label={say('Known by')}
              description={subjectsHelp}
              placeholder="email:ada@example.com"
              required
              autosize
              minRows={3}
              data-autofocus
              {...form.getInputProps('subjects')}
            />
            <ReasonField
              description={say('Kept in the journal: name nobody in it.')}
              {...form.getInputProps('reason')}
            />
            <DialogActions label={say('Propose')} busy={propose.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
