// The filters above a list: side by side on wide screens, stacked on narrow ones.
import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';

export function FilterBar({ children }: { readonly children: ReactNode }) {
  return (
    <search>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="md">
        {children}
      </SimpleGrid>
    </search>
  );
}
