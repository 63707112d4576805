// Proposes the whole file of a country's taxes.

import { Button, FileButton, Menu, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { ReasonField } from '../../components/reason-field.tsx';
import { tellRefusal, usePropose } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

/** A country's rules are a file made and reviewed elsewhere; here it is read, checked by the service and proposed. */
export function ProposeFile() {
  const [opened, { open, close }] = useDisclosure(false);
  const [file, setFile] = useState<{ name: string; country: object }>();
  const [reason, setReason] = useState('');
  const propose = usePropose();
  async function read(chosen: File | null) {
    if (!chosen) return;
    try {
      setFile({ name: chosen.name, country: JSON.parse(await chosen.text()) as object });
    } catch (error) {
      tellRefusal(error);
    }
  }
  async function send() {
    if (!file) return;
    const made = await propose
      .mutateAsync({ reason: reason.trim(), country: file.country as never })
      .catch(() => undefined);
    if (!made) return;
    setFile(undefined);
    setReason('');
    close();
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            {say('More')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={open}>{say("Propose a country's taxes from a file")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={opened} onClose={close} title={say("Supersede a country's taxes")}>
        <Stack>
          <FileButton onChange={(f) => void read(f)} accept="application/json,.json">
            {(props) => (
              <Button variant="default" {...props}>
                {file ? file.name : say('Choose the country file (JSON)')}
              </Button>
            )}
          </FileButton>
          <ReasonField value={reason} onChange={(e) => setReason(e.currentTarget.value)} />
          <Button onClick={() => void send()} disabled={!file || reason.trim() === ''} loading={propose.isPending}>
            {say('Propose')}
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
