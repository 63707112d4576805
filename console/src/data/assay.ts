// The one client of the console: calls the service that serves the page, as the person who signed in.
import { Assay, type Input, type OperationId, type Output } from '@assay/client';
import { shownText } from './shown-text.ts';

/** Amounts are read as exact text and stay so. */
export const assay = new Assay({ baseUrl: '', session: true, amounts: 'text', timeoutMs: 20_000, retries: 1 });

/** What an operation answers here: amounts as text. */
export type Content<O extends OperationId> = Output<O, string>;

export interface Called {
  readonly pspId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly expand?: string | readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls an operation and gives its content, harmless to show. */
export async function call<O extends OperationId>(operation: O, input: Input<O>, called: Called): Promise<Content<O>> {
  const { content } = await assay.reply(operation, input, called);
  // A receipt is checked byte by byte.
  return operation === 'getReceipt' ? content : shownText(content);
}
