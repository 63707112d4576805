// One figure with its name, and what it is compared with or leads to.
import { Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import classes from './stat.module.css';

interface Props {
  readonly name: string;
  readonly value: ReactNode;
  /** A line under the figure. */
  readonly note?: ReactNode;
  /** The rows behind it, as a path of the console. */
  readonly to?: string;
  readonly tone?: 'good' | 'bad' | 'wait';
  /** How long the figure is, where it is no text: long ones are set smaller, and never broken or cut. */
  readonly chars?: number;
}

export function Stat({ name, value, note, to, tone, chars = String(value).length }: Props) {
  return (
    <Paper p="md" className={classes.stat} data-tone={tone}>
      <Text size="sm" c="dimmed">
        {to ? (
          <Link to={to} className={classes.link}>
            {name}
          </Link>
        ) : (
          name
        )}
      </Text>
      <div className={classes.value} data-figure style={{ '--chars': chars } as CSSProperties}>
        {value}
      </div>
      {note ? (
        <Text size="xs" c="dimmed" component="div">
          {note}
        </Text>
      ) : null}
    </Paper>
  );
}
