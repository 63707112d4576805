// A dialog that stays open until the person confirms that the secret is saved.

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../words/words.ts';
import { closedByButton } from './closed-by-button.ts';
import { ShownOnce } from './shown-once.tsx';

interface Props {
  readonly title: string;
  /** What the secret is. */
  readonly name: string;
  readonly value: string | null | undefined;
  /** Where to use the secret. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

export function ShownOnceDialog({ title, name, value, children, onClose }: Props) {
  return (
    <Modal opened={!!value} onClose={onClose} title={title} {...closedByButton(true)}>
      <Stack>
        {value ? <ShownOnce secrets={[[name, value]]} /> : null}
        {children ? (
          <Text size="sm" component="div">
            {children}
          </Text>
        ) : null}
        <Group justify="flex-end">
          <Button onClick={onClose}>{say('I have kept it')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
