// Parts shared by the sections of the tax report: columns, names of operators, and paths of records.
import type { PspId } from '../../../core/ids.ts';
import type { CellType, ReportColumn } from '../../../core/reports/document.ts';
import { accountWire } from '../../../core/transaction.ts';

export const column = (name: string, title: string, type: CellType = 'text'): ReportColumn => ({ name, title, type });

/** Columns that name the operator, in a report on several. */
export const operatorColumns: readonly ReportColumn[] = [column('clientId', 'Operator'), column('operator', 'Name')];

export interface Operators {
  readonly psp: PspId;
  /** Whether the report covers one operator, so that no column names it. */
  readonly single: boolean;
  /** Names by account (uuid), in the order of the report. */
  readonly names: ReadonlyMap<string, string>;
}

export const operatorCells = (o: Operators, account: string): readonly string[] =>
  o.single ? [] : [accountWire(o.psp, account), o.names.get(account) ?? ''];

export const withOperator = (o: Operators, columns: readonly ReportColumn[]): readonly ReportColumn[] =>
  o.single ? columns : [...operatorColumns, ...columns];

/** Path of the records behind a figure. */
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
