// Recovery codes, shown once: to copy or to print.

import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { say } from '../words/words.ts';

interface Props {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

export function RecoveryCodes({ codes, onDone }: Props) {
  return (
    <Stack>
      <Alert color="brass" variant="light" icon={<IconKey size={20} aria-hidden />}>
        <Text size="sm">
          {say(
            'Shown this once. Each signs you in one time if you lose your second factor. Keep them where your telephone is not.',
          )}
        </Text>
      </Alert>
      {/* biome-ignore lint/a11y/useSemanticElements: a group has no element of its own */}
      <div role="group" aria-label={say('Recovery codes')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {codes.map((code) => (
            <Code key={code} block>
              {code}
            </Code>
          ))}
        </SimpleGrid>
      </div>
      <Group justify="flex-end">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? say('Copied') : say('Copy all')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>{say('I have kept them')}</Button>
      </Group>
    </Stack>
  );
}
