// The dash shown for a missing value; screen readers say "none".

import { VisuallyHidden } from '@mantine/core';
import { say } from '../words/words.ts';

export function Nothing() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>{say('none')}</VisuallyHidden>
    </>
  );
}
