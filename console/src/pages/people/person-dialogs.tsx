// Dialogs about a person: adding one, changing the role, issuing a new one-time password.

import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { closedByButton } from '../../components/closed-by-button.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { ShownSecrets } from '../../components/shown-secrets.tsx';
import { isIdOf } from '../../data/id-kind.ts';
import { type Role, useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

const administrator = { value: 'administrator', label: say('Administrator') } as const;
const roles: readonly { value: Role; label: string }[] = [
  administrator,
  { value: 'reviewer', label: say('Reviewer') },
  { value: 'auditor', label: say('Auditor (read only)') },
];
const rolesOfClients: readonly { value: Role; label: string }[] = [
  administrator,
  { value: 'member', label: say('Member (read only)') },
];
const rolesIn = (accountId: string) => (isIdOf('client', accountId) ? rolesOfClients : roles);

interface Person {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  readonly accountId: string;
}

/**
 * @param clientId lets somebody of this account in; without it, of the account of the person who asks
 * @param reads whether its people only look, as those of an authority
 */
export function AddPerson({ clientId, reads = false }: { readonly clientId?: string; readonly reads?: boolean }) {
  const { account } = useMe();
  const offered = rolesIn(clientId ?? account.accountId).filter((r) => !reads || r.value === 'auditor');
  const [opened, dialog] = useDisclosure(false);
  const [password, setPassword] = useState('');
  const create = useDo('createUser', { asOperator: true });
  const form = useForm({
    initialValues: { email: '', name: '', role: offered.at(-1)?.value as Role },
    validate: {
      email: (v) => (v.includes('@') ? null : say('An e-mail address')),
      name: (v) => (v.trim() ? null : say('Needed')),
    },
  });
  const done = () => {
    dialog.close();
    setPassword('');
    form.reset();
  };
  const submit = form.onSubmit(async (values) => {
    const made = await create
      .mutateAsync({ ...values, ...(clientId ? { accountId: clientId } : {}) })
      .catch(() => undefined);
    if (made) setPassword(made.password);
  });
  return (
    <>
      <Button onClick={dialog.open}>{say('Add a person')}</Button>
      <Modal opened={opened} onClose={done} title={say('Add a person')} {...closedByButton(password)}>
        {password ? (
          <Stack>
            <ShownSecrets secrets={[[say('One-time password'), password]]} />
            <Button onClick={done}>{say('I have passed it on')}</Button>
          </Stack>
        ) : (
          <form onSubmit={submit} noValidate>
            <Stack>
              <TextInput label={say('Name')} required data-autofocus {...form.getInputProps('name')} />
              <TextInput label={say('E-mail')} type="email" required {...form.getInputProps('email')} />
              <Select label={say('Role')} allowDeselect={false} data={offered} {...form.getInputProps('role')} />
              <DialogActions label={say('Add')} busy={create.isPending} onCancel={done} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

export function SetRole({ person }: { readonly person: Person }) {
  const [opened, dialog] = useDisclosure(false);
  const set = useDo('setUserRole', { asOperator: true, done: say('The role is changed') });
  const form = useForm({
    initialValues: { role: person.role, reason: '' },
    validate: { reason: (v) => (v.trim() ? null : say('Needed')) },
  });
  const open = () => {
    // The role may be another one than when the page was opened.
    form.setValues({ role: person.role, reason: '' });
    dialog.open();
  };
  const submit = form.onSubmit(async ({ role, reason }) => {
    const done = await set.mutateAsync({ userId: person.userId, role, reason: reason.trim() }).catch(() => undefined);
    if (done) dialog.close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Role')}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={say('Role of {name}', { name: person.name })}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Select
              label={say('Role')}
              allowDeselect={false}
              data={rolesIn(person.accountId)}
              {...form.getInputProps('role')}
            />
            <ReasonField {...form.getInputProps('reason')} />
            <DialogActions label={say('Change role')} busy={set.isPending} onCancel={dialog.close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}

export function NewPassword({ person }: { readonly person: Person }) {
  const [password, setPassword] = useState('');
  const reset = useDo('resetPassword', { asOperator: true });
  return (
    <>
      <ConfirmButton
        label={say('New password')}
        question={say('Give {name} a new one-time password?', { name: person.name })}
        reason="required"
        onConfirm={async (reason) => setPassword((await reset.mutateAsync({ userId: person.userId, reason })).password)}
      >
        {say('The old one stops working, and sessions of this person end.')}
      </ConfirmButton>
      <Modal
        opened={password !== ''}
        onClose={() => setPassword('')}
        title={say('New password')}
        {...closedByButton(true)}
      >
        <Stack>
          <ShownSecrets secrets={[[say('One-time password'), password]]} />
          <Button onClick={() => setPassword('')}>{say('I have passed it on')}</Button>
        </Stack>
      </Modal>
    </>
  );
}
