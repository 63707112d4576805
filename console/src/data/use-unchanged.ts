// For a form that replaces a whole, such as the rules that decline and hold: what another person saved meanwhile is not overwritten.

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { say } from '../words/words.ts';
import { isNotFound } from './errors.ts';
import { tellRefusal } from './use-do.ts';

interface Read {
  readonly data: unknown;
  refetch(): Promise<{ readonly data: unknown; readonly error: Error | null }>;
}

/** Asks the service before the form is sent whether what it was opened with is still so; if not, that is said. */
export function useUnchanged(read: Read): () => Promise<boolean> {
  const [opened] = useState(() => JSON.stringify(read.data));
  return async () => {
    const { data, error } = await read.refetch();
    if (error && !isNotFound(error)) {
      tellRefusal(error);
      return false;
    }
    if (JSON.stringify(data) === opened) return true;
    notifications.show({
      title: say('Somebody has changed this since you opened it.'),
      message: say('Nothing is saved. Close it and open it again: it then has what is there now.'),
      color: 'brick',
      autoClose: 12_000,
    });
    return false;
  };
}
