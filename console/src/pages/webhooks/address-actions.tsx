// Actions on an address: test, replay, pause and resume, events, secret, delete.

import { Button, Group } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { ChooseEvents } from './choose-events.tsx';
import { Replay } from './replay.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import type { Webhook } from './shown.tsx';

const withReason = (reason: string) => (reason ? { reason } : {});

export function AddressActions({ webhook, onDeleted }: { readonly webhook: Webhook; readonly onDeleted: () => void }) {
  const { webhookId, state } = webhook;
  const test = useDo('testWebhook', { done: say('A test event is on its way') });
  const pause = useDo('pauseWebhook', { done: say('Paused') });
  const resume = useDo('resumeWebhook', { done: say('Resumed') });
  const remove = useDo('deleteWebhook', { done: say('Deleted') });
  return (
    <Group gap="xs">
      <Button onClick={() => test.mutate({ webhookId })} loading={test.isPending}>
        {say('Send a test')}
      </Button>
      <Replay webhookId={webhookId} />
      {state === 'ACTIVE' ? (
        <ConfirmButton
          label={say('Pause')}
          question={say('Pause this address?')}
          reason="optional"
          onConfirm={(reason) => pause.mutateAsync({ webhookId, ...withReason(reason) })}
        >
          {say('Its events are held, and delivered in order when it is resumed.')}
        </ConfirmButton>
      ) : (
        <ConfirmButton
          label={say('Resume')}
          question={say('Resume this address?')}
          reason="optional"
          onConfirm={(reason) => resume.mutateAsync({ webhookId, ...withReason(reason) })}
        >
          {say('What was held meanwhile is delivered first.')}
        </ConfirmButton>
      )}
      <ChooseEvents webhook={webhook} />
      <RotateSecret accountId={webhook.clientId} />
      <ConfirmButton
        label={say('Delete')}
        question={say('Delete this address?')}
        reason="optional"
        danger
        onConfirm={async (reason) => {
          await remove.mutateAsync({ webhookId, ...withReason(reason) });
          onDeleted();
        }}
      >
        {say('It gets no further event, and what waits for it is cancelled. Its deliveries stay to be looked at.')}
      </ConfirmButton>
    </Group>
  );
}
