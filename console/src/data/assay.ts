// The console's only API client: calls the service that serves the page, as the signed-in person.
import { Assay, type Input, type Item, type ListId, type OperationId, type Output } from '@assay/client';
import { language } from '../words/language.ts';
import { shownText } from './shown-text.ts';

/** Amounts are exact text throughout. */
export const assay = new Assay({
  baseUrl: '',
  session: true,
  amounts: 'text',
  timeoutMs: 20_000,
  retries: 1,
  language,
});

/** Content of an operation's reply, with amounts as text. */
export type Content<O extends OperationId> = Output<O, string>;

export interface Called {
  readonly pspId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly expand?: string | readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

const tags = new WeakMap<object, string>();

/** The entity tag of what was read, for a change that shall not undo that of somebody else. */
export const tagOf = (read: object | undefined): string | undefined => read && tags.get(read);

/** Gives what is kept in place of what was read its tag. */
export function keptAs<T>(kept: T, read: unknown): T {
  const tag = tagOf(read as object);
  if (tag !== undefined) tags.set(kept as object, tag);
  return kept;
}

/** Calls an operation and returns its content, made safe to display. */
export async function call<O extends OperationId>(operation: O, input: Input<O>, called: Called): Promise<Content<O>> {
  const { content, etag } = await assay.reply(operation, input, called);
  // A receipt is checked byte by byte, and a country file is proposed again: their text stays unchanged.
  const shown = operation === 'getReceipt' || operation === 'getTaxFile' ? content : shownText(content);
  if (etag !== undefined) tags.set(shown as unknown as object, etag);
  return shown;
}

/** The first items of a list, at most so many, read page by page and made safe to display. */
export async function firstOf<O extends ListId>(
  operation: O,
  input: Input<O>,
  most: number,
  called: Called,
): Promise<Item<O, string>[]> {
  const found: Item<O, string>[] = [];
  for await (const item of assay.pages(operation, input, called)) {
    found.push(shownText(item));
    if (found.length === most) break;
  }
  return found;
}
