// A moment: the absolute time with its zone, and the time since then.

import { Text, Tooltip } from '@mantine/core';
import { absolute, exact, relative, withoutZone } from '../data/moments.ts';
import { useNow } from '../data/now.ts';
import { useZone } from '../data/use-zone.ts';
import { between } from '../words/words.ts';
import { Nothing } from './nothing.tsx';
import classes from './text.module.css';

interface Props {
  /** ISO 8601 text from the API; null or undefined shows a dash. */
  readonly at: string | null | undefined;
  /** `both` is one line: 21 Nov 2026, 10:04 UTC · 3 minutes ago; `short` omits the zone, which the heading gives. */
  readonly show?: 'absolute' | 'short' | 'relative' | 'both';
}

export function Stamp({ at, show = 'absolute' }: Props) {
  const now = useNow();
  const zone = useZone();
  if (!at) return <Nothing />;
  const ago = relative(at, now);
  return (
    <Tooltip label={show === 'absolute' || show === 'short' ? `${exact(at, zone)} · ${ago}` : exact(at, zone)}>
      <time dateTime={at}>
        <span className={classes.figures}>{words(at, zone, show, ago)}</span>
        {show === 'both' ? (
          <Text component="span" inherit c="dimmed">
            {between}
            {ago}
          </Text>
        ) : null}
      </time>
    </Tooltip>
  );
}

const words = (at: string, zone: string, show: Props['show'], ago: string): string =>
  show === 'relative' ? ago : show === 'short' ? withoutZone(at, zone) : absolute(at, zone);
