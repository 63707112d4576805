// The dialog that loads a list from a published file, or from a table in the plain form.

import { Button, Checkbox, FileInput, Group, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { publishedText } from '../../data/published-text.ts';
import { tellRefusal, useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { listName, options, purposes, type ScreeningList } from './words.ts';

export function LoadList() {
  const [opened, { open, close }] = useDisclosure(false);
  const [file, setFile] = useState<File | null>(null);
  const [list, setList] = useState('');
  const [purpose, setPurpose] = useState<string | null>(null);
  const [threshold, setThreshold] = useState<number | string>('');
  const [allowShrink, setAllowShrink] = useState(false);
  const load = useDo('loadList', {
    done: (l) =>
      say('{list}: {added} added, {changed} changed, {removed} removed', {
        list: l.list,
        added: l.added,
        changed: l.changed,
        removed: l.removed,
      }),
  });
  const badName = list !== '' && !listName.test(list);
  async function send(event: FormEvent) {
    event.preventDefault();
    if (!file || badName) return;
    const text = await publishedText(file).catch(tellRefusal);
    if (text === undefined) return;
    const input = {
      ...{ name: file.name, text },
      ...(list ? { list } : {}),
      ...(purpose ? { purpose: purpose as ScreeningList['purpose'] } : {}),
      ...(threshold === '' ? {} : { threshold: Number(threshold) }),
      ...(allowShrink ? { allowShrink } : {}),
    };
    const loaded = await load.mutateAsync(input).catch(() => undefined);
    if (!loaded) return;
    setFile(null);
    setList('');
    close();
  }
  return (
    <>
      <Button size="xs" onClick={open}>
        {say('Load a file')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Load a list')} size="lg">
        <form onSubmit={send} noValidate>
          <Stack>
            <Text size="sm">
              {say(
                'The form of the file is recognised: OFAC, UN, EU and UK as they publish it, or a plain table. What is missing in it leaves the list; a damaged file changes nothing.',
              )}
            </Text>
            <FileInput
              label={say('File')}
              placeholder={say('Choose a file')}
              required
              clearable
              value={file}
              onChange={setFile}
            />
            <Group grow align="flex-start">
              <TextInput
                label={say('List')}
                description={say('Needed for a plain table')}
                placeholder="PEP_NG"
                value={list}
                onChange={(e) => setList(e.currentTarget.value.toUpperCase())}
                error={badName ? say('Capitals, digits and _, such as PEP_NG') : undefined}
              />
              <Select
                label={say('For')}
                description={say('Empty: as the file or its name says')}
                clearable
                data={options(purposes)}
                value={purpose}
                onChange={setPurpose}
              />
            </Group>
            <NumberInput
              label={say('Names match from (%)')}
              description={say('Empty: as before, at first 85, and 100 for allowed')}
              min={50}
              max={100}
              allowDecimal={false}
              value={threshold}
              onChange={setThreshold}
            />
            <Checkbox
              label={say('Accept a file with fewer than half of the entries in force')}
              checked={allowShrink}
              onChange={(e) => setAllowShrink(e.currentTarget.checked)}
            />
            <DialogActions label={say('Load')} busy={load.isPending} disabled={file === null} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
