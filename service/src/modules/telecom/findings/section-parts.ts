// Parts shared by all sections of findings.

import { mostLines } from '../../../core/cdr/thresholds.ts';
import type { Text } from '../../../core/reports/document.ts';
import { clientId, text } from '../../../core/reports/table.ts';
import { phrase, said } from '../../../core/said.ts';
import { accountOf, type FindingsScope } from './slice.ts';

/** Columns of the reporting account. */
export const operator = (s: FindingsScope) => [
  clientId(s.psp, 'Account'),
  text('operator', 'Operator', (row: { readonly account: string }) => accountOf(s, row.account).name),
];

/** A list cut off at a limit, with the total count. */
export interface Listed<T> {
  count: number;
  readonly listed: T[];
}

export const emptyList = <T>(): Listed<T> => ({ count: 0, listed: [] });

/** Appends a day's list to those of earlier days. */
export function append<T>(to: Listed<T>, more: { count: number; listed: readonly T[] }): void {
  to.count += more.count;
  to.listed.push(...more.listed.slice(0, mostLines - to.listed.length));
}

/** The note of a section; if its list is cut off, with the total count. */
export const noteOf = (sentence: Text, list: Listed<unknown>): Text =>
  list.count > list.listed.length
    ? said`${phrase(sentence)} There are ${list.count} in all; the first ${list.listed.length} are listed.`
    : sentence;
