// A dialog's footer: cancel, or the dialog's own action.

import { Button, Group, type MantineColor } from '@mantine/core';
import { say } from '../words/words.ts';

interface Props {
  /** A verb. */
  readonly label: string;
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly color?: MantineColor;
  readonly disabled?: boolean;
}

export function DialogActions({ label, busy, onCancel, color, disabled = false }: Props) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {say('Cancel')}
      </Button>
      <Button type="submit" loading={busy} disabled={disabled} {...(color ? { color } : {})}>
        {label}
      </Button>
    </Group>
  );
}
