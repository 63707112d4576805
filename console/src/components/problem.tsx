// An error: the sentence, the code, the request's id, and a retry button.
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { told } from '../data/errors.ts';

interface Props {
  readonly error: unknown;
  readonly retry?: () => void;
}

export function Problem({ error, retry }: Props) {
  const { code, sentence, requestId } = told(error);
  return (
    <Alert
      color="brick"
      variant="light"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title="This could not be shown"
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentence}</Text>
        <Group gap="xs">
          <Code>{code}</Code>
          {requestId ? <Code style={{ overflowWrap: 'anywhere' }}>request {requestId}</Code> : null}
        </Group>
        {retry ? (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}
