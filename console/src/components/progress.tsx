// Progress of running work, in words and as a bar.

import { Progress as Bar, Group, Stack, Text } from '@mantine/core';
import { percent } from '../data/amounts.ts';
import { locale } from '../words/language.ts';
import { say } from '../words/words.ts';

interface Props {
  readonly label: string;
  readonly done: number;
  /** Unknown until the work has been counted. */
  readonly total?: number | null;
  readonly unit?: string;
  readonly failed?: boolean;
}

export function Progress({ label, done, total, unit = '', failed = false }: Props) {
  const known = total !== null && total !== undefined && total > 0;
  const share = known ? Math.min(100, Math.floor((done * 100) / total)) : 100;
  const count = done.toLocaleString(locale);
  const words = known
    ? say('{count} of {total} {unit} · {share}', {
        count,
        total: total.toLocaleString(locale),
        unit,
        share: percent(share),
      })
    : `${count} ${unit}`;
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{label}</Text>
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {words}
        </Text>
      </Group>
      <Bar.Root size="sm">
        <Bar.Section
          value={share}
          color={failed ? 'brick' : 'verdigris'}
          animated={!known || share < 100}
          aria-label={label}
          aria-valuetext={words}
        />
      </Bar.Root>
    </Stack>
  );
}
