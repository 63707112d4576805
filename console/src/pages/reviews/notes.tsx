// The notes on a review, oldest first, and a field to add one.

import { Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import type { Review } from './state.tsx';

interface Props {
  readonly review: Review;
  readonly writable: boolean;
  readonly actorOf: (actor: string) => string;
}

export function Notes({ review: r, writable, actorOf }: Props) {
  const [note, setNote] = useState('');
  const add = useDo('noteReview', { asOperator: true });
  async function submit(event: FormEvent) {
    event.preventDefault();
    // The hook has shown the refusal; the input stays.
    await add.mutateAsync({ reviewId: r.reviewId, note: note.trim() }).then(
      () => setNote(''),
      () => undefined,
    );
  }
  return (
    <Panel title={say('Notes')}>
      {r.notes.length > 0 ? (
        <Timeline
          label={say('Notes')}
          items={r.notes.map((n, i) => ({
            key: `${i}`,
            title: actorOf(n.by) === say('you') ? say('You') : actorOf(n.by),
            at: n.at,
            tone: 'note' as const,
            body: <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{n.text}</Text>,
          }))}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {say('There are no notes yet.')}
        </Text>
      )}
      {writable ? (
        <form onSubmit={(e) => void submit(e)}>
          <Stack gap="xs" mt="md" align="flex-start">
            <Textarea
              label={say('Another note')}
              description={say('Kept in the journal in clear: name no persons in it.')}
              value={note}
              onChange={(e) => setNote(e.currentTarget.value)}
              maxLength={2000}
              autosize
              minRows={2}
              w="100%"
            />
            <Button type="submit" variant="default" size="xs" disabled={note.trim() === ''} loading={add.isPending}>
              {say('Add note')}
            </Button>
          </Stack>
        </form>
      ) : null}
    </Panel>
  );
}
