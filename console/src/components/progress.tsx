// Progress of running work, in words and as a bar.
import { Progress as Bar, Group, Stack, Text } from '@mantine/core';

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
  const percent = known ? Math.min(100, Math.floor((done * 100) / total)) : 100;
  const count = done.toLocaleString('en');
  const words = known ? `${count} of ${total.toLocaleString('en')} ${unit} · ${percent} %` : `${count} ${unit}`;
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
          value={percent}
          color={failed ? 'brick' : 'verdigris'}
          animated={!known || percent < 100}
          aria-label={label}
          aria-valuetext={words}
        />
      </Bar.Root>
    </Stack>
  );
}
