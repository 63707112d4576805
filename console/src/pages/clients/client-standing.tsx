// The standing of a client: level, status and holds, what would change the next decision, and the actions that change
// it.
import { Button, Checkbox, Group, Modal, Select, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePsp } from '../../data/psp.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { StandingBadge } from './standing-badge.tsx';

type Client = Content<'getClient'>;

export function ClientStanding({ client }: { readonly client: Client }) {
  const { isOperator } = usePsp();
  const administrator = useMay('administrator') && isOperator;
  const reviewer = useMay('administrator', 'reviewer') && isOperator;
  const accountId = client.clientId;
  const { data: status } = useOp('verifyClientStatus', {}, { clientId: accountId });
  const set = useDo('setStanding', { asOperator: true, done: 'The standing is changed' });
  const release = useDo('releaseHold', { asOperator: true, done: 'The hold is ended' });
  const flags = status?.flags ?? [];
  const due = status?.requirements.currentlyDue ?? [];
  const change = (operationalStanding: 'ACTIVE' | 'SUSPENDED' | 'CLOSED') => (reason: string) =>
    set.mutateAsync({ accountId, operationalStanding, reason });
  return (
    <Panel title="Standing" actions={reviewer ? <PlaceHold accountId={accountId} /> : null}>
      <Facts
        items={[
          ['State', <StandingBadge key="state" client={client} />],
          ['Verification', inWords(client.verificationLevel)],
          [
            'Next transaction',
            <StatusBadge
              key="next"
              status={client.acceptable ? 'APPROVED' : 'DECLINED'}
              label={client.acceptable ? 'Would be approved' : 'Would be declined'}
            />,
          ],
          client.reason ? ['Why', client.reason] : null,
          due.length > 0 ? ['Still due', due.map(inWords).join(', ')] : null,
        ]}
      />
      {flags.length > 0 ? (
        <Table.ScrollContainer minWidth={320} mt="sm" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Hold or flag</Table.Th>
                <Table.Th>Since</Table.Th>
                <Table.Th aria-label="What can be done" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {flags.map((f) => (
                <Table.Tr key={f.id}>
                  <Table.Td>
                    <StatusBadge status={f.code} tone={f.blocking ? 'bad' : 'wait'} />
                    <Text size="sm">{f.reason}</Text>
                  </Table.Td>
                  <Table.Td>
                    <Stamp at={f.since} show="relative" />
                  </Table.Td>
                  <Table.Td ta="right">
                    {reviewer && f.id.startsWith('hld_') ? (
                      <ConfirmButton
                        label="End"
                        size="xs"
                        question={`End the hold ${f.code}?`}
                        reason="required"
                        onConfirm={(reason) => release.mutateAsync({ accountId, holdId: f.id, reason })}
                      />
                    ) : null}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : null}
      {administrator && client.operationalStanding !== 'CLOSED' ? (
        <Group gap="xs" mt="md">
          {client.operationalStanding === 'ACTIVE' ? (
            <ConfirmButton
              label="Suspend"
              question={`Suspend ${client.registeredName}?`}
              reason="required"
              danger
              onConfirm={change('SUSPENDED')}
            >
              From the moment it is confirmed, every transaction of this client is declined.
            </ConfirmButton>
          ) : (
            <ConfirmButton
              label="Reactivate"
              question={`Reactivate ${client.registeredName}?`}
              reason="required"
              onConfirm={change('ACTIVE')}
            >
              Its transactions are approved again, unless a hold blocks them.
            </ConfirmButton>
          )}
          <ConfirmButton
            label="Close"
            question={`Close ${client.registeredName} for good?`}
            reason="required"
            danger
            onConfirm={change('CLOSED')}
          >
            A closed client cannot be opened again.
          </ConfirmButton>
          <Level client={client} />
        </Group>
      ) : null}
    </Panel>
  );
}

function Level({ client }: { readonly client: Client }) {
  const [opened, { open, close }] = useDisclosure(false);
  const set = useDo('setStanding', { asOperator: true, done: 'The level is changed' });
  const form = useForm({
    initialValues: { level: client.verificationLevel as 'UNVERIFIED' | 'BASIC' | 'ENHANCED', reason: '' },
    validate: { reason: (v) => (v.trim() ? null : 'Needed') },
  });
  const submit = form.onSubmit(async ({ level, reason }) => {
    const done = await set
      .mutateAsync({ accountId: client.clientId, verificationLevel: level, reason: reason.trim() })
      .catch(() => undefined);
    if (done) close();
  });
  return (
    <>
      <Button variant="default" onClick={open}>
        Change level
      </Button>
      <Modal opened={opened} onClose={close} title="Verification level">
        <form onSubmit={submit} noValidate>
          <Stack>
            <Select
              label="Level"
              allowDeselect={false}
              data={['UNVERIFIED', 'BASIC', 'ENHANCED'].map((l) => ({ value: l, label: inWords(l) }))}
              {...form.getInputProps('level')}
            />
            <Textarea label="Reason" required autosize minRows={2} {...form.getInputProps('reason')} />
            <Button type="submit" loading={set.isPending}>
              Change level
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

function PlaceHold({ accountId }: { readonly accountId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const place = useDo('placeHold', { asOperator: true, done: 'The hold is placed' });
  const form = useForm({
    initialValues: { code: '', reason: '', blocking: true },
    validate: {
      code: (v) => (/^[A-Z][A-Z0-9_]{1,39}$/.test(v) ? null : 'Capitals, digits and _, such as AML_REVIEW'),
      reason: (v) => (v.trim() ? null : 'Needed'),
    },
  });
  const submit = form.onSubmit(async ({ code, reason, blocking }) => {
    const done = await place.mutateAsync({ accountId, code, reason: reason.trim(), blocking }).catch(() => undefined);
    if (!done) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Place a hold
      </Button>
      <Modal opened={opened} onClose={close} title="Place a hold">
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label="Code"
              description="Such as AML_REVIEW. Code and reason are for operators; the client sees that it is under review."
              required
              data-autofocus
              {...form.getInputProps('code')}
            />
            <Textarea label="Reason" required autosize minRows={2} {...form.getInputProps('reason')} />
            <Checkbox
              label="Declines every transaction while it is in force"
              description="Otherwise it is a remark, which the client does not see"
              {...form.getInputProps('blocking', { type: 'checkbox' })}
            />
            <Button type="submit" loading={place.isPending}>
              Place the hold
            </Button>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
