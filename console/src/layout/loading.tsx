// A page that is loading: its outline, so that the layout does not jump.

import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { say } from '../words/words.ts';

export function Loading() {
  return (
    <Stack aria-busy="true">
      <VisuallyHidden role="status">{say('Loading')}</VisuallyHidden>
      <Skeleton height={30} width={220} />
      <Skeleton height={120} />
      <Skeleton height={260} />
    </Stack>
  );
}
