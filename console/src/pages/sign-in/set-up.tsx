// A second factor that is required must be set up before anything else is shown.
import { Anchor, Divider, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodesForm } from '../../components/codes-form.tsx';
import { PasskeyForm } from '../../components/passkey-form.tsx';
import { RecoveryCodes } from '../../components/recovery-codes.tsx';
import { useMe, useSession } from '../../data/session.tsx';
import { tellRefusal } from '../../data/use-do.ts';
import { Door } from './door.tsx';

export default function SetUp() {
  const { user } = useMe();
  const { signOut, refresh } = useSession();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Door title={codes ? 'Keep your recovery codes' : 'Set up a second factor'}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => refresh()} />
      ) : (
        <Stack>
          <Text size="sm" c="dimmed">
            {user.email} needs a second factor besides the password. Choose an authenticator app or a passkey.
          </Text>
          <CodesForm onDone={setCodes} />
          <Divider label="or" />
          <PasskeyForm onDone={setCodes} />
          <Anchor component="button" type="button" size="sm" onClick={() => signOut().catch(tellRefusal)}>
            Sign out
          </Anchor>
        </Stack>
      )}
    </Door>
  );
}
