// Subscribes an address, for the PSP itself or for one of its clients.

import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { ClientSelect } from '../../components/client-select.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

export function Subscribe() {
  const [opened, { open, close }] = useDisclosure(false);
  const [url, setUrl] = useState('');
  const [clientId, setClientId] = useState<string | undefined>();
  const subscribe = useDo('subscribeToClient', { done: say('Subscribed'), clientId });
  async function submit(event: FormEvent) {
    event.preventDefault();
    const done = await subscribe.mutateAsync({ webhookUrl: url.trim() }).catch(() => undefined);
    if (!done) return;
    setUrl('');
    close();
  }
  return (
    <>
      <Button onClick={open}>{say('Subscribe an address')}</Button>
      <Modal opened={opened} onClose={close} title={say('Subscribe an address')}>
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={say('Address')}
              description={say('https, with a name that leads to public addresses only.')}
              type="url"
              placeholder="https://example.com/assay"
              required
              maxLength={2048}
              value={url}
              onChange={(e) => setUrl(e.currentTarget.value)}
              data-autofocus
            />
            <ClientSelect label={say('Client (none: the PSP itself)')} value={clientId} onChange={setClientId} />
            <Text size="sm" c="dimmed">
              {say(
                'Requests are signed with the webhook secret of the account. If nobody has it, “Rotate secret” on the page of the address shows a new one.',
              )}
            </Text>
            <DialogActions label={say('Subscribe')} busy={subscribe.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
