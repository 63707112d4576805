// A second line of a cell: what belongs to the first one and needs no column of its own.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function Beneath({ children }: { readonly children: ReactNode }) {
  return (
    <Text component="span" display="block" size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}
