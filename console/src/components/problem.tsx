// An error: the sentence, what can be done about it, the code, the request's id, and a retry button.

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArchive,
  IconHourglass,
  IconLock,
  IconPlugConnectedX,
  IconZoomQuestion,
} from '@tabler/icons-react';
import { isArchived, isAway, isFault, isFinal, isForbidden, isLimited, isNotFound, told } from '../data/errors.ts';
import { rich } from '../words/rich.ts';
import { say } from '../words/words.ts';

interface Props {
  readonly error: unknown;
  readonly retry?: () => void;
}

interface Kind {
  readonly title: string;
  readonly advice?: string;
  readonly color: string;
  readonly icon: typeof IconAlertTriangle;
}

function kindOf(error: unknown): Kind {
  if (isAway(error))
    return {
      title: say('The service cannot be reached'),
      advice: say(
        'Nothing is lost. Check your connection and try again in a moment; what you see may be out of date until then.',
      ),
      color: 'brass',
      icon: IconPlugConnectedX,
    };
  if (isForbidden(error))
    return {
      title: say('You may not see this'),
      advice: say(
        'Your role or your account does not allow it. An administrator can change your role on the page People.',
      ),
      color: 'slate',
      icon: IconLock,
    };
  if (isNotFound(error))
    return {
      title: say('There is no such record'),
      advice: say(
        'It may have been mistyped, or belong to an account whose records you may not see. Press / to search.',
      ),
      color: 'slate',
      icon: IconZoomQuestion,
    };
  if (isLimited(error))
    return {
      title: say('Too many requests at once'),
      advice: say('Nothing is lost. Try again in a moment.'),
      color: 'brass',
      icon: IconHourglass,
    };
  if (isArchived(error)) return { title: say('This is in the archive'), color: 'slate', icon: IconArchive };
  return {
    title: say('This could not be shown'),
    ...(isFault(error)
      ? { advice: say('Try again. If it fails again, tell an administrator the id of the request below.') }
      : {}),
    color: 'brick',
    icon: IconAlertTriangle,
  };
}

export function Problem({ error, retry }: Props) {
  const { code, sentence, requestId } = told(error);
  const { title, advice, color, icon: Icon } = kindOf(error);
  return (
    <Alert color={color} variant="light" icon={<Icon size={20} aria-hidden />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        {isNotFound(error) || isAway(error) ? null : <Text size="sm">{sentence}</Text>}
        {advice ? <Text size="sm">{advice}</Text> : null}
        <Group gap="xs">
          <Code>{code}</Code>
          {requestId ? (
            <Code style={{ overflowWrap: 'anywhere' }}>{rich('request {requestId}', { requestId })}</Code>
          ) : null}
        </Group>
        {retry && !isFinal(error) ? (
          <Button size="xs" variant="default" onClick={retry}>
            {say('Try again')}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}
