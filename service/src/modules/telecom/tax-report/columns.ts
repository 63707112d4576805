// What the tax report's sections have in common: columns, how an operator is named, and the way to the records.
import type { PspId } from '../../../core/ids.ts';
import type { CellType, ReportColumn } from '../../../core/reports/document.ts';
import { accountWire } from '../../../core/transaction.ts';

export const column = (name: string, title: string, type: CellType = 'text'): ReportColumn => ({ name, title, type });

/** Of a report about several operators. */
export const operatorColumns: readonly ReportColumn[] = [column('clientId', 'Operator'), column('operator', 'Name')];

export interface Operators {
  readonly psp: PspId;
  /** Whether the report is about one, so that no column names it. */
  readonly single: boolean;
  /** Names by account (uuid), in the order they are told. */
  readonly names: ReadonlyMap<string, string>;
}

export const operatorCells = (o: Operators, account: string): readonly string[] =>
  o.single ? [] : [accountWire(o.psp, account), o.names.get(account) ?? ''];

export const withOperator = (o: Operators, columns: readonly ReportColumn[]): readonly ReportColumn[] =>
  o.single ? columns : [...operatorColumns, ...columns];

/** Path of the records of a figure. */
export function openRecords(
  psp: PspId,
  f: {
    readonly account: string;
    readonly period: string;
    readonly callPeriod: string;
    readonly class?: string | undefined;
    readonly currency?: string | undefined;
    readonly ruleId?: string | undefined;
    readonly finding?: string | undefined;
  },
): string {
  const { account, ...figure } = f;
  const query = new URLSearchParams({ clientId: accountWire(psp, account) });
  for (const [name, value] of Object.entries(figure)) if (value !== undefined) query.set(name, value);
  return `/v1/telecom/analysis/records?${query}`;
}
