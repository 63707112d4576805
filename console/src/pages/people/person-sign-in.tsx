// How a person signs in, for administrators: their open sessions, a new password, and the second factor that they lost.

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { LiveSessions } from '../../components/live-sessions.tsx';
import { Problem } from '../../components/problem.tsx';
import type { Role } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { NewPassword } from './person-dialogs.tsx';

interface Person {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  readonly accountId: string;
  readonly secondFactor: boolean;
}

export function PersonSignIn({ person }: { readonly person: Person }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {say('Sign-in')}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={say('Sign-in of {name}', { name: person.name })} size="xl">
        {opened ? <SignInOf person={person} /> : null}
      </Modal>
    </>
  );
}

function SignInOf({ person }: { readonly person: Person }) {
  const { userId, name, secondFactor } = person;
  const sessions = useOp('listUserSessions', { userId }, { asOperator: true });
  const end = useDo('endUserSessions', { asOperator: true, done: say('The sessions have ended') });
  const reset = useDo('resetSecondFactor', { asOperator: true, done: say('The second factor is removed') });
  const items = sessions.data?.items ?? [];
  return (
    <Stack>
      {sessions.error ? <Problem error={sessions.error} retry={() => sessions.refetch()} /> : null}
      {items.length > 0 ? (
        <LiveSessions sessions={items} />
      ) : sessions.data ? (
        <Text size="sm" c="dimmed">
          {rich('{name} is not signed in anywhere.', { name })}
        </Text>
      ) : null}
      <Text size="sm">{secondFactor ? say('A second factor is set up.') : say('No second factor is set up.')}</Text>
      <Group gap="xs">
        <NewPassword person={person} />
        {items.length > 0 ? (
          <ConfirmButton
            label={say('End all sessions')}
            question={say('End all sessions of {name}?', { name })}
            reason="required"
            danger
            onConfirm={(reason) => end.mutateAsync({ userId, reason })}
          >
            {rich('{name} has to sign in again, and may.', { name })}
          </ConfirmButton>
        ) : null}
        {secondFactor ? (
          <ConfirmButton
            label={say('Reset second factor')}
            question={say('Remove every second factor of {name}?', { name })}
            reason="required"
            danger
            onConfirm={(reason) => reset.mutateAsync({ userId, reason })}
          >
            {rich(
              'For somebody who lost theirs. Make sure that it is {name} who asks: from then on the password alone lets in. Their sessions end.',
              { name },
            )}
          </ConfirmButton>
        ) : null}
      </Group>
    </Stack>
  );
}
