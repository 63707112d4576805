// The events of one record in order, each with its time and actor.

import { Timeline as Line, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { rich } from '../words/rich.ts';
import { between } from '../words/words.ts';
import { Stamp } from './stamp.tsx';
import type { Tone } from './status-badge.tsx';

export interface Happening {
  readonly key: string;
  readonly title: ReactNode;
  readonly at: string | null | undefined;
  readonly by?: ReactNode;
  readonly body?: ReactNode;
  readonly tone?: Tone;
}

const colors: Record<Tone, string> = { good: 'verdigris', bad: 'brick', wait: 'brass', note: 'slate', quiet: 'gray' };

export function Timeline({ items, label }: { readonly items: readonly Happening[]; readonly label: string }) {
  return (
    <Line bulletSize={14} lineWidth={2} active={items.length} aria-label={label} role="list">
      {items.map((i) => (
        <Line.Item key={i.key} title={i.title} color={colors[i.tone ?? 'quiet']} role="listitem">
          <Text size="sm" c="dimmed" component="div">
            <Stamp at={i.at} show="both" />
            {i.by ? (
              <>
                {between}
                {rich('by {by}', { by: i.by })}
              </>
            ) : null}
          </Text>
          {i.body ? (
            <Text size="sm" mt={4} component="div">
              {i.body}
            </Text>
          ) : null}
        </Line.Item>
      ))}
    </Line>
  );
}
