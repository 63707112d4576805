// Parts shared by the sections of the tax report: columns of operators, and paths of records.
import { accountWire, type PspId } from '../../../core/ids.ts';
import { type Column, clientId, text } from '../../../core/reports/table.ts';
import { noReason } from '../analysis/resources.ts';

export interface Operators {
  readonly psp: PspId;
  /** Whether the report covers one operator, so that no column names it. */
  readonly single: boolean;
  /** Names by account (uuid). */
  readonly names: ReadonlyMap<string, string>;
}

/** Columns that name the operator, in a report on several. */
export const operator = ({ psp, single, names }: Operators): readonly Column<{ readonly account: string }>[] =>
  single ? [] : [clientId(psp, 'Operator'), text('operator', 'Name', (row) => names.get(row.account) ?? '')];

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
    /** Why the rule left the records at zero; '' for those that it charged. */
    readonly reason?: string | undefined;
    readonly finding?: string | undefined;
  },
): string {
  const query = new URLSearchParams({ clientId: accountWire(psp, f.account) });
  for (const name of ['period', 'callPeriod', 'class', 'currency', 'ruleId', 'finding'] as const)
    if (f[name] !== undefined) query.set(name, f[name]);
  if (f.ruleId !== undefined && f.reason !== undefined) query.set('reason', f.reason || noReason);
  return `/v1/telecom/analysis/records?${query}`;
}
