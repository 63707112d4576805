// Signing in: e-mail and password, then the second factor where there is one; a passkey
// alone; or a provider.

import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFingerprint } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { told } from '../../data/errors.ts';
import { history } from '../../data/psp-address.ts';
import { type SecondStep, useSession } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { Door } from './door.tsx';
import { Refusal } from './refusal.tsx';
import { SecondStepForm } from './second-step.tsx';

export default function SignIn() {
  const [second, setSecond] = useState<SecondStep>();
  return second ? (
    <SecondStepForm step={second} onBack={() => setSecond(undefined)} />
  ) : (
    <FirstStep onSecond={setSecond} />
  );
}

const isSecondStep = (answer: unknown): answer is SecondStep =>
  typeof answer === 'object' && answer !== null && 'challenge' in answer;

const mayUsePasskeys = 'PublicKeyCredential' in globalThis;

function FirstStep({ onSecond }: { readonly onSecond: (step: SecondStep) => void }) {
  const { session, ended, signIn, signInWithPasskey, finishAtProvider } = useSession();
  const providers = useOp('listSignInProviders', {}, { asOperator: true });
  const isBack = history.location.pathname.endsWith('/sign-in/provider');
  const [busy, setBusy] = useState<string | undefined>(isBack ? 'provider' : undefined);
  const [refusal, setRefusal] = useState('');
  const [beside, setBeside] = useState(false);
  const form = useForm({
    initialValues: { email: session?.user.email ?? '', password: '' },
    validate: {
      email: (v) => (/^\S+@\S+$/.test(v.trim()) ? null : say('Type your e-mail address')),
      password: (v) => (v === '' ? say('Type your password') : null),
    },
  });
  async function attempt(by: string, work: () => Promise<unknown>) {
    setBusy(by);
    setRefusal('');
    try {
      const second = await work();
      if (isSecondStep(second)) onSecond(second);
      if (by === 'provider') setBusy(undefined);
    } catch (error) {
      setRefusal(told(error).sentence);
      setBusy(undefined);
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the provider has led back here
  useEffect(() => {
    if (isBack) void attempt('provider', finishAtProvider);
  }, []);
  /** What was typed here stays only if this page does: the provider is visited in another tab, opened by the click. */
  function leave(provider: string) {
    const tab = ended ? window.open() : window;
    return attempt(provider, async () => {
      await (await import('../../data/provider-sign-in.ts')).leaveFor(provider, tab);
      if (!ended) return;
      setBeside(true);
      setBusy(undefined);
    });
  }
  const submit = form.onSubmit(({ email, password }) => attempt('password', () => signIn(email.trim(), password)));
  return (
    <Door title={say('Sign in')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {ended ? (
            <Text size="sm" role="status">
              {beside
                ? say('Sign in in the tab that has opened, and come back to this one: what you typed is still there.')
                : say('Your session has ended. Sign in again to go on where you were: what you typed is still there.')}
            </Text>
          ) : null}
          <TextInput
            label={say('E-mail')}
            type="email"
            autoComplete="username"
            autoFocus={!ended}
            size="md"
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={say('Password')}
            autoComplete="current-password"
            autoFocus={ended}
            size="md"
            {...form.getInputProps('password')}
          />
          <Refusal>{refusal}</Refusal>
          <Button type="submit" size="md" loading={busy === 'password'} fullWidth>
            {say('Sign in')}
          </Button>
          {mayUsePasskeys || providers.data?.items.length ? <Divider label={say('or')} /> : null}
          {providers.data?.items.map((p) => (
            <Button
              key={p.provider}
              variant="default"
              size="md"
              loading={busy === p.provider}
              disabled={busy !== undefined && busy !== p.provider}
              onClick={() => leave(p.provider)}
              fullWidth
            >
              {rich('Continue with {label}', { label: p.label })}
            </Button>
          ))}
          {mayUsePasskeys ? (
            <Button
              variant="default"
              size="md"
              leftSection={<IconFingerprint size={20} aria-hidden />}
              loading={busy === 'passkey'}
              onClick={() => attempt('passkey', signInWithPasskey)}
              fullWidth
            >
              {say('Use a passkey')}
            </Button>
          ) : null}
          <Text size="xs" c="dimmed">
            {say(
              'An administrator makes accounts and sets new passwords. The service prints the first password at its first start.',
            )}
          </Text>
        </Stack>
      </form>
    </Door>
  );
}
