// An id or a ref: short in tables, whole in details, with a copy button. An id leads to its page, unless that is the page
// it is shown on.

import { ActionIcon, Anchor, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { isId, shortened } from '../data/places.ts';
import { say } from '../words/words.ts';
import { Nothing } from './nothing.tsx';
import classes from './text.module.css';

interface Props {
  readonly value: string | null | undefined;
  /** The console path it links to; without it an id is looked up by /go. */
  readonly to?: string;
  /** Shows every character. */
  readonly full?: boolean;
  /** What it is, for the copy button: "Copy transaction id". */
  readonly what?: string;
  readonly copy?: boolean;
}

export function Id({ value, to: given, full = false, what = 'id', copy = true }: Props) {
  const here = useRouterState({ select: (s) => s.location.pathname });
  if (!value) return <Nothing />;
  // Without a copy button it stands within another link.
  const to = given ?? (copy && isId(value) && !here.endsWith(value) ? `/go/${value}` : undefined);
  const text = full ? value : shortened(value);
  const shape = full ? classes.id : `${classes.id} ${classes.short}`;
  return (
    <span className={classes.copied}>
      {to ? (
        <Anchor component={Link} to={to} className={shape} title={value}>
          {text}
        </Anchor>
      ) : (
        <span className={shape} title={value}>
          {text}
        </span>
      )}
      {copy ? (
        <CopyButton value={value} timeout={1500}>
          {({ copied, copy: press }) => (
            <Tooltip label={copied ? say('Copied') : say('Copy {what}', { what })}>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                onClick={press}
                aria-label={copied ? say('Copied') : say('Copy {what} {value}', { what, value })}
              >
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      ) : null}
    </span>
  );
}
