// Setting up an authenticator app: a picture to scan, or the secret to type, and the first code.

import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { assay, type Content } from '../data/assay.ts';
import { told } from '../data/errors.ts';
import { say } from '../words/words.ts';
import { QrCode } from './qr-code.tsx';

interface Props {
  /** Receives the recovery codes. The session was replaced. */
  readonly onDone: (recoveryCodes: readonly string[]) => unknown;
}

const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

export function CodesForm({ onDone }: Props) {
  const [begun, setBegun] = useState<Content<'startCodes'>>();
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  async function attempt(work: () => Promise<void>) {
    setBusy(true);
    setRefusal('');
    try {
      await work();
    } catch (error) {
      setRefusal(told(error).sentence);
    } finally {
      setBusy(false);
    }
  }
  const start = () => attempt(async () => setBegun(await assay.startCodes({})));
  function confirm(event: FormEvent) {
    event.preventDefault();
    if (!begun || code.trim() === '') return;
    const { setUp } = begun;
    void attempt(async () => {
      onDone((await assay.confirmCodes({ setUp, code: code.trim() })).recoveryCodes);
    });
  }
  const alert = refusal ? (
    <Text c="var(--mantine-color-error)" size="sm" role="alert">
      {refusal}
    </Text>
  ) : null;
  if (!begun)
    return (
      <Stack>
        {alert}
        <Button onClick={start} loading={busy} style={{ alignSelf: 'flex-start' }}>
          {say('Set up an authenticator app')}
        </Button>
      </Stack>
    );
  return (
    <form onSubmit={confirm} noValidate>
      <Stack maw="30rem">
        <Text size="sm">{say('Scan this with an authenticator app, then type the code that it shows.')}</Text>
        <Group align="flex-start" wrap="wrap">
          <QrCode text={begun.address} label={say('QR code with the secret for an authenticator app')} size={180} />
          <Stack gap={4} style={{ flex: 1, minWidth: '12rem' }}>
            <Text size="xs" c="dimmed">
              {say('If you cannot scan it, type this secret:')}
            </Text>
            <Code block style={{ whiteSpace: 'pre-wrap' }}>
              {inGroups(begun.secret)}
            </Code>
          </Stack>
        </Group>
        <TextInput
          label={say('Code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          value={code}
          onChange={(e) => setCode(e.currentTarget.value)}
        />
        {alert}
        <Button type="submit" loading={busy} disabled={code.trim() === ''}>
          {say('Confirm')}
        </Button>
      </Stack>
    </form>
  );
}
