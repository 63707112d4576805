// Signing in with e-mail and password.
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { told } from '../../data/errors.ts';
import { useSession } from '../../data/session.tsx';
import { Door } from './door.tsx';

export default function SignIn() {
  const { signIn } = useSession();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: {
      email: (v) => (/^\S+@\S+$/.test(v.trim()) ? null : 'Type your e-mail address'),
      password: (v) => (v === '' ? 'Type your password' : null),
    },
  });
  const submit = form.onSubmit(async ({ email, password }) => {
    setBusy(true);
    setRefusal('');
    try {
      await signIn(email.trim(), password);
    } catch (error) {
      setRefusal(told(error).sentence);
      setBusy(false);
    }
  });
  return (
    <Door title="Sign in">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            autoFocus
            size="md"
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            size="md"
            {...form.getInputProps('password')}
          />
          {refusal ? (
            <Text c="var(--mantine-color-error)" size="sm" role="alert">
              {refusal}
            </Text>
          ) : null}
          <Button type="submit" size="md" loading={busy} fullWidth>
            Sign in
          </Button>
          <Text size="xs" c="dimmed">
            An administrator makes accounts and sets new passwords. The service prints the first password at its first
            start.
          </Text>
        </Stack>
      </form>
    </Door>
  );
}
