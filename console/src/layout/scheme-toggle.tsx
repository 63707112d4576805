// Toggles light and dark, and remembers the choice.

import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { say } from '../words/words.ts';

export function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = shown === 'light' ? 'dark' : 'light';
  const words = other === 'light' ? say('Show in light') : say('Show in dark');
  return (
    <Tooltip label={words}>
      <ActionIcon variant="subtle" color="gray" size="lg" onClick={() => setColorScheme(other)} aria-label={words}>
        {shown === 'light' ? <IconMoon size={19} stroke={1.7} /> : <IconSun size={19} stroke={1.7} />}
      </ActionIcon>
    </Tooltip>
  );
}
