// Replays a period to an address: what failed, what it never received, or everything.
import { Button, Modal, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { day } from '../../data/now.ts';
import { useDo } from '../../data/use-do.ts';

const choices = [
  { value: 'failed', label: 'Failed', description: 'Deliveries whose attempts all failed are sent again.' },
  { value: 'missing', label: 'Missing', description: 'Events that were never sent to this address are sent.' },
  {
    value: 'all',
    label: 'All',
    description: 'Every event of the period is sent, including those that were delivered.',
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
    done: (c) => `${c.retried.toLocaleString('en')} tried again, ${c.added.toLocaleString('en')} added`,
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
        Replay
      </Button>
      <Modal opened={opened} onClose={close} title="Replay a period">
        <form onSubmit={submit}>
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput
                label="From (UTC)"
                type="datetime-local"
                required
                value={since}
                onChange={(e) => setSince(e.currentTarget.value)}
              />
              <TextInput
                label="To (UTC), or now"
                type="datetime-local"
                min={since}
                value={until}
                onChange={(e) => setUntil(e.currentTarget.value)}
              />
            </SimpleGrid>
            <Radio.Group label="Which events" value={only} onChange={(v) => setOnly(v as Only)}>
              <Stack gap="xs" mt="xs">
                {choices.map((c) => (
                  <Radio key={c.value} {...c} />
                ))}
              </Stack>
            </Radio.Group>
            <DialogActions label="Replay" busy={replay.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
