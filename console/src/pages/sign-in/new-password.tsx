// A one-time password must be changed before anything else is shown.

import { Anchor, Stack, Text } from '@mantine/core';
import { PasswordForm } from '../../components/password-form.tsx';
import { useMe, useSession } from '../../data/session.tsx';
import { tellRefusal } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { Door } from './door.tsx';

export default function NewPassword() {
  const { user } = useMe();
  const { signOut } = useSession();
  return (
    <Door title={say('Choose a password')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {rich('{email} was given a password that serves once. Choose one of your own to go on.', {
            email: user.email,
          })}
        </Text>
        <PasswordForm />
        <Anchor component="button" type="button" size="sm" onClick={() => signOut().catch(tellRefusal)}>
          {say('Sign out')}
        </Anchor>
      </Stack>
    </Door>
  );
}
