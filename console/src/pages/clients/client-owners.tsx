// Who owns a client, for those who may read it, and the form that sets all owners.

import { ActionIcon, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { percent } from '../../data/amounts.ts';
import { type Content, tagOf } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { told } from '../../data/errors.ts';
import { dayInWords } from '../../data/moments.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';

type Client = Content<'getClient'>;
type Owner = Content<'getClientOwners'>['owners'][number];

/** Who owns a client, for those who may read it. */
function useOwners({ clientId, requirements }: Client) {
  const reads = useMay('getClientOwners');
  // Nobody has said yet who owns it: where that has to be said, its requirements tell so.
  const isDue = requirements?.some((r) => r.need === 'OWNERS' && r.state !== 'HELD') ?? false;
  return { reads, isDue, ...useOp('getClientOwners', { clientId }, { asOperator: true, enabled: reads && !isDue }) };
}

/** The names of a client's owners by their marks; of none where they may not be read. */
export function useOwnerNames(client: Client): ReadonlyMap<string, string> {
  const { isDue, data } = useOwners(client);
  const owners = isDue ? [] : (data?.owners ?? []);
  return new Map(owners.flatMap(({ ownerId, name }) => (ownerId === null || name === null ? [] : [[ownerId, name]])));
}

export function ClientOwners({ client }: { readonly client: Client }) {
  const { clientId } = client;
  const sets = useMay('setClientOwners') && client.operationalStanding !== 'CLOSED';
  const { reads, isDue, data, error, refetch } = useOwners(client);
  if (!reads) return null;
  const unknown = isDue || (error && told(error).code === 'NOT_FOUND');
  const rows = unknown ? [] : data?.owners;
  const tag = unknown ? null : tagOf(data);
  return (
    <Panel
      title={say('Owners')}
      actions={sets && rows ? <SetOwners clientId={clientId} owners={rows} tag={tag} /> : null}
      flush
    >
      <DataTable<Owner>
        label={say('Owners')}
        pages={{ rows, ...(unknown ? {} : { error }), retry: () => void refetch() }}
        rowKey={(o) => `${o.name} ${o.dateOfBirth} ${o.sharePercent}`}
        empty={
          <Empty title={data ? say('Nobody holds as much as is asked for') : say('Nobody has said who owns it')}>
            {say('Names and dates of birth are stored sealed.')}
          </Empty>
        }
        columns={[
          { key: 'name', header: say('Name'), cell: (o) => o.name ?? say('Erased') },
          { key: 'role', header: say('Role'), cell: (o) => (o.director ? say('Director') : say('Owner')) },
          { key: 'share', header: say('Share'), align: 'right', cell: (o) => percent(o.sharePercent) },
          { key: 'born', header: say('Born'), cell: (o) => (o.dateOfBirth ? dayInWords(o.dateOfBirth) : <Nothing />) },
          {
            key: 'country',
            header: say('Country'),
            cell: (o) => (o.countryCode ? countryName(o.countryCode) : <Nothing />),
          },
        ]}
      />
    </Panel>
  );
}

const blank = { name: '', sharePercent: '', dateOfBirth: '', countryCode: '', director: false };

interface SetProps {
  readonly clientId: string;
  readonly owners: readonly Owner[];
  /** Of the owners; null where nobody has said who they are. */
  readonly tag: string | null | undefined;
}

function SetOwners(p: SetProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Set the owners')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Owners')} size="lg">
        <Form {...p} close={close} />
      </Modal>
    </>
  );
}

function Form({ clientId, owners, tag, close }: SetProps & { readonly close: () => void }) {
  const [basedOn] = useState(tag);
  const set = useDo('setClientOwners', { asOperator: true, basedOn, done: say('The owners are set') });
  const known = owners.map((o) => ({
    name: o.name ?? '',
    sharePercent: o.sharePercent,
    dateOfBirth: o.dateOfBirth ?? '',
    countryCode: o.countryCode ?? '',
    director: o.director ?? false,
  }));
  const form = useForm({
    initialValues: { owners: known.length > 0 ? known : [blank] },
    validate: {
      owners: {
        name: (v) => (v.trim() ? null : say('Needed')),
        sharePercent: (v) => (/^\d{1,3}(\.\d{1,4})?$/.test(v) ? null : say('Percent, such as 25.5')),
        dateOfBirth: (v) => (/^\d{4}-\d{2}-\d{2}$/.test(v) ? null : say('A day, such as 1980-02-29')),
        countryCode: (v) => (v === '' || /^[A-Za-z]{2,3}$/.test(v) ? null : say('A code, such as NG')),
      },
    },
  });
  const submit = form.onSubmit(async (given) => {
    const all = given.owners.map(({ countryCode, director, ...o }) => ({
      ...o,
      name: o.name.trim(),
      ...(countryCode ? { countryCode } : {}),
      ...(director ? { director } : {}),
    }));
    if (await set.mutateAsync({ clientId, owners: all }).catch(() => undefined)) close();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {form.values.owners.map((_, i) => (
          // One empty row differs from another by its place alone.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
          <Group key={i} align="flex-start" gap="xs">
            <TextInput label={say('Name')} required {...form.getInputProps(`owners.${i}.name`)} />
            <TextInput label={say('Percent')} required w={90} {...form.getInputProps(`owners.${i}.sharePercent`)} />
            <TextInput label={say('Born')} required w={120} {...form.getInputProps(`owners.${i}.dateOfBirth`)} />
            <TextInput label={say('Country')} w={90} {...form.getInputProps(`owners.${i}.countryCode`)} />
            <Checkbox
              mt={32}
              label={say('Director')}
              {...form.getInputProps(`owners.${i}.director`, { type: 'checkbox' })}
            />
            <ActionIcon
              variant="default"
              size="lg"
              mt={24}
              aria-label={say('Remove owner {i}', { i: i + 1 })}
              onClick={() => form.removeListItem('owners', i)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button variant="default" onClick={() => form.insertListItem('owners', blank)}>
          {say('Add an owner')}
        </Button>
        <DialogActions label={say('Set the owners')} busy={set.isPending} onCancel={close} />
      </Stack>
    </form>
  );
}
