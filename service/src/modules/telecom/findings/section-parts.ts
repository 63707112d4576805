// Parts shared by all sections of findings.
import { mostLines } from '../../../core/cdr/thresholds.ts';
import type { CellType, ReportColumn } from '../../../core/reports/document.ts';
import { accountWire } from '../../../core/transaction.ts';
import { accountOf, type FindingsScope } from './slice.ts';

export const column = (name: string, title: string, type: CellType): ReportColumn => ({ name, title, type });

/** Columns of the reporting account. */
export const account: readonly ReportColumn[] = [
  column('clientId', 'Account', 'text'),
  column('operator', 'Operator', 'text'),
];

export const operatorCells = (s: FindingsScope, id: string): string[] => [
  accountWire(s.psp, id),
  accountOf(s, id).name,
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
export const noteOf = (sentence: string, list: Listed<unknown>): string =>
  list.count > list.listed.length
    ? `${sentence} There are ${list.count} in all; the first ${list.listed.length} are listed.`
    : sentence;
