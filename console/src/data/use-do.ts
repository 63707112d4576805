// Changing data at the service: reports success and refusal, and refetches what is shown.

import type { Input, OperationId } from '@assay/client';
import { notifications } from '@mantine/notifications';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { say } from '../words/words.ts';
import { type Content, call } from './assay.ts';
import { isAway, isConflict, told } from './errors.ts';
import { usePsp } from './psp.tsx';
import { isSignedOut } from './session.tsx';

export interface DoOptions<O extends OperationId> {
  /** The success message; none is shown without it. */
  readonly done?: string | ((content: Content<O>) => string);
  /** The page shows the refusal itself. */
  readonly quiet?: boolean;
  /** For operator operations: called without the chosen PSP. */
  readonly asOperator?: boolean;
  readonly clientId?: string | undefined;
  /**
   * The tag (`tagOf`) of what a form was opened with; null where there was nothing. If somebody was first, nothing is saved, and that
   * is said.
   */
  readonly basedOn?: string | null | undefined;
}

/** `const pause = useDo('pauseWebhook', { done: 'Paused' }); await pause.mutateAsync({ webhookId, reason })`. */
export function useDo<O extends OperationId>(
  operation: O,
  options: DoOptions<O> = {},
): UseMutationResult<Content<O>, Error, Input<O>> {
  const { pspId } = usePsp();
  const queries = useQueryClient();
  return useMutation<Content<O>, Error, Input<O>>({
    mutationFn: (input) =>
      call(operation, input, {
        ...(pspId && !options.asOperator ? { pspId } : {}),
        ...(options.clientId ? { clientId: options.clientId } : {}),
        ...(options.basedOn ? { ifMatch: options.basedOn } : {}),
        ...(options.basedOn === null ? { ifNoneMatch: '*' } : {}),
      }),
    onSuccess: (content) => {
      const words = typeof options.done === 'function' ? options.done(content) : options.done;
      if (words) notifications.show({ message: words, color: 'verdigris' });
      return queries.invalidateQueries();
    },
    onError: (error) => {
      const isLate = told(error).code === 'PRECONDITION';
      if (isLate && options.basedOn) tellLate();
      else if (!options.quiet && !isSignedOut(error)) tellRefusal(error);
      // It may have been done, or somebody else was first: what is shown then says so.
      if (isAway(error) || isLate || isConflict(error)) void queries.invalidateQueries();
    },
  });
}

/** Proposes a change of rates, which takes effect once another person approves it. */
export const usePropose = () =>
  useDo('openProposal', { asOperator: true, done: say('Proposed; another person has to approve it') });

/** Says that what another person saved meanwhile was not overwritten. */
function tellLate(): void {
  notifications.show({
    title: say('Somebody has changed this since you opened it.'),
    message: say('Nothing is saved. Close it and open it again: it then has what is there now.'),
    color: 'brick',
    autoClose: 12_000,
  });
}

/** Shows a refusal as a notification. */
export function tellRefusal(error: unknown): void {
  const { code, sentence, requestId } = told(error);
  notifications.show({
    title: sentence,
    message: `${code}${requestId ? ` · ${say('request {requestId}', { requestId })}` : ''}`,
    color: 'brick',
    autoClose: 12_000,
  });
}
