// A second line of a cell: what belongs to the first one and needs no column of its own.
import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

export function Beneath({ children }: { readonly children: ReactNode }) {
  return (
    <Text component="span" display="block" size="xs" c="dimmed" fw={400} style={{ overflowWrap: 'anywhere' }}>
      {typeof children === 'string' ? atUnderscores(children) : children}
    </Text>
  );
}

/** A code that is too long breaks between its words. */
const atUnderscores = (text: string): ReactNode =>
  text.split('_').map((word, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words of one text, which stay in their order
    <Fragment key={i}>
      {i > 0 ? (
        <>
          _<wbr />
        </>
      ) : null}
      {word}
    </Fragment>
  ));
