// Replays a period to an address: what failed, what it never received, or everything.

import { Button, Modal, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { day } from '../../data/now.ts';
import { useDo } from '../../data/use-do.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';

const choices = [
  { value: 'failed', label: say('Failed'), description: say('Deliveries whose attempts all failed are sent again.') },
  {
    value: 'missing',
    label: say('Missing'),
    description: say('Events that were never sent to this address are sent.'),
  },
  {
    value: 'all',
    label: say('All'),
    description: say('Every event of the period is sent, including those that were delivered.'),
  },
] as const;

type Only = (typeof choices)[number]['value'];

const utc = (local: string) => `${local}:00Z`;

export function Replay({ webhookId }: { readonly webhookId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [since, setSince] = useState(`${day(1)}T00:00`);
  const [until, setUntil] = useState('');
  const [only, setOnly] = useState<Only>('failed');
  const replay = useDo('replayWebhook', {
    done: (c) =>
      say('{retried} tried again, {added} added', {
        retried: c.retried.toLocaleString(locale),
        added: c.added.toLocaleString(locale),
      }),
  });
  async function submit(event: FormEvent) {
    event.preventDefault();
    const done = await replay
      .mutateAsync({ webhookId, since: utc(since), only, ...(until ? { until: utc(until) } : {}) })
      .catch(() => undefined);
    if (done) close();
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        {say('Replay')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Replay a period')}>
        <form onSubmit={submit}>
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput
                label={say('From (UTC)')}
                type="datetime-local"
                required
                value={since}
                onChange={(e) => setSince(e.currentTarget.value)}
              />
              <TextInput
                label={say('To (UTC), or now')}
                type="datetime-local"
                min={since}
                value={until}
                onChange={(e) => setUntil(e.currentTarget.value)}
              />
            </SimpleGrid>
            <Radio.Group label={say('Which events')} value={only} onChange={(v) => setOnly(v as Only)}>
              <Stack gap="xs" mt="xs">
                {choices.map((c) => (
                  <Radio key={c.value} {...c} />
                ))}
              </Stack>
            </Radio.Group>
            <DialogActions label={say('Replay')} busy={replay.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
