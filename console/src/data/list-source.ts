// Where the rows of a list come from: its number of rows, and the whole of it as a file that the service writes.

import type { FileId, Input, ListId } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { say } from '../words/words.ts';
import { assay, type Called, call } from './assay.ts';

/** A list as it was asked for. */
export interface ListSource {
  readonly operation: FileId;
  readonly input: object;
  readonly called: Called;
}

type Counted = { [O in ListId]: 'count' extends keyof Input<O> ? O : never }[ListId];

/** Lists whose rows the service counts. */
const counted: Readonly<Record<Counted, true>> = {
  listTransactions: true,
  listClients: true,
  listAccounts: true,
  listBaskets: true,
  listWagers: true,
  listPayouts: true,
  listCdrs: true,
  listCdrFiles: true,
  listDeliveries: true,
  listDisputes: true,
  listReviews: true,
  listCases: true,
  listJournal: true,
  listOwnKeys: true,
  listAllKeys: true,
  listRequests: true,
  listAuthorityRecords: true,
};

export interface Total {
  readonly rows: number;
  readonly more: boolean;
}

/** How many rows the filters find; null if the service does not know, undefined until it has answered. */
export function useTotal({ operation, input, called }: ListSource): Total | null | undefined {
  const counts = operation in counted;
  const { data, isError } = useQuery<Total | null>({
    queryKey: [operation, called, input, 'total'],
    queryFn: async ({ signal }) => {
      const asked = { ...withoutOrder(input), limit: 1, count: 'true' } as Input<Counted>;
      const page = await call(operation as Counted, asked, { ...called, signal });
      const { total } = page as { readonly total?: Total | null };
      return total ?? null;
    },
    enabled: counts,
  });
  return counts && !isError ? data : null;
}

/** The order decides nothing about the number. */
const withoutOrder = (input: object): object => ({ ...input, sort: undefined });

export interface ListFile {
  readonly name: string;
  readonly text: string;
  /** The last line: whether these are all rows, and as of when. */
  readonly ending: string;
}

/** The whole list as CSV. */
export async function fetchFile({ operation, input, called }: ListSource): Promise<ListFile> {
  const { content, headers } = await assay.csv(operation, input as Input<FileId>, { ...called, timeoutMs: 600_000 });
  const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? `${operation}.csv`;
  const ending = /(?:^|\n)"?((?:End of the list|Not all rows):[^"\r\n]*)"?,*\r\n$/.exec(content)?.[1];
  if (ending === undefined) throw new Error(say('the file did not come to its end; download it again'));
  return { name, text: content, ending };
}
