// Reads what a return corrects of periods that its taxpayer filed before on the same form.
import { type Correction, correctionsOf, type SummedLine } from '../../core/filing/adjust.ts';
import type { ReturnLine } from '../../core/filing/lines.ts';
import { type FilingPeriod, readFilingPeriod } from '../../core/filing/period.ts';
import type { AccountId, PspId } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Database } from '../../platform/database.ts';
import { archivedBefore } from '../kernel/archived.ts';
import type { Needs } from '../kernel/needs.ts';
import { timeZoneOf } from '../kernel/report-period.ts';
import { versionFor } from './asked-form.ts';
import { type Filing, filingsOf } from './filing-store.ts';
import { type DatedPart, readReturns, ruleOf } from './read-lines.ts';

export interface CorrectedOf {
  readonly psp: PspId;
  readonly account: AccountId;
  /** The client, or undefined for a PSP with all its clients. */
  readonly only: string | undefined;
  readonly form: string;
  /** The period of the return that corrects. */
  readonly period: Pick<FilingPeriod, 'first'>;
  /** The first day of a period that its return declares. */
  readonly declaredFrom?: (period: FilingPeriod) => string;
  readonly besides?: readonly DatedPart[];
}

export interface Corrections {
  readonly lines: readonly Correction[];
  /** Of the tax on the PSP's fees, in the return of a client. */
  readonly fees: readonly Correction[];
}

/** Earlier periods whose records can still change. */
export const openToChange = (filings: readonly Filing[], first: string, archived: string | undefined): Filing[] =>
  // Where zones are ahead of UTC, the first day begins in the month before.
  filings.filter((f) => f.lastDay < first && (archived === undefined || f.firstDay > archived));

export async function readCorrections(
  db: Database,
  s: Needs<'reference' | 'rates'>,
  { psp, account, only, form, period, declaredFrom = (p) => p.first, besides = [] }: CorrectedOf,
): Promise<Corrections> {
  const filings = await filingsOf(db, { psp, account, form });
  const open = openToChange(filings, period.first, await archivedBefore(db)).flatMap((f) => {
    const version = versionFor(form, { first: f.firstDay });
    if (!version) return [];
    const days = readFilingPeriod(version.form, f.period, timeZoneOf(s, version.country), 0);
    return days instanceof Refusal ? [] : [{ ...days, first: declaredFrom(days), version }];
  });
  const rule = ruleOf(s);
  const isFee = (l: { readonly rule: string }) => only !== undefined && rule(l.rule)?.base === 'FEE';
  // Returns that were filed with an earlier version kept no fees: nothing says what they were.
  const keptFees = new Set(
    filings.filter((f) => f.lines.some((l) => l.period === undefined && isFee(l))).map((f) => f.period),
  );
  const out: Correction[] = [];
  for (const [version, periods] of Map.groupBy(open, (p) => p.version)) {
    const returns = await readReturns(db, s, { psp, only, version, periods, besides });
    for (const [i, p] of periods.entries()) {
      const { lines = [], fees } = returns[i] ?? {};
      const today = [...lines, ...((keptFees.has(p.name) && fees?.lines) || [])];
      out.push(...correctionsOf(p.name, today.map(withoutRate), filings));
    }
  }
  return { lines: out.filter((l) => !isFee(l)), fees: out.filter(isFee) };
}

const withoutRate = ({ rate: _, ...line }: ReturnLine): SummedLine => line;
