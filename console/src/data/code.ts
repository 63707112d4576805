// Code that is loaded when it is first needed, also where the service cannot be reached. A browser that did not get a module
// never asks for it again, so a dialog asks for the service first, and a page that failed is loaded again as a whole.
import { NoReplyError } from '@assay/client';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { say } from '../words/words.ts';
import { isAway } from './errors.ts';

/** Fails as a call without a reply if the service does not answer. */
export async function reach(): Promise<void> {
  const answer = await fetch('/health/live', { cache: 'no-store' }).catch((error: unknown) => error);
  if (!(answer instanceof Response && answer.ok)) throw new NoReplyError('away', answer);
}

/** How the router knows a module that is not there. */
const missing = { key: 'Failed to fetch dynamically imported module' };

/**
 * The code of a page. Where it does not come though the service answers, it is of another version of the console: the router
 * loads the new one when it meets this error.
 */
export const codeOf =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  () =>
    load().catch(async (cause: unknown) => {
      await reach();
      throw new Error(`${missing.key} ${cause}`, { cause });
    });

const whyNot = (error: unknown) =>
  isAway(error)
    ? {
        title: say('The service cannot be reached'),
        message: say(
          'Nothing is lost. Check your connection and try again in a moment; what you see may be out of date until then.',
        ),
      }
    : { message: say('The console has a new version: load this page again to go on.') };

/**
 * A part that is loaded when it is first wanted; undefined until it is there. If the service cannot be reached, that is said,
 * and what is shown stays; it is loaded when it is next wanted.
 */
export function usePart<T>(load: () => Promise<T>, wanted: boolean, onFailure?: () => void): T | undefined {
  const [part, setPart] = useState<{ readonly is: T }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: one attempt for each time it is wanted
  useEffect(() => {
    if (!wanted || part) return;
    reach()
      .then(load)
      .then((is) => setPart({ is }))
      .catch((error: unknown) => {
        notifications.show({ color: 'brass', ...whyNot(error) });
        onFailure?.();
      });
  }, [wanted]);
  return part?.is;
}
