// Resolves a review: its outcome and the reason.
import { Button, Radio, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { useDo } from '../../data/use-do.ts';
import type { Review } from './state.tsx';

type Outcome = NonNullable<Review['outcome']>;

export function Resolve({ review: r }: { readonly review: Review }) {
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const [note, setNote] = useState('');
  const resolve = useDo('resolveReview', {
    done: (c) => (c.outcome === 'CLEARED' ? 'Resolved: nothing is wrong' : 'Resolved: something is wrong'),
    asOperator: true,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (outcome !== '') resolve.mutate({ reviewId: r.reviewId, outcome, note: note.trim() });
  }
  return (
    <Panel title="Resolve">
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <Radio.Group label="Outcome" value={outcome} onChange={(v) => setOutcome(v as Outcome)} required>
            <Stack gap={6} mt={6}>
              <Radio value="CLEARED" label="Cleared: nothing is wrong" />
              <Radio value="CONFIRMED" label="Confirmed: something is" />
            </Stack>
          </Radio.Group>
          <Textarea
            label="Why"
            description="Kept in the journal in clear: name no persons in it."
            required
            value={note}
            onChange={(e) => setNote(e.currentTarget.value)}
            maxLength={2000}
            autosize
            minRows={2}
            w="100%"
          />
          <Button type="submit" loading={resolve.isPending} disabled={outcome === '' || note.trim() === ''}>
            Resolve
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
