// Secrets that are shown only once, each with its name and a copy button; the caller provides the dialog.

import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { say } from '../words/words.ts';

interface Props {
  /** Name and value: ['API key', 'assay_…']. */
  readonly secrets: readonly (readonly [name: string, value: string])[];
}

export function ShownOnce({ secrets }: Props) {
  return (
    <Stack>
      <Alert color="brass" variant="light" icon={<IconKey size={20} aria-hidden />}>
        <Text size="sm">{say('Shown this once, and kept nowhere in the clear. Copy it before you close this.')}</Text>
      </Alert>
      {secrets.map(([name, value]) => (
        <div key={name}>
          <Group justify="space-between" mb={4}>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <CopyButton value={value}>
              {({ copied, copy }) => (
                <Button size="compact-xs" variant="default" onClick={copy} aria-label={say('Copy {name}', { name })}>
                  {copied ? say('Copied') : say('Copy')}
                </Button>
              )}
            </CopyButton>
          </Group>
          {/* biome-ignore lint/a11y/useSemanticElements: a group has no element of its own */}
          <div role="group" aria-label={name}>
            <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {value}
            </Code>
          </div>
        </div>
      ))}
    </Stack>
  );
}
