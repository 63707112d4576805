// Says above a page that the service cannot be reached while what was read before is still shown, and reads it again until it
// can.

import { Alert, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { isAway } from '../data/errors.ts';
import { say } from '../words/words.ts';

const everyMs = 5_000;

const isStale = (q: Query): boolean => q.isActive() && q.state.data !== undefined && isAway(q.state.error);

export function AwayBar() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const away = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => cache.getAll().some(isStale),
  );
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(() => void queries.refetchQueries({ predicate: isStale }), everyMs);
    return () => clearInterval(timer);
  }, [away, queries]);
  return away ? (
    <Alert color="brass" role="status" mb="md" py="xs" icon={<IconPlugConnectedX size={20} aria-hidden />}>
      <Text size="sm">
        {say('The service cannot be reached. What you see was read before; it is brought up to date by itself.')}
      </Text>
    </Alert>
  ) : null;
}
