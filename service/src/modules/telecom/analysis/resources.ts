// Wire forms of analyses, totals and months.
import { byKey, groupedBy } from '../../../core/grouped.ts';
import { accountWire, type PspId, toWire } from '../../../core/ids.ts';
import { wireNumber } from '../../../core/money.ts';
import { sumOf } from '../../../core/sums.ts';
import type { TaxDebtor } from '../../../core/tax/rule.ts';
import { resourceOf } from '../../../entries/schema.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import type { CdrAnalysisRow } from './analysis-store.ts';
import type { ListedPeriod } from './period-store.ts';
import { howDueOf, PeriodResource } from './schemas.ts';
import type { TotalLine } from './sums.ts';

const figureOf = (f: {
  psp: PspId;
  account: string;
  country: string;
  period: string;
  callPeriod: string;
  class: string;
  currency: string;
}) => ({
  clientId: accountWire(f.psp, f.account),
  country: f.country,
  period: f.period,
  callPeriod: f.callPeriod,
  late: f.callPeriod !== f.period,
  class: f.class,
  currency: f.currency,
});

/** Value of `reason` that selects the records a rule charged, without those it left at zero for a reason. */
export const noReason = 'none';

/** Path of the records behind a figure. A PSP names the client in the header x-client-id. */
function recordsPath(f: TotalLine): string {
  const query = new URLSearchParams({
    period: f.period,
    callPeriod: f.callPeriod,
    class: f.class,
    currency: f.currency,
    ...(f.ruleId === '' ? {} : { ruleId: f.ruleId, reason: f.reason === '' ? noReason : f.reason }),
  });
  return `/v1/telecom/analysis/records?${query}`;
}

/** What is due by return, by currency. */
function byReturn(
  taxes: readonly { readonly owedBy: string | null; readonly currency: string; readonly tax: string }[],
) {
  const owed = taxes.filter((t) => t.owedBy);
  return groupedBy(owed, ['currency'])
    .sort(byKey)
    .map(({ currency, rows }) => ({ currency, tax: wireNumber(sumOf(rows.map((t) => t.tax))) }));
}

const sameFigure = (a: TotalLine, b: TotalLine): boolean =>
  a.account === b.account &&
  a.period === b.period &&
  a.callPeriod === b.callPeriod &&
  a.class === b.class &&
  a.currency === b.currency;

/** Groups lines by figure; the lines of a figure must be adjacent. */
export function figuresOf(lines: readonly TotalLine[]): TotalLine[][] {
  const figures: TotalLine[][] = [];
  for (const line of lines) {
    const last = figures.at(-1);
    if (last && sameFigure(last[0] as TotalLine, line)) last.push(line);
    else figures.push([line]);
  }
  return figures;
}

/** One figure with its taxes. */
export function totalsResource(lines: readonly TotalLine[]) {
  const own = lines.filter((l) => l.ruleId === '');
  const [first] = lines as [TotalLine];
  const count = (of: 'records' | 'answered' | 'seconds') => own.reduce((sum, l) => sum + l[of], 0);
  const sum = (of: 'dataKb' | 'cost' | 'tax') => wireNumber(sumOf(own.map((l) => l[of])));
  return {
    ...figureOf(first),
    records: count('records'),
    answered: count('answered'),
    seconds: count('seconds'),
    dataKb: sum('dataKb'),
    cost: sum('cost'),
    tax: sum('tax'),
    byReturn: byReturn(lines.map((l) => ({ ...l, currency: l.taxCurrency }))),
    findings: own.filter((l) => l.reason !== '').map((l) => ({ code: l.reason, records: l.records })),
    taxes: lines
      .filter((l) => l.ruleId !== '')
      .map((l) => ({
        ruleId: l.ruleId,
        taxCode: l.taxCode,
        base: l.base,
        currency: l.taxCurrency,
        taxable: l.base === 'CALL_COST' ? wireNumber(l.taxable) : null,
        quantity: l.base === 'CALL_COST' ? null : wireNumber(l.quantity),
        tax: wireNumber(l.tax),
        reason: l.reason === '' ? null : l.reason,
        ...howDueOf(l.owedBy as TaxDebtor | ''),
        records: l.records,
        open: recordsPath(l),
      })),
    open: recordsPath({ ...first, ruleId: '' }),
  };
}

const head = (a: CdrAnalysisRow) => ({
  cdrId: toWire('cdr', a.cdr),
  ...figureOf(a),
  otherCountry: a.otherCountry,
  answered: a.answered,
  seconds: a.durationS,
  dataKb: wireNumber(a.dataKb),
  cost: wireNumber(a.cost),
  tax: wireNumber(a.tax),
  byReturn: byReturn(a.taxes),
  finding: a.finding,
  dataset: a.dataset,
  ranges: a.ranges,
  ...(a.withdrawnIn === null ? {} : { withdrawnIn: a.withdrawnIn }),
});

const amounts = (t: CdrAnalysisRow['taxes'][number]) => ({
  currency: t.currency,
  taxable: t.taxable === null ? null : wireNumber(t.taxable),
  quantity: t.quantity === null ? null : wireNumber(t.quantity),
  tax: wireNumber(t.tax),
});

const rulesOf = (s: HasRateKeeper, a: CdrAnalysisRow) =>
  s.rateKeeper.rulesAt(
    a.dataset,
    a.taxes.map((t) => t.ruleId),
  );

export async function analysisResource(s: HasRateKeeper, a: CdrAnalysisRow) {
  const rules = await rulesOf(s, a);
  return {
    ...head(a),
    taxes: a.taxes.map((t) => ({
      ruleId: t.ruleId,
      taxCode: rules.get(t.ruleId)?.rule.taxCode ?? '',
      ...amounts(t),
      reason: t.reason,
      ...howDueOf(t.owedBy),
    })),
  };
}

/** An analysis with its rules, as in the dataset that the record was taxed with. */
export async function analysisDetail(s: HasRateKeeper, a: CdrAnalysisRow) {
  const rules = await rulesOf(s, a);
  return {
    ...head(a),
    taxes: a.taxes.map((t) => {
      const { rule, country } = rules.get(t.ruleId) ?? {};
      return {
        ruleId: t.ruleId,
        taxCode: rule?.taxCode ?? '',
        ...amounts(t),
        reason: t.reason,
        ...howDueOf(t.owedBy),
        owedBy: t.owedBy,
        base: rule?.base ?? null,
        rate: rule?.rate ?? null,
        unitAmount: rule?.unitAmount ?? null,
        bearer: rule?.bearer ?? null,
        authority: rule?.authority ?? null,
        source: (rule && country?.sources[rule.source]) ?? null,
        legalRef: rule?.legalRef ?? null,
        confidence: rule?.confidence ?? null,
        note: rule?.note ?? null,
      };
    }),
  };
}

export const periodResource = (psp: PspId, p: ListedPeriod) =>
  resourceOf(PeriodResource, p, {
    clientId: accountWire(psp, p.account),
  });
