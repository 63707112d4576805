// Where the rows of a list come from: what asks for their number, and the whole of it as a file that the service writes.

import type { FileId, Input, ListId } from '@assay/client';
import { language } from '../words/language.ts';
import { say } from '../words/words.ts';
import { assay, type Called } from './assay.ts';

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

/** How many rows the filters find. */
export interface Total {
  readonly rows: number;
  readonly more: boolean;
}

/**
 * What asks for the number of rows with the first page of a list that is shown as a whole. A list with a limit of its own shows a
 * part of a page, which says no number.
 */
export const askedToCount = (operation: string, input: object): object =>
  operation in counted && !('limit' in input) ? { count: 'true' } : {};

export interface ListFile {
  readonly name: string;
  readonly text: string;
  /** Whether these are all rows, as the last line says. */
  readonly whole: boolean;
}

/** The last line as the service words it, in each language: first if all rows are there, then if not. */
const endings = ['End of the list', 'Not all rows', 'Fin de la liste', 'Pas toutes les lignes'] as const;
const lastLine = new RegExp(`(?:^|\\n)"?((?:${endings.join('|')})[\\s\\u00a0]?:[^"\\r\\n]*)"?[,;]*\\r\\n$`);

/** The whole list as CSV, in the language of the console. */
export async function fetchFile({ operation, input, called }: ListSource): Promise<ListFile> {
  const options = { ...called, language, timeoutMs: 600_000 };
  const { content, headers } = await assay.csv(operation, input as Input<FileId>, options);
  const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? `${operation}.csv`;
  const ending = lastLine.exec(content)?.[1];
  if (ending === undefined) throw new Error(say('the file did not come to its end; download it again'));
  return { name, text: content, whole: !/^(?:Not all|Pas toutes)/.test(ending) };
}
