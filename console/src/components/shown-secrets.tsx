// Secrets shown only once in the dialog that created them, each with a copy button, and a warning.

import { ActionIcon, Alert, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { say } from '../words/words.ts';

interface Props {
  readonly secrets: readonly (readonly [name: string, value: string])[];
}

export function ShownSecrets({ secrets }: Props) {
  return (
    <Stack>
      <Alert color="brass" variant="light" icon={<IconKey size={20} aria-hidden />}>
        <Text size="sm">{say('Shown this once and kept nowhere in the clear. Copy it before you close this.')}</Text>
      </Alert>
      {secrets.map(([name, value]) => (
        <Group key={name} align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            label={name}
            value={value}
            readOnly
            style={{ flex: 1 }}
            onFocus={(e) => e.currentTarget.select()}
          />
          <CopyButton value={value} timeout={1500}>
            {({ copied, copy }) => (
              <ActionIcon
                size="input-sm"
                variant="default"
                onClick={copy}
                aria-label={copied ? say('Copied') : say('Copy {name}', { name })}
              >
                {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              </ActionIcon>
            )}
          </CopyButton>
        </Group>
      ))}
    </Stack>
  );
}
