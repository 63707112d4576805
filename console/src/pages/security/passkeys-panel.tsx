// The passkeys of the signed-in person: adding, naming and removing them.

import { Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Panel } from '../../components/panel.tsx';
import { PasskeyForm } from '../../components/passkey-form.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import type { FactorsProps } from './codes-panel.tsx';

export function PasskeysPanel({ factors, onChanged }: FactorsProps) {
  const [opened, dialog] = useDisclosure(false);
  const remove = useDo('removePasskey', { asOperator: true, done: say('The passkey is removed') });
  return (
    <Panel
      title={say('Passkeys')}
      actions={
        <Button variant="default" onClick={dialog.open}>
          {say('Add a passkey')}
        </Button>
      }
    >
      {factors.passkeys.length === 0 ? (
        <Text size="sm" c="dimmed">
          {say(
            'A passkey signs you in by fingerprint, face or PIN of your device, without a password. It works for this address alone, so it cannot be phished.',
          )}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={480} type="native">
          <Table aria-label={say('Passkeys')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{say('Name')}</Table.Th>
                <Table.Th>{say('Added')}</Table.Th>
                <Table.Th>{say('Last used')}</Table.Th>
                <Table.Th aria-label={say('Actions')} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {factors.passkeys.map((p) => (
                <Table.Tr key={p.passkeyId}>
                  <Table.Td>{p.name}</Table.Td>
                  <Table.Td>
                    <Stamp at={p.createdAt} show="relative" />
                  </Table.Td>
                  <Table.Td>
                    <Stamp at={p.usedAt} show="relative" />
                  </Table.Td>
                  <Table.Td>
                    <Group gap={6} justify="flex-end" wrap="nowrap">
                      <Rename passkeyId={p.passkeyId} name={p.name} />
                      <ConfirmButton
                        label={say('Remove')}
                        size="xs"
                        question={say('Remove the passkey “{name}”?', { name: p.name })}
                        danger
                        onConfirm={async () => {
                          await remove.mutateAsync({ passkeyId: p.passkeyId });
                          await onChanged([]);
                        }}
                      >
                        {say('It signs you in no more, and your other sessions end. Delete it on the device too.')}
                      </ConfirmButton>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Modal opened={opened} onClose={dialog.close} title={say('Add a passkey')}>
        <PasskeyForm
          onDone={(codes) => {
            dialog.close();
            void onChanged(codes);
          }}
        />
      </Modal>
    </Panel>
  );
}

function Rename({ passkeyId, name }: { readonly passkeyId: string; readonly name: string }) {
  const [opened, dialog] = useDisclosure(false);
  const [text, setText] = useState(name);
  const rename = useDo('renamePasskey', { asOperator: true, done: say('The passkey is renamed') });
  async function submit(event: FormEvent) {
    event.preventDefault();
    const done = await rename.mutateAsync({ passkeyId, name: text.trim() }).catch(() => undefined);
    if (done) dialog.close();
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {say('Rename')}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={say('Rename “{name}”', { name })}>
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label={say('Name of the passkey')}
              required
              maxLength={100}
              value={text}
              onChange={(e) => setText(e.currentTarget.value)}
              data-autofocus
            />
            <DialogActions label={say('Rename')} busy={rename.isPending} onCancel={dialog.close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
