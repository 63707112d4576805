// Reads lists page by page: follows each page's cursor until there is none.

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | null;
  /** For numbered lists: the last number of this page. */
  readonly nextAfter?: number | string | null;
}

/** @param fetchPage fetches a page; its argument is added to the query */
export async function* eachItem<T>(fetchPage: (more: object) => Promise<Page<T>>): AsyncIterableIterator<T> {
  let more: object | undefined = {};
  while (more !== undefined) {
    const page: Page<T> = await fetchPage(more);
    yield* page.items;
    more = nextOf(page);
  }
}

function nextOf({ nextCursor, nextAfter }: Page<unknown>): object | undefined {
  if (nextCursor !== undefined && nextCursor !== null) return { cursor: nextCursor };
  if (nextAfter !== undefined && nextAfter !== null) return { after: nextAfter };
  return undefined;
}
