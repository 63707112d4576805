// A second factor that is required must be set up before anything else is shown.

import { Anchor, Divider, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodesForm } from '../../components/codes-form.tsx';
import { PasskeyForm } from '../../components/passkey-form.tsx';
import { RecoveryCodes } from '../../components/recovery-codes.tsx';
import { useMe, useSession } from '../../data/session.tsx';
import { tellRefusal } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { Door } from './door.tsx';

export default function SetUp() {
  const { user } = useMe();
  const { signOut, refresh } = useSession();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Door title={codes ? say('Keep your recovery codes') : say('Set up a second factor')}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => refresh()} />
      ) : (
        <Stack>
          <Text size="sm" c="dimmed">
            {rich('{email} needs a second factor besides the password. Choose an authenticator app or a passkey.', {
              email: user.email,
            })}
          </Text>
          <CodesForm onDone={setCodes} />
          <Divider label={say('or')} />
          <PasskeyForm onDone={setCodes} />
          <Anchor component="button" type="button" size="sm" onClick={() => signOut().catch(tellRefusal)}>
            {say('Sign out')}
          </Anchor>
        </Stack>
      )}
    </Door>
  );
}
