// Creates a login of the file drop, with a password that is shown once, a key, or both.

import { Button, Checkbox, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ClientSelect } from '../../components/client-select.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ShownOnceDialog } from '../../components/shown-once-dialog.tsx';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';

export function CreateLogin() {
  const [opened, { open, close }] = useDisclosure(false);
  const [clientId, setClientId] = useState<string | undefined>();
  const [made, setMade] = useState<{ username: string; password: string | null }>();
  const create = useDo('createSftpCredentials', {
    done: (l) => say('{username} is created', { username: l.username }),
    clientId,
  });
  const form = useForm({
    initialValues: { name: '', publicKey: '', password: true },
    validate: { name: (v) => (v.trim() === '' ? say('Say what it is for') : null) },
  });
  const submit = form.onSubmit(async ({ name, publicKey, password }) => {
    const key = publicKey.trim();
    const done = await create
      .mutateAsync({ name: name.trim(), ...(key ? { publicKey: key, password } : {}) })
      .catch(() => undefined);
    if (!done) return;
    form.reset();
    close();
    setMade(done);
  });
  return (
    <>
      <Button onClick={open}>{say('Create a login')}</Button>
      <Modal opened={opened} onClose={close} title={say('Create a login')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={say('What it is for')}
              placeholder={say('billing system')}
              required
              maxLength={100}
              data-autofocus
              {...form.getInputProps('name')}
            />
            <ClientSelect label={say('Client (none: the PSP itself)')} value={clientId} onChange={setClientId} />
            <Textarea
              label={say('Public key')}
              description={say('One line, as in authorized_keys. Without one the login has a password.')}
              autosize
              minRows={2}
              {...form.getInputProps('publicKey')}
            />
            {form.values.publicKey.trim() ? (
              <Checkbox label={say('A password too')} {...form.getInputProps('password', { type: 'checkbox' })} />
            ) : null}
            <DialogActions label={say('Create')} busy={create.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
      <ShownOnceDialog
        title={say('The new password')}
        name={say('Password')}
        value={made?.password}
        onClose={() => setMade(undefined)}
      >
        {rich('User name: {username}', { username: made?.username })}
      </ShownOnceDialog>
    </>
  );
}
