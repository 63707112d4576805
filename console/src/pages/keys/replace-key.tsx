// Replaces a key: a new one with the same scopes is shown once, and the former one works for a while longer.

import { Button, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { closedByButton } from '../../components/closed-by-button.ts';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ShownSecrets } from '../../components/shown-secrets.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

export function ReplaceKey({ keyId, name }: { readonly keyId: string; readonly name: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [secret, setSecret] = useState('');
  const [hours, setHours] = useState<number | string>(24);
  const rotate = useDo('rotateOwnKey');
  const done = () => {
    close();
    setSecret('');
  };
  async function submit(event: FormEvent) {
    event.preventDefault();
    const made = await rotate.mutateAsync({ keyId, graceHours: Number(hours) }).catch(() => undefined);
    if (made) setSecret(made.apiKey);
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Replace')}
      </Button>
      <Modal opened={opened} onClose={done} title={say('Replace the key {name}', { name })} {...closedByButton(secret)}>
        {secret ? (
          <Stack>
            <ShownSecrets secrets={[[say('API key'), secret]]} />
            <Button onClick={done}>{say('I have kept it')}</Button>
          </Stack>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <Text size="sm">{say('The new key may do what this one may, and is valid for as long a time.')}</Text>
              <NumberInput
                label={say('Hours for which the former key still works')}
                min={0}
                max={8784}
                allowDecimal={false}
                required
                value={hours}
                onChange={setHours}
              />
              <DialogActions label={say('Replace')} busy={rotate.isPending} onCancel={done} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
