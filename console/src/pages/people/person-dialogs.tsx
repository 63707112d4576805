// Dialogs about a person: adding one, changing the role, issuing a new one-time password.
import { Button, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ShownSecrets } from '../../components/shown-secrets.tsx';
import { type Role, useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';

const administrator = { value: 'administrator', label: 'Administrator' } as const;
const roles: readonly { value: Role; label: string }[] = [
  administrator,
  { value: 'reviewer', label: 'Reviewer' },
  { value: 'auditor', label: 'Auditor (read only)' },
];
const rolesOfClients: readonly { value: Role; label: string }[] = [
  administrator,
  { value: 'member', label: 'Member (read only)' },
];
const rolesIn = (accountId: string) => (accountId.startsWith('cli_') ? rolesOfClients : roles);

interface Person {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  readonly accountId: string;
}

/** @param clientId lets somebody of this client in; without it, of the account of whoever asks */
export function AddPerson({ clientId }: { readonly clientId?: string }) {
  const { account } = useMe();
  const offered = rolesIn(clientId ?? account.accountId);
  const [opened, dialog] = useDisclosure(false);
  const [password, setPassword] = useState('');
  const create = useDo('createUser', { asOperator: true });
  const form = useForm({
    initialValues: { email: '', name: '', role: offered.at(-1)?.value as Role },
    validate: {
      email: (v) => (v.includes('@') ? null : 'An e-mail address'),
      name: (v) => (v.trim() ? null : 'Needed'),
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
      <Button onClick={dialog.open}>Add a person</Button>
      <Modal opened={opened} onClose={done} title="Add a person" closeOnClickOutside={!password}>
        {password ? (
          <Stack>
            <ShownSecrets secrets={[['One-time password', password]]} />
            <Button onClick={done}>I have passed it on</Button>
          </Stack>
        ) : (
          <form onSubmit={submit} noValidate>
            <Stack>
              <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
              <TextInput label="E-mail" type="email" required {...form.getInputProps('email')} />
              <Select label="Role" allowDeselect={false} data={offered} {...form.getInputProps('role')} />
              <Button type="submit" loading={create.isPending}>
                Add
              </Button>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

export function SetRole({ person }: { readonly person: Person }) {
  const [opened, dialog] = useDisclosure(false);
  const set = useDo('setUserRole', { asOperator: true, done: 'The role is changed' });
  const form = useForm({
    initialValues: { role: person.role, reason: '' },
    validate: { reason: (v) => (v.trim() ? null : 'Needed') },
  });
  const submit = form.onSubmit(async ({ role, reason }) => {
    const done = await set.mutateAsync({ userId: person.userId, role, reason: reason.trim() }).catch(() => undefined);
    if (done) dialog.close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        Role
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={`Role of ${person.name}`}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Select
              label="Role"
              allowDeselect={false}
              data={rolesIn(person.accountId)}
              {...form.getInputProps('role')}
            />
            <Textarea label="Reason" required autosize minRows={2} {...form.getInputProps('reason')} />
            <Button type="submit" loading={set.isPending}>
              Change role
            </Button>
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
        label="New password"
        question={`Give ${person.name} a new one-time password?`}
        reason="required"
        onConfirm={async (reason) => setPassword((await reset.mutateAsync({ userId: person.userId, reason })).password)}
      >
        The old one stops working, and sessions of this person end.
      </ConfirmButton>
      <Modal opened={password !== ''} onClose={() => setPassword('')} title="New password" closeOnClickOutside={false}>
        <Stack>
          <ShownSecrets secrets={[['One-time password', password]]} />
          <Button onClick={() => setPassword('')}>I have passed it on</Button>
        </Stack>
      </Modal>
    </>
  );
}
