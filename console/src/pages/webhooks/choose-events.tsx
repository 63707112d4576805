// Chooses the events an address receives: all, or some kinds.

import { Button, Checkbox, Modal, Stack, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { tagOf } from '../../data/assay.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { type EventType, typesFor, type Webhook } from './shown.tsx';

export function ChooseEvents({ webhook }: { readonly webhook: Webhook }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [all, setAll] = useState(true);
  const [some, setSome] = useState<string[]>([]);
  const [basedOn, setBasedOn] = useState<string>();
  const choose = useDo('setEventTypes', { basedOn, done: say('Event types chosen') });
  function start() {
    setAll(webhook.eventTypes.includes('*'));
    setSome(webhook.eventTypes.filter((t) => t !== '*'));
    setBasedOn(tagOf(webhook));
    open();
  }
  async function submit(event: FormEvent) {
    event.preventDefault();
    const chosen = all ? (['*'] as const) : (some as EventType[]);
    const done = await choose
      .mutateAsync({ webhookId: webhook.webhookId, eventTypes: [...chosen] })
      .catch(() => undefined);
    if (done) close();
  }
  return (
    <>
      <Button variant="default" onClick={start}>
        {say('Event types')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Event types')}>
        <form onSubmit={submit}>
          <Stack>
            <Switch
              label={say('Every event, also of kinds to come')}
              checked={all}
              onChange={(e) => setAll(e.currentTarget.checked)}
            />
            <Checkbox.Group label={say('Only these')} value={some} onChange={setSome}>
              <Stack gap="xs" mt="xs">
                {typesFor(webhook).map((t) => (
                  <Checkbox key={t} value={t} label={t} disabled={all} />
                ))}
              </Stack>
            </Checkbox.Group>
            <DialogActions
              label={say('Save')}
              busy={choose.isPending}
              onCancel={close}
              disabled={!all && some.length === 0}
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
