// State kept in the URL: a page's path parameters and its filters.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

/** A parameter of the page's path: `usePath('transactionId')` on /transactions/$transactionId. */
export const usePath = (name: string): string => (useParams({ strict: false }) as Record<string, string>)[name] ?? '';

export type Filters = Readonly<Record<string, string | undefined>>;

/** The filters in the URL, and a setter that leaves the others unchanged; undefined or '' removes one. */
export function useFilters(): [Filters, (change: Filters) => void] {
  const filters = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  return [
    filters,
    (change) =>
      void navigate({
        ...{ to: '.', search: ((before: Filters) => ({ ...before, ...change })) as never, replace: true },
        // The page is the same: who filters in its middle stays there.
        resetScroll: false,
      }),
  ];
}

/** Returns the text if it is one of the values; any other text in the address is ignored. */
export const among = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((t) => t === text);

/**
 * The order of a list, as the API writes it: `-amount` is largest first.
 * @param usual the order without one @param asked the one in the URL, if the list has it
 */
export function useSorting(usual: string, asked: string | undefined) {
  const [filters, set] = useFilters();
  const sort = asked ?? usual;
  return {
    by: sort.replace(/^-/, ''),
    descending: sort.startsWith('-'),
    set(by: string, descending: boolean) {
      const next = `${descending ? '-' : ''}${by}`;
      set({ sort: next === usual ? undefined : next });
    },
    reset: filters.sort ? () => set({ sort: undefined }) : undefined,
  };
}
