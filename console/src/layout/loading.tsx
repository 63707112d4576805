// A page on its way: its outline, so that nothing jumps when it comes.
import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

export function Loading() {
  return (
    <Stack aria-busy="true">
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <Skeleton height={30} width={220} />
      <Skeleton height={120} />
      <Skeleton height={260} />
    </Stack>
  );
}
