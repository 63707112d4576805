// Parts that all sections of findings share.
import { mostLines } from '../../../core/cdr/thresholds.ts';
import type { CellType, ReportColumn } from '../../../core/reports/document.ts';
import { accountWire } from '../../../core/transaction.ts';
import { accountOf, type FindingsScope } from './slice.ts';

export const column = (name: string, title: string, type: CellType): ReportColumn => ({ name, title, type });

/** Who reports. */
export const account: readonly ReportColumn[] = [
  column('clientId', 'Account', 'text'),
  column('operator', 'Operator', 'text'),
];

export const operatorCells = (s: FindingsScope, id: string): string[] => [
  accountWire(s.psp, id),
  accountOf(s, id).name,
];

/** A list that ends somewhere, and how many there are in all. */
export interface Listed<T> {
  count: number;
  readonly listed: T[];
}

export const emptyList = <T>(): Listed<T> => ({ count: 0, listed: [] });

/** Puts a day's list behind those of the days before. */
export function append<T>(to: Listed<T>, more: { count: number; listed: readonly T[] }): void {
  to.count += more.count;
  to.listed.push(...more.listed.slice(0, mostLines - to.listed.length));
}

/** The sentence of a section, and what its list leaves out. */
export const noteOf = (sentence: string, list: Listed<unknown>): string =>
  list.count > list.listed.length
    ? `${sentence} There are ${list.count} in all; the first ${list.listed.length} are listed.`
    : sentence;
