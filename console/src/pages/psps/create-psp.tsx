// Creating a PSP, and its key and signing secret, shown once.

import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { closedByButton } from '../../components/closed-by-button.ts';
import { CountryChoice } from '../../components/country-choice.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ShownSecrets } from '../../components/shown-secrets.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

/** A select that was cleared has no value. */
const needed = (v: string | null) => (v?.trim() ? null : say('Needed'));

export function CreatePsp() {
  const [opened, { open, close }] = useDisclosure(false);
  const [secrets, setSecrets] = useState<readonly (readonly [string, string])[]>();
  const create = useDo('createPsp', { asOperator: true, done: say('The PSP is created') });
  const form = useForm({
    initialValues: { name: '', countryCode: '' },
    validate: {
      name: needed,
      countryCode: needed,
    },
  });
  const done = () => {
    close();
    setSecrets(undefined);
    form.reset();
  };
  const submit = form.onSubmit(async (values) => {
    // The refusal has been shown; the input stays.
    const made = await create.mutateAsync(values).catch(() => undefined);
    if (made)
      setSecrets([
        [say('API key'), made.apiKey],
        [say('Signing secret'), made.secret],
      ]);
  });
  return (
    <>
      <Button onClick={open}>{say('Create a PSP')}</Button>
      <Modal opened={opened} onClose={done} title={say('Create a PSP')} {...closedByButton(secrets)}>
        {secrets ? (
          <Stack>
            <ShownSecrets secrets={secrets} />
            <Button onClick={done}>{say('I have kept them')}</Button>
          </Stack>
        ) : (
          <form onSubmit={submit} noValidate>
            <Stack>
              <TextInput label={say('Name')} required data-autofocus {...form.getInputProps('name')} />
              <CountryChoice {...form.getInputProps('countryCode')} />
              <DialogActions label={say('Create')} busy={create.isPending} onCancel={done} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
