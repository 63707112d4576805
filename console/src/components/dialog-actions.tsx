// A dialog's footer: cancel, or the dialog's own action.

import { Button, Group, type MantineColor } from '@mantine/core';
import { useEffect, useState } from 'react';
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

/** For a dialog that exists only while it is open: when it is closed, the focus is back on what opened it. */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );
}
