// Shown when a list is empty: says why, and what would change that.
import { Stack, Text } from '@mantine/core';
import { IconHexagon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: Props) {
  return (
    <Stack align="center" gap={6} py="xl" px="md" ta="center">
      <IconHexagon size={32} stroke={1.2} color="var(--mantine-color-dimmed)" aria-hidden />
      <Text fw={600}>{title}</Text>
      {children ? (
        <Text c="dimmed" size="sm" maw="32rem" component="div">
          {children}
        </Text>
      ) : null}
      {action}
    </Stack>
  );
}
