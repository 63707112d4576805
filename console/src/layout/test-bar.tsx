// Says on every page of a test tenant, to staff and to its own people, that nothing on it is real.

import { Alert, Text } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useChosenPsp, useOwnAccount } from '../data/psps.ts';
import { rich } from '../words/rich.ts';
import { say } from '../words/words.ts';

export function TestBar() {
  const chosen = useChosenPsp();
  const own = useOwnAccount();
  if (!(chosen ?? own)?.isTest) return null;
  return (
    <Alert color="brass" variant="light" role="note" mb="md" py="xs" icon={<IconFlask size={20} aria-hidden />}>
      <Text size="sm">
        {rich('{strong} Everything here was sent with a test key: no money moves, and it counts in no return.', {
          strong: <strong>{say('Test mode.')}</strong>,
        })}
      </Text>
    </Alert>
  );
}
