// Registering a client: the fields of registerClient, then its key and secret, shown once.

import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { closedByButton } from '../../components/closed-by-button.ts';
import { CountryChoice } from '../../components/country-choice.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ShownSecrets } from '../../components/shown-secrets.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

const classifications = [
  'ECOMM_LOCAL',
  'ECOMM_GLOBAL',
  'IGAMING_LOCAL',
  'IGAMING_GLOBAL',
  'CRYPTO_LOCAL',
  'CRYPTO_GLOBAL',
] as const;
type Classification = (typeof classifications)[number];

/** A select that was cleared has no value. */
const needed = (v: string | null) => (v?.trim() ? null : say('Needed'));

export function RegisterClient() {
  const [opened, { open, close }] = useDisclosure(false);
  const [secrets, setSecrets] = useState<readonly (readonly [string, string])[]>();
  const register = useDo('registerClient', { done: say('The client is registered') });
  const form = useForm({
    initialValues: {
      registeredName: '',
      registrationNumber: '',
      countryCode: '',
      email: '',
      phoneNumber: '',
      classification: 'ECOMM_LOCAL' as Classification,
      organizationTin: '',
    },
    validate: {
      registeredName: needed,
      registrationNumber: needed,
      countryCode: needed,
      email: (v) => (v.includes('@') ? null : say('An e-mail address')),
      phoneNumber: needed,
      organizationTin: needed,
    },
  });
  const done = () => {
    close();
    setSecrets(undefined);
    form.reset();
  };
  const submit = form.onSubmit(async (values) => {
    // The refusal has been shown; the input stays.
    const made = await register.mutateAsync(values).catch(() => undefined);
    if (made)
      setSecrets([
        [say('API key'), made.apiKey],
        [say('Signing secret'), made.secret],
      ]);
  });
  return (
    <>
      <Button onClick={open}>{say('Register a client')}</Button>
      <Modal opened={opened} onClose={done} title={say('Register a client')} {...closedByButton(secrets)}>
        {secrets ? (
          <Stack>
            <ShownSecrets secrets={secrets} />
            <Button onClick={done}>{say('I have kept them')}</Button>
          </Stack>
        ) : (
          <form onSubmit={submit} noValidate>
            <Stack>
              <TextInput
                label={say('Registered name')}
                required
                data-autofocus
                {...form.getInputProps('registeredName')}
              />
              <TextInput label={say('Registration number')} required {...form.getInputProps('registrationNumber')} />
              <Group grow align="flex-start">
                <CountryChoice {...form.getInputProps('countryCode')} />
                <Select
                  label={say('Classification')}
                  required
                  allowDeselect={false}
                  data={classifications.map((c) => ({ value: c, label: inWords(c) }))}
                  {...form.getInputProps('classification')}
                />
              </Group>
              <TextInput label={say('Tax identification number')} required {...form.getInputProps('organizationTin')} />
              <TextInput label={say('E-mail')} type="email" required {...form.getInputProps('email')} />
              <TextInput label={say('Telephone')} type="tel" required {...form.getInputProps('phoneNumber')} />
              <DialogActions label={say('Register')} busy={register.isPending} onCancel={done} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
