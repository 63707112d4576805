// Replays a period to an address: what failed, what it never received, or everything.

import { Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../components/form-dialog.tsx';
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
  return (
    <FormDialog
      label={say('Replay')}
      title={say('Replay a period')}
      button={{ variant: 'default' }}
      onSubmit={() =>
        replay.mutateAsync({ webhookId, since: utc(since), only, ...(until ? { until: utc(until) } : {}) })
      }
    >
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
    </FormDialog>
  );
}
