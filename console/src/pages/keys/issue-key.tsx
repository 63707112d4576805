// Issues a key: its purpose, mode and scopes. The key is shown once.

import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { closedByButton } from '../../components/closed-by-button.ts';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ShownSecrets } from '../../components/shown-secrets.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { ScopeBoxes } from './scope-boxes.tsx';
import { type Scope, scopeChoices } from './scopes.ts';

export function IssueKey({ clientId }: { readonly clientId: string | undefined }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [secret, setSecret] = useState('');
  const issue = useDo('issueOwnKey', { clientId });
  const form = useForm({
    initialValues: { name: '', mode: 'live' as 'live' | 'test', scopes: scopeChoices.map((c) => c.value) as Scope[] },
    validate: {
      name: (v) => (v.trim() ? null : say('Needed')),
      scopes: (v) => (v.length > 0 ? null : say('Choose at least one')),
    },
  });
  const done = () => {
    close();
    setSecret('');
    form.reset();
  };
  const submit = form.onSubmit(async ({ name, mode, scopes }) => {
    const made = await issue.mutateAsync({ name: name.trim(), mode, scopes }).catch(() => undefined);
    if (made) setSecret(made.apiKey);
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Issue a key')}
      </Button>
      <Modal opened={opened} onClose={done} title={say('Issue a key')} {...closedByButton(secret)}>
        {secret ? (
          <Stack>
            <ShownSecrets secrets={[[say('API key'), secret]]} />
            <Button onClick={done}>{say('I have kept it')}</Button>
          </Stack>
        ) : (
          <form onSubmit={submit} noValidate>
            <Stack>
              <TextInput
                label={say('What it is for')}
                placeholder={say('checkout server')}
                required
                data-autofocus
                {...form.getInputProps('name')}
              />
              <Select
                label={say('Mode')}
                description={say(
                  'What a test key records is apart from live records, and its refs can force outcomes.',
                )}
                allowDeselect={false}
                data={[
                  { value: 'live', label: say('Live') },
                  { value: 'test', label: say('Test') },
                ]}
                {...form.getInputProps('mode')}
              />
              <ScopeBoxes {...form.getInputProps('scopes')} />
              <DialogActions label={say('Issue')} busy={issue.isPending} onCancel={done} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
