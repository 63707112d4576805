// The licences of a client: adding one, and accepting or refusing it. One that has ended holds the client by itself.

import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { countryChoices, countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';

type Client = Content<'getClient'>;
type Licence = Content<'listClientLicences'>['licences'][number];

const activities: readonly Licence['activity'][] = ['GAMING', 'CRYPTO', 'PAYMENTS', 'TELECOM', 'OTHER'];

export function ClientLicences({ client }: { readonly client: Client }) {
  const { clientId } = client;
  const isOpen = client.operationalStanding !== 'CLOSED';
  const adds = useMay('setClientLicence') && isOpen;
  const decides = useMay('acceptClientLicence') && isOpen;
  const { data, error, refetch } = useOp('listClientLicences', { clientId }, { asOperator: true });
  return (
    <Panel title={say('Licences')} actions={adds ? <AddLicence client={client} /> : null} flush>
      <DataTable<Licence>
        label={say('Licences')}
        pages={{ rows: data?.licences, error, retry: () => void refetch() }}
        rowKey={(l) => l.licenceId}
        empty={
          <Empty title={say('No licences')}>
            {say('The client, its PSP or staff add them here or with setClientLicence.')}
          </Empty>
        }
        columns={[
          { key: 'number', header: say('Number'), cell: (l) => l.number },
          { key: 'activity', header: say('Business'), cell: (l) => inWords(l.activity) },
          { key: 'authority', header: say('Authority'), cell: (l) => `${l.authority}, ${countryName(l.countryCode)}` },
          {
            key: 'until',
            header: say('Last day'),
            cell: (l) => (l.validUntil ? dayInWords(l.validUntil) : <Nothing />),
          },
          {
            key: 'state',
            header: say('State'),
            cell: (l) => (
              <Stack gap={0}>
                <StatusBadge
                  status={l.state}
                  {...(l.state === 'SUBMITTED' ? { label: say('To be decided'), tone: 'wait' as const } : {})}
                  {...(l.state === 'REFUSED' ? { tone: 'bad' as const } : {})}
                />
                {l.decisionReason ? <Text size="sm">{l.decisionReason}</Text> : null}
              </Stack>
            ),
          },
          ...(decides
            ? [
                {
                  key: 'act',
                  header: say('Decision'),
                  cell: (l: Licence) => <Decide clientId={clientId} licence={l} />,
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

function Decide({ clientId, licence: l }: { readonly clientId: string; readonly licence: Licence }) {
  const accept = useDo('acceptClientLicence', { asOperator: true, done: say('The licence is accepted') });
  const refuse = useDo('refuseClientLicence', { asOperator: true, done: say('The licence is refused') });
  if (l.state === 'REFUSED') return <Nothing />;
  const { licenceId } = l;
  return (
    <Group gap="xs" wrap="nowrap">
      {l.state === 'SUBMITTED' ? (
        <ConfirmButton
          label={say('Accept')}
          size="xs"
          question={say('Accept the licence {number}?', { number: l.number })}
          reason="optional"
          onConfirm={(reason) => accept.mutateAsync({ clientId, licenceId, ...(reason ? { reason } : {}) })}
        >
          {l.validUntil
            ? say('From the day after {validUntil} on, the client is on hold until a new licence is accepted.', {
                validUntil: dayInWords(l.validUntil),
              })
            : say('It does not end.')}
        </ConfirmButton>
      ) : null}
      <ConfirmButton
        label={say('Refuse')}
        size="xs"
        question={say('Refuse the licence {number}?', { number: l.number })}
        reason="required"
        danger
        onConfirm={(reason) => refuse.mutateAsync({ clientId, licenceId, reason })}
      >
        {say('The client and its PSP read the reason.')}
      </ConfirmButton>
    </Group>
  );
}

function AddLicence({ client }: { readonly client: Client }) {
  const [opened, { open, close }] = useDisclosure(false);
  const countries = useMemo(countryChoices, []);
  const add = useDo('setClientLicence', { asOperator: true, done: say('The licence is added') });
  const form = useForm({
    initialValues: {
      activity: 'GAMING' as Licence['activity'],
      authority: '',
      number: '',
      countryCode: client.countryCode ?? '',
      validUntil: '',
    },
    validate: {
      authority: (v) => (/^[A-Z][A-Z0-9-]{0,29}$/.test(v) ? null : say('Capitals and digits, such as MGA')),
      number: (v) => (v.trim() ? null : say('Needed')),
      countryCode: (v) => (v ? null : say('Needed')),
      validUntil: (v) => (v === '' || /^\d{4}-\d{2}-\d{2}$/.test(v) ? null : say('A day, such as 2027-12-31')),
    },
  });
  const submit = form.onSubmit(async ({ validUntil, number, ...given }) => {
    const input = {
      clientId: client.clientId,
      ...given,
      number: number.trim(),
      ...(validUntil === '' ? {} : { validUntil }),
    };
    if (!(await add.mutateAsync(input).catch(() => undefined))) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Add a licence')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Add a licence')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Select
              label={say('Business that it permits')}
              allowDeselect={false}
              data={activities.map((a) => ({ value: a, label: inWords(a) }))}
              {...form.getInputProps('activity')}
            />
            <TextInput
              label={say('Authority')}
              description={say('Its short name, such as MGA or UKGC')}
              required
              {...form.getInputProps('authority')}
            />
            <TextInput label={say('Number')} required {...form.getInputProps('number')} />
            <Select label={say('Country')} searchable data={countries} {...form.getInputProps('countryCode')} />
            <TextInput
              label={say('Last day on which it is valid')}
              description={say('YYYY-MM-DD; leave it empty if it does not end')}
              {...form.getInputProps('validUntil')}
            />
            <DialogActions label={say('Add the licence')} busy={add.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
