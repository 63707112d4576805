// Says above a page that the service cannot be reached while what was read before is still shown, and reads it again until it
// can.

import { Alert, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { isAway, isPassing } from '../data/errors.ts';
import { say } from '../words/words.ts';

const everyMs = 5_000;

const isStale = (q: Query): boolean => q.isActive() && q.state.data !== undefined && isPassing(q.state.error);

/** Why what is shown is not read again now. */
function reasonIn(queries: readonly Query[]): 'away' | 'limited' | undefined {
  const stale = queries.filter(isStale);
  if (stale.length === 0) return undefined;
  return stale.some((q) => isAway(q.state.error)) ? 'away' : 'limited';
}

export function AwayBar() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const reason = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => reasonIn(cache.getAll()),
  );
  const away = reason !== undefined;
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(() => void queries.refetchQueries({ predicate: isStale }), everyMs);
    return () => clearInterval(timer);
  }, [away, queries]);
  return away ? (
    <Alert color="brass" role="status" mb="md" py="xs" icon={<IconPlugConnectedX size={20} aria-hidden />}>
      <Text size="sm">
        {reason === 'limited'
          ? say('Too many requests at once. What you see was read before; it is brought up to date by itself.')
          : say('The service cannot be reached. What you see was read before; it is brought up to date by itself.')}
      </Text>
    </Alert>
  ) : null;
}
