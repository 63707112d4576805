// A moment: the absolute time with its zone, and how long ago that is.
import { Text, Tooltip } from '@mantine/core';
import { absolute, exact, relative } from '../data/moments.ts';
import { useNow } from '../data/now.ts';
import { Nothing } from './nothing.tsx';
import classes from './text.module.css';

interface Props {
  /** ISO 8601 text as the API gives it; nothing shows a dash. */
  readonly at: string | null | undefined;
  /** `both` stands on one line: 21 Nov 2026, 10:04 UTC · 3 minutes ago. */
  readonly show?: 'absolute' | 'relative' | 'both';
}

export function Stamp({ at, show = 'absolute' }: Props) {
  const now = useNow();
  if (!at) return <Nothing />;
  const ago = relative(at, now);
  return (
    <Tooltip label={show === 'absolute' ? `${exact(at)} · ${ago}` : exact(at)}>
      <time dateTime={at}>
        <span className={classes.figures}>{show === 'relative' ? ago : absolute(at)}</span>
        {show === 'both' ? (
          <Text component="span" inherit c="dimmed">
            {' '}
            · {ago}
          </Text>
        ) : null}
      </time>
    </Tooltip>
  );
}
