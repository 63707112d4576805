// The dash that stands where a value is not there; heard as "none".
import { VisuallyHidden } from '@mantine/core';

export function Nothing() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>none</VisuallyHidden>
    </>
  );
}
