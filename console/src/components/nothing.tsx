// The dash shown for a missing value; screen readers say "none".
import { VisuallyHidden } from '@mantine/core';

export function Nothing() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>none</VisuallyHidden>
    </>
  );
}
