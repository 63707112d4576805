// The current password and the new one twice; the service decides whether the new one is good enough.

import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { told } from '../data/errors.ts';
import { useSession } from '../data/session.tsx';
import { say } from '../words/words.ts';

/** Minimum length of a password; the service requires the same. */
const least = 12;

export function PasswordForm({ onDone }: { readonly onDone?: () => void }) {
  const { changePassword } = useSession();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const form = useForm({
    initialValues: { current: '', next: '', again: '' },
    validate: {
      current: (v) => (v === '' ? say('Type the password you signed in with') : null),
      next: (v) => (v.length < least ? say('At least {least} characters', { least }) : null),
      again: (v, all) => (v === all.next ? null : say('Not the same as above')),
    },
  });
  const field = (name: keyof typeof form.values) => ({
    ...form.getInputProps(name),
    'aria-invalid': name in form.errors,
  });
  const submit = form.onSubmit(async ({ current, next }) => {
    setBusy(true);
    setRefusal('');
    try {
      await changePassword(current, next);
      onDone?.();
    } catch (error) {
      setRefusal(told(error).sentence);
    } finally {
      setBusy(false);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <PasswordInput
          label={say('Current password')}
          autoComplete="current-password"
          autoFocus
          {...field('current')}
        />
        <PasswordInput
          label={say('New password')}
          description={say('At least {least} characters; a few words are best.', { least })}
          autoComplete="new-password"
          {...field('next')}
        />
        <PasswordInput label={say('New password again')} autoComplete="new-password" {...field('again')} />
        {refusal ? (
          <Text c="var(--mantine-color-error)" size="sm" role="alert">
            {refusal}
          </Text>
        ) : null}
        <Button type="submit" loading={busy}>
          {say('Change password')}
        </Button>
      </Stack>
    </form>
  );
}
