// Adding a passkey: its name, and the browser's own dialog.

import { Button, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { assay } from '../data/assay.ts';
import { told } from '../data/errors.ts';
import { say } from '../words/words.ts';

interface Props {
  /** Receives the recovery codes, if there were none before. The session was replaced. */
  readonly onDone: (recoveryCodes: readonly string[]) => void;
}

export function PasskeyForm({ onDone }: Props) {
  const [name, setName] = useState(say('This device'));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setRefusal('');
    try {
      const { makePasskey } = await import('../data/passkeys.ts');
      const passkey = await makePasskey();
      onDone((await assay.addPasskey({ name: name.trim() || say('Passkey'), passkey })).recoveryCodes);
    } catch (error) {
      setRefusal(told(error).sentence);
    } finally {
      setBusy(false);
    }
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={say('Name of the passkey')}
          description={say('So that you know it again, such as the device it is kept on.')}
          maxLength={100}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
        />
        {refusal ? (
          <Text c="var(--mantine-color-error)" size="sm" role="alert">
            {refusal}
          </Text>
        ) : null}
        <Button type="submit" variant="default" loading={busy} leftSection={<IconFingerprint size={18} aria-hidden />}>
          {say('Add a passkey')}
        </Button>
      </Stack>
    </form>
  );
}
