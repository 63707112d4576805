// The dialog that puts an entry in a list of one's own; without a list it begins one.

import { Button, Group, Modal, MultiSelect, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { countryChoices } from '../../data/countries.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { born, entryKinds, keyKinds, type ListEntry, linesOf, listName, options, ownPurposes } from './words.ts';

const empty = {
  ...{ list: '', purpose: 'BLOCK', ref: '', kind: 'PERSON', names: '', births: '' },
  ...{ countryCodes: [] as string[], keyKind: 'wallet', keys: '' },
};

export function PutEntry({ list }: { readonly list?: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const countries = useMemo(countryChoices, []);
  // An entry of the same ref is not replaced: this adds one.
  const put = useDo('putOwnListEntry', {
    basedOn: null,
    done: (e) => say('{ref} is in {list}', { ref: e.ref, list: e.list }),
  });
  const form = useForm({
    initialValues: empty,
    validate: {
      list: (v) => (list || listName.test(v) ? null : say('Capitals, digits and _, such as OWN_BLOCK')),
      ref: (v) => (/^[A-Za-z0-9._-]{1,64}$/.test(v.trim()) ? null : say('Letters, digits, full stops, _ and -')),
      names: (v, of) =>
        linesOf(v).length + linesOf(of.keys).length > 0 ? null : say('A name or an exact value is needed'),
      births: (v) => (linesOf(v).every((d) => born.test(d)) ? null : say('Such as 1980, 1980-02 or 1980-02-01')),
    },
  });
  const submit = form.onSubmit(async (v) => {
    const [names, births, keys] = [linesOf(v.names), linesOf(v.births), linesOf(v.keys)];
    const input = {
      ...{ list: list ?? v.list, ref: v.ref.trim() },
      ...(list ? {} : { purpose: v.purpose as 'BLOCK' }),
      ...(names.length > 0 ? { names, kind: v.kind as ListEntry['kind'] } : {}),
      ...(births.length > 0 ? { births } : {}),
      ...(v.countryCodes.length > 0 ? { countryCodes: v.countryCodes } : {}),
      ...(keys.length > 0 ? { keys: keys.map((value) => ({ kind: v.keyKind as 'wallet', value })) } : {}),
    };
    const done = await put.mutateAsync(input).catch(() => undefined);
    if (!done) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant={list ? 'filled' : 'default'} onClick={open}>
        {list ? say('Add an entry') : say('Begin a list')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={list ? say('Add an entry to {list}', { list }) : say('Begin a list')}
        size="lg"
      >
        <form onSubmit={submit} noValidate>
          <Stack>
            {list ? null : (
              <Group grow align="flex-start">
                <TextInput label={say('List')} placeholder="OWN_BLOCK" required {...form.getInputProps('list')} />
                <Select
                  label={say('For')}
                  allowDeselect={false}
                  data={ownPurposes}
                  {...form.getInputProps('purpose')}
                />
              </Group>
            )}
            <Group grow align="flex-start">
              <TextInput
                label={say('Number of the entry')}
                description={say('One that is there is replaced')}
                placeholder="B-1"
                required
                {...form.getInputProps('ref')}
              />
              <Select
                label={say('Kind')}
                description={say('Of what the names are')}
                allowDeselect={false}
                data={options(entryKinds).filter((k) => k.value !== 'KEY')}
                {...form.getInputProps('kind')}
              />
            </Group>
            <Textarea
              label={say('Names')}
              description={say('One a line, the main one first')}
              autosize
              minRows={2}
              {...form.getInputProps('names')}
            />
            <Group grow align="flex-start">
              <TextInput label={say('Born')} placeholder="1980-02-01" {...form.getInputProps('births')} />
              <MultiSelect
                label={say('Countries')}
                searchable
                data={countries}
                {...form.getInputProps('countryCodes')}
              />
            </Group>
            <Select
              label={say('Kind of the exact values')}
              allowDeselect={false}
              data={options(keyKinds)}
              {...form.getInputProps('keyKind')}
            />
            <Textarea
              label={say('Exact values')}
              description={say('One a line: a wallet, an address or network, a number or a code')}
              autosize
              minRows={2}
              {...form.getInputProps('keys')}
            />
            <DialogActions label={say('Add')} busy={put.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
