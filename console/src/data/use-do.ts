// Changing something at the service: says when it is done and when it was refused, and has what is shown asked again.
import type { Input, OperationId } from '@assay/client';
import { notifications } from '@mantine/notifications';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Content, call } from './assay.ts';
import { told } from './errors.ts';
import { usePsp } from './psp.tsx';

export interface DoOptions<O extends OperationId> {
  /** What to say when it is done; nothing is said without it. */
  readonly done?: string | ((content: Content<O>) => string);
  /** The page shows the refusal itself. */
  readonly quiet?: boolean;
  /** For operations that are the operator's own: asked without the chosen PSP. */
  readonly asOperator?: boolean;
  readonly clientId?: string | undefined;
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
      }),
    onSuccess: (content) => {
      const words = typeof options.done === 'function' ? options.done(content) : options.done;
      if (words) notifications.show({ message: words, color: 'verdigris' });
      return queries.invalidateQueries();
    },
    onError: (error) => {
      if (!options.quiet) tellRefusal(error);
    },
  });
}

/** Proposes a change of rates: it is made once another person approves it. */
export const usePropose = () =>
  useDo('openProposal', { asOperator: true, done: 'Proposed; another person has to approve it' });

/** Shows a refusal as a note at the page's corner. */
export function tellRefusal(error: unknown): void {
  const { code, sentence, requestId } = told(error);
  notifications.show({
    title: sentence,
    message: `${code}${requestId ? ` · request ${requestId}` : ''}`,
    color: 'brick',
    autoClose: 12_000,
  });
}
