// Toggles light and dark, and remembers the choice.
import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

export function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = shown === 'light' ? 'dark' : 'light';
  return (
    <Tooltip label={`Show in ${other}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        onClick={() => setColorScheme(other)}
        aria-label={`Show in ${other}`}
      >
        {shown === 'light' ? <IconMoon size={19} stroke={1.7} /> : <IconSun size={19} stroke={1.7} />}
      </ActionIcon>
    </Tooltip>
  );
}
