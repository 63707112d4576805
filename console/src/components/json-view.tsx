// JSON from the API, to read and copy.

import { Box, Button, CopyButton } from '@mantine/core';
import { say } from '../words/words.ts';
import classes from './text.module.css';

export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return (
    <Box pos="relative">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" pos="absolute" top={8} right={8} onClick={copy}>
            {copied ? say('Copied') : say('Copy')}
          </Button>
        )}
      </CopyButton>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.json} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
    </Box>
  );
}
