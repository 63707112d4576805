// A new secret for an account's webhooks, shown once; the old one stays valid for some hours.

import { Button, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ShownOnceDialog } from '../../components/shown-once-dialog.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { isIdOf } from '../../data/id-kind.ts';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';

export function RotateSecret({ accountId }: { readonly accountId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [hours, setHours] = useState<number | string>(24);
  const [made, setMade] = useState<{ secret: string; previousUntil: string | null }>();
  const rotate = useDo('rotateSecret', { clientId: isIdOf('client', accountId) ? accountId : undefined });
  async function submit(event: FormEvent) {
    event.preventDefault();
    const done = await rotate.mutateAsync({ graceHours: Number(hours) }).catch(() => undefined);
    if (!done) return;
    close();
    setMade(done);
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        {say('Rotate secret')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Rotate the webhook secret?')}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              {say(
                'It signs what is sent to every address of this account. Until the old one ends, requests carry a signature by each.',
              )}
            </Text>
            <NumberInput
              label={say('Hours the old secret stays good')}
              min={0}
              max={168}
              allowDecimal={false}
              required
              value={hours}
              onChange={setHours}
              data-autofocus
            />
            <DialogActions label={say('Rotate secret')} busy={rotate.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
      <ShownOnceDialog
        title={say('The new secret')}
        name={say('Webhook secret')}
        value={made?.secret}
        onClose={() => setMade(undefined)}
      >
        {made?.previousUntil
          ? rich('The old one stays good until {previousUntil}.', {
              previousUntil: <Stamp at={made.previousUntil} />,
            })
          : say('The old one is no longer used.')}
      </ShownOnceDialog>
    </>
  );
}
