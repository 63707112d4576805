// The menu of views a person saved on this page: goes to one, saves the filters as they are, removes one.

import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconX } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useViews } from '../data/views.ts';
import { say } from '../words/words.ts';

export function SavedViews() {
  const { views, save, remove, shown } = useViews();
  const navigate = useNavigate();
  const [opened, { toggle, close }] = useDisclosure(false);
  const [name, setName] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!name.trim()) return;
    save(name.trim());
    setName('');
    close();
  }
  const show = (search: string) => {
    close();
    void navigate({ to: '.', search: Object.fromEntries(new URLSearchParams(search)) as never });
  };
  return (
    <Popover opened={opened} onChange={(o) => (o ? undefined : close())} position="bottom-end" width={280} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBookmark size={14} aria-hidden />}
          onClick={toggle}
          aria-expanded={opened}
        >
          {shown ?? say('Views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={say('Saved views')}>
        <Stack gap="xs">
          {views.map((v) => (
            <Group key={v.name} gap={4} wrap="nowrap">
              <Button
                size="xs"
                variant={v.name === shown ? 'light' : 'subtle'}
                fullWidth
                justify="flex-start"
                onClick={() => show(v.search)}
              >
                {v.name}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => remove(v.name)}
                aria-label={say('Remove {name}', { name: v.name })}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <form onSubmit={submit}>
            <Group gap="xs" align="flex-end" wrap="nowrap">
              <TextInput
                label={say('Save these filters as')}
                size="xs"
                maxLength={60}
                value={name}
                onChange={(e) => setName(e.currentTarget.value)}
                style={{ flex: 1 }}
              />
              <Button size="xs" type="submit" disabled={!name.trim()}>
                {say('Save')}
              </Button>
            </Group>
          </form>
          <Text size="xs" c="dimmed">
            {say('Kept in this browser, for you. To show a colleague the same, send the address of the page.')}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
