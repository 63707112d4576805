// The second step of a sign-in: a code, a recovery code or a passkey.

import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { told } from '../../data/errors.ts';
import { type SecondStep, useSession } from '../../data/session.tsx';
import { say } from '../../words/words.ts';
import { Door } from './door.tsx';
import { Refusal } from './refusal.tsx';

interface Props {
  readonly step: SecondStep;
  /** Back to e-mail and password. */
  readonly onBack: () => void;
}

export function SecondStepForm({ step, onBack }: Props) {
  const { completeSignIn } = useSession();
  const has = (method: SecondStep['methods'][number]) => step.methods.includes(method);
  const [recovering, setRecovering] = useState(!has('CODE') && !has('PASSKEY'));
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  async function attempt(proof: () => Promise<Omit<Parameters<typeof completeSignIn>[0], 'challenge'>>) {
    setBusy(true);
    setRefusal('');
    try {
      await completeSignIn({ challenge: step.challenge, ...(await proof()) });
    } catch (error) {
      setRefusal(told(error).sentence);
      setCode('');
      setBusy(false);
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (code.trim() !== '') void attempt(async () => ({ code: code.trim() }));
  }
  const byPasskey = () =>
    attempt(async () => ({ passkey: await (await import('../../data/passkeys.ts')).answerByPasskey() }));
  const typed = recovering || has('CODE');
  return (
    <Door title={say('Second step')}>
      <Stack>
        {has('PASSKEY') && !recovering ? (
          <Button
            size="md"
            variant={has('CODE') ? 'default' : 'filled'}
            leftSection={<IconFingerprint size={20} aria-hidden />}
            loading={busy}
            onClick={byPasskey}
            fullWidth
          >
            {say('Use a passkey')}
          </Button>
        ) : null}
        {typed ? (
          <form onSubmit={submit} noValidate>
            <Stack>
              <TextInput
                key={recovering ? 'recovery' : 'code'}
                label={recovering ? say('Recovery code') : say('Code')}
                description={
                  recovering
                    ? say('One of the codes that you kept when you set up the second factor. Each works once.')
                    : say('The six digits that your authenticator app shows.')
                }
                autoComplete="one-time-code"
                inputMode={recovering ? 'text' : 'numeric'}
                autoFocus
                size="md"
                value={code}
                onChange={(e) => setCode(e.currentTarget.value)}
              />
              <Refusal>{refusal}</Refusal>
              <Button type="submit" size="md" loading={busy} disabled={code.trim() === ''} fullWidth>
                {say('Sign in')}
              </Button>
            </Stack>
          </form>
        ) : (
          <Refusal>{refusal}</Refusal>
        )}
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            {say('Back')}
          </Anchor>
          {has('RECOVERY_CODE') && (has('CODE') || has('PASSKEY')) ? (
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => {
                setRecovering(!recovering);
                setCode('');
                setRefusal('');
              }}
            >
              {recovering ? say('Use another way') : say('Use a recovery code')}
            </Anchor>
          ) : null}
        </Group>
        <Text size="xs" c="dimmed">
          {say('If you have lost everything, an administrator can reset your second factor.')}
        </Text>
      </Stack>
    </Door>
  );
}
