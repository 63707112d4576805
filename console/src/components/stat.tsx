// One figure with its name, a comparison and an optional link.
import { Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import classes from './stat.module.css';

interface Props {
  readonly name: string;
  readonly value: ReactNode;
  /** A line under the figure. */
  readonly note?: ReactNode;
  /** Console path of the rows behind it. */
  readonly to?: string;
  readonly tone?: 'good' | 'bad' | 'wait';
  /**
   * Length of the figure in characters, if it is not text: long figures get a smaller font and are never wrapped or
   * cut.
   */
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
