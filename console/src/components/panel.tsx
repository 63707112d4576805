// A section of a page with its own heading, and its actions on the right.
import { Box, Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** For content with its own padding, such as a table. */
  readonly flush?: boolean;
}

export function Panel({ title, actions, children, flush = false }: Props) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} style={{ overflow: 'hidden', minWidth: 0 }}>
      <Group justify="space-between" px="md" pt="sm" pb={flush ? 'sm' : 4} gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {flush ? (
        children
      ) : (
        <Box px="md" pb="md" pt={4}>
          {children}
        </Box>
      )}
    </Paper>
  );
}
