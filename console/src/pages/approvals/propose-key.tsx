// Proposes a further key of an operator, or an operator.

import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { useMe } from '../../data/session.tsx';
import { usePropose } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { ScopeBoxes } from '../keys/scope-boxes.tsx';
import { type Scope, scopeChoices } from '../keys/scopes.ts';

const isSaid = (v: string) => (v.trim() ? null : say('Needed'));

export function ProposeKey() {
  const [opened, { open, close }] = useDisclosure(false);
  const { account } = useMe();
  const propose = usePropose();
  const form = useForm({
    initialValues: {
      accountId: account.accountId,
      name: '',
      scopes: scopeChoices.map((c) => c.value) as Scope[],
      reason: '',
    },
    validate: {
      accountId: (v) => (/^psp_[0-9a-z]{26}$/.test(v.trim()) ? null : say('An id, such as psp_…')),
      name: isSaid,
      scopes: (v) => (v.length > 0 ? null : say('Choose at least one')),
      reason: isSaid,
    },
  });
  const submit = form.onSubmit(async ({ accountId, name, scopes, reason }) => {
    const operatorKey = { accountId: accountId.trim(), name: name.trim(), scopes };
    const made = await propose.mutateAsync({ reason: reason.trim(), operatorKey }).catch(() => undefined);
    if (!made) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Propose a key')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Propose a key of an operator')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={say('Account of the operator')}
              description={say("Yours, unless it is another one's.")}
              required
              {...form.getInputProps('accountId')}
            />
            <TextInput
              label={say('What it is for')}
              placeholder={say('night jobs')}
              required
              data-autofocus
              {...form.getInputProps('name')}
            />
            <ScopeBoxes {...form.getInputProps('scopes')} />
            <ReasonField {...form.getInputProps('reason')} />
            <DialogActions label={say('Propose')} busy={propose.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}

export function ProposeOperator() {
  const [opened, { open, close }] = useDisclosure(false);
  const propose = usePropose();
  const form = useForm({ initialValues: { name: '', reason: '' }, validate: { name: isSaid, reason: isSaid } });
  const submit = form.onSubmit(async ({ name, reason }) => {
    const operator = { name: name.trim() };
    const made = await propose.mutateAsync({ reason: reason.trim(), operator }).catch(() => undefined);
    if (!made) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Propose an operator')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Propose an operator')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={say('Name')}
              description={say('Of the tool or team.')}
              required
              data-autofocus
              {...form.getInputProps('name')}
            />
            <ReasonField {...form.getInputProps('reason')} />
            <DialogActions label={say('Propose')} busy={propose.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
