// The columns of a list as boxes to tick: loaded when somebody opens them.
import { Checkbox, Stack } from '@mantine/core';

interface Props {
  readonly choices: readonly { readonly key: string; readonly header: string; readonly isShown: boolean }[];
  readonly show: (key: string, shows: boolean) => void;
}

export default function ColumnChoices({ choices, show }: Props) {
  return (
    <Stack gap="xs">
      {choices.map((c) => (
        <Checkbox
          key={c.key}
          size="xs"
          label={c.header}
          checked={c.isShown}
          onChange={(e) => show(c.key, e.currentTarget.checked)}
        />
      ))}
    </Stack>
  );
}
