// Asks for the outcome of a review or case and why.

import { Button, Radio, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { say } from '../words/words.ts';
import { Panel } from './panel.tsx';

type Outcome = 'CLEARED' | 'CONFIRMED';

interface Props {
  readonly title: string;
  /** What becomes of the text, below its label. */
  readonly kept: string;
  readonly longest: number;
  readonly action: string;
  readonly pending: boolean;
  onSubmit(outcome: Outcome, note: string): void;
}

export function OutcomeForm({ title, kept, longest, action, pending, onSubmit }: Props) {
  const [outcome, setOutcome] = useState<Outcome | ''>('');
  const [note, setNote] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (outcome !== '') onSubmit(outcome, note.trim());
  }
  return (
    <Panel title={title}>
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <Radio.Group label={say('Outcome')} value={outcome} onChange={(v) => setOutcome(v as Outcome)} required>
            <Stack gap={6} mt={6}>
              <Radio value="CLEARED" label={say('Cleared: nothing is wrong')} />
              <Radio value="CONFIRMED" label={say('Confirmed: something is')} />
            </Stack>
          </Radio.Group>
          <Textarea
            label={say('Why')}
            description={kept}
            required
            value={note}
            onChange={(e) => setNote(e.currentTarget.value)}
            maxLength={longest}
            autosize
            minRows={2}
            w="100%"
          />
          <Button type="submit" loading={pending} disabled={outcome === '' || note.trim() === ''}>
            {action}
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
