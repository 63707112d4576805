// Reading from the service: one operation, or a list page by page, for the chosen PSP.
import type { Input, Item, ListId, OperationId } from '@assay/client';
import {
  keepPreviousData,
  replaceEqualDeep,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Paged } from '../components/plain-table.tsx';
import { type Content, call, firstOf, keptAs } from './assay.ts';
import { isFinal, isPassing } from './errors.ts';
import { askedToCount, type Total } from './list-source.ts';
import { usePsp } from './psp.tsx';

export interface ReadOptions {
  /** Not fetched while false. */
  readonly enabled?: boolean;
  /** Polling interval in milliseconds while the page is visible; false stops polling. */
  readonly every?: number | false;
  /** For operator operations: called without the chosen PSP. */
  readonly asOperator?: boolean;
  /** Overrides the chosen PSP; for operators only. */
  readonly pspId?: string | undefined;
  /** The client this call is about. */
  readonly clientId?: string | undefined;
  /** Further parts of the reply, such as 'tax,fees,decision'. */
  readonly expand?: string;
}

/** Content of an operation: `useOp('getTransaction', { transactionId })`. `data` is undefined until it is loaded. */
export function useOp<O extends OperationId>(
  operation: O,
  input?: Input<O>,
  options: ReadOptions & {
    /** With `every`: polls until this returns true, such as the end of a job. */
    readonly until?: (content: Content<O>) => boolean;
    /** What takes the service long: it is waited for, and not asked for again while it is shown. */
    readonly slow?: boolean;
  } = {},
): UseQueryResult<Content<O>> {
  const { pspId } = usePsp();
  const called = calledAs(pspId, options);
  const slow = options.slow ? { timeoutMs: 300_000 } : {};
  const query = useQuery<Content<O>>({
    queryKey: [operation, called, input ?? {}],
    queryFn: ({ signal }) => call(operation, (input ?? {}) as Input<O>, { ...called, ...slow, signal }),
    enabled: options.enabled ?? true,
    ...(options.slow ? { staleTime: Number.POSITIVE_INFINITY } : {}),
    structuralSharing: (before, read) => keptAs(replaceEqualDeep(before, read), read),
    refetchInterval: ({ state }) =>
      isFinal(state.error) || (state.data && options.until?.(state.data)) ? false : (options.every ?? false),
  });
  // While the service cannot answer, what was read stays, and so do the forms on it; the frame says so.
  return query.data !== undefined && isPassing(query.error) ? ({ ...query, error: null } as typeof query) : query;
}

/** A list for DataTable: `usePages('listTransactions', { status: 'DECLINED' })`. Empty filters are left out. */
export function usePages<O extends ListId>(
  operation: O,
  input?: Input<O>,
  options: ReadOptions = {},
): Paged<Item<O, string>> & { readonly fetching: boolean } {
  const { pspId } = usePsp();
  const called = calledAs(pspId, options);
  const asked = withoutEmpty(input ?? {});
  const query = useInfiniteQuery({
    queryKey: [operation, called, asked, 'pages'],
    queryFn: async ({ pageParam, signal }) => {
      const counts = 'cursor' in pageParam || 'after' in pageParam ? {} : askedToCount(operation, asked);
      const page = await call(operation, { ...asked, ...counts, ...pageParam } as Input<O>, { ...called, signal });
      return page as unknown as ListPage<Item<O, string>>;
    },
    initialPageParam: {} as object,
    getNextPageParam: (last: ListPage<unknown>) => nextOf(last),
    placeholderData: keepPreviousData,
    enabled: options.enabled ?? true,
    refetchInterval: ({ state }) => (isFinal(state.error) ? false : (options.every ?? false)),
  });
  const rows = useMemo(() => query.data?.pages.flatMap((p) => p.items), [query.data]);
  const listed: ListId = operation;
  const isFile = listed !== 'findRecords' && (options.enabled ?? true);
  return {
    rows,
    source: isFile ? { operation: listed, input: asked, called } : undefined,
    error: query.error ?? undefined,
    loading: query.isPending && (options.enabled ?? true),
    stale: query.isPlaceholderData,
    total: query.data?.pages[0]?.total ?? null,
    fetching: query.isFetching,
    more: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}

/** The largest page of a list. */
const largestPage = 200;

/** Most items that `useAll` reads. */
export const most = 1_000;

/**
 * All items of a list, read page by page, for names and choices; the first `most` of a longer one. Undefined until they are
 * loaded.
 */
export function useAll<O extends ListId>(
  operation: O,
  input: Input<O>,
  options: ReadOptions = {},
): readonly Item<O, string>[] | undefined {
  return useWhole(operation, input, most, options).data;
}

/**
 * The items of a list for figures of all of them, at most so many, read page by page. A list of many pages is polled
 * as many times less often.
 */
export function useWhole<O extends ListId>(
  operation: O,
  input: Input<O>,
  atMost: number,
  options: ReadOptions = {},
): UseQueryResult<readonly Item<O, string>[]> {
  const { pspId } = usePsp();
  const called = calledAs(pspId, options);
  const query = useQuery<readonly Item<O, string>[]>({
    queryKey: [operation, called, input, 'whole', atMost],
    queryFn: ({ signal }) =>
      firstOf(operation, { ...(input as object), limit: largestPage } as Input<O>, atMost, { ...called, signal }),
    enabled: options.enabled ?? true,
    refetchInterval: ({ state }) =>
      isFinal(state.error) || !options.every
        ? false
        : options.every * Math.max(1, Math.ceil((state.data?.length ?? 0) / largestPage)),
  });
  return query.data !== undefined && isPassing(query.error) ? ({ ...query, error: null } as typeof query) : query;
}

interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | null;
  readonly nextAfter?: number | string | null;
  readonly total?: Total | null;
}

function nextOf({ nextCursor, nextAfter }: ListPage<unknown>): object | undefined {
  if (nextCursor) return { cursor: nextCursor };
  if (nextAfter !== undefined && nextAfter !== null) return { after: nextAfter };
  return undefined;
}

function calledAs(chosen: string | undefined, o: ReadOptions) {
  const pspId = o.pspId ?? (o.asOperator ? undefined : chosen);
  return {
    ...(pspId ? { pspId } : {}),
    ...(o.clientId ? { clientId: o.clientId } : {}),
    ...(o.expand ? { expand: o.expand } : {}),
  };
}

const withoutEmpty = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, v]) => v !== undefined && v !== '' && v !== null));
