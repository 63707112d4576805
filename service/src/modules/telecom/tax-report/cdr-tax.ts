// The tax report on call detail records of a month: computed figures, declared figures and the inputs of both, for one
// operator or for all operators of a PSP.

import { recordRules } from '../../../core/cdr/declaration.ts';
import { decimal } from '../../../core/money.ts';
import { Refusal, said } from '../../../core/refusal.ts';
import type { SaidContent } from '../../../core/reports/document.ts';
import { sumOf } from '../../../core/sums.ts';
import type { TaxRule } from '../../../core/tax/rule.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type ReportRun, reportKind } from '../../kernel/report.ts';
import { PeriodParameters, periodFacts, type ReportPeriod, readPeriod } from '../../kernel/report-period.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { analysisProgress } from '../analysis/analysis.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { analysisTotals } from '../analysis/totals-store.ts';
import { declarationsInForce } from '../declared/declaration-store.ts';
import { cdrFindings } from '../findings/findings.ts';
import type { Operators } from './columns.ts';
import { rounded } from './compare.ts';
import { declaredSection, type OperatorMonth, summarySection } from './declared-sections.ts';
import { daysSection, declarationsSection, filesSection, inputFacts } from './input-sections.ts';
import { type AnalysedWith, analysedWith, inputFiles, operatorsOf, recordsByDay } from './inputs.ts';
import {
  byReturnRulesSection,
  byReturnSection,
  isLate,
  lateSection,
  type NotOnCalls,
  type RateOf,
  taxByClassSection,
  taxesSection,
  untaxedSection,
  volumesSection,
} from './sections.ts';

/** Steps of progress: `parts` for the figures, then `dayParts` for the findings, day by day. */
const parts = 4;
const dayParts = 16;

/** Findings on callers and devices. They are left out of a report on a single operator. */
const overseersOnly = new Set(['standoutCallers', 'sharedDevices', 'overlappingCalls']);

export const cdrTaxReport = reportKind({
  name: 'cdrTax',
  title: 'Taxes on call detail records',
  summary:
    "An operator's month by class: volumes, base and tax by rule, what is due by return, what was declared and by how much it differs, late adjustments, completeness and findings. Of a PSP: over all its operators.",
  audience: ['psp', 'client', 'operator'],
  parameters: PeriodParameters,
  read: readPeriod,
  run,
});

async function run(
  r: ReportRun,
  s: Needs<'reference' | 'rates'> & HasRateKeeper,
  period: ReportPeriod,
): Promise<SaidContent> {
  const asked = { psp: r.psp, only: r.only, period: period.name };
  const operators = await operatorsOf(r.db, asked);
  const o: Operators = {
    psp: r.psp,
    single: r.only !== undefined,
    names: new Map(operators.map((a) => [a.account, a.name])),
  };
  const totals = await analysisTotals(r.db, r.psp, r.only, period.name);
  const [lines, late] = [totals.filter((l) => !isLate(l)), totals.filter(isLate)];
  const declared = await declarationsInForce(r.db, r.psp, r.only, period.name);
  r.progress(1, parts + dayParts);
  const versions = await analysedWith(r.db, asked);
  const rules = await rulesOf(s, versions, [...new Set(totals.map((l) => l.ruleId).filter((id) => id !== ''))]);
  const rateOf: RateOf = (id) => {
    const r = rules.get(id);
    return r === undefined ? null : r.rate === undefined ? `${r.unitAmount} ${r.currency}` : `${r.rate} %`;
  };
  r.progress(2, parts + dayParts);
  const files = await inputFiles(r.db, asked, period.from);
  r.progress(3, parts + dayParts);
  const days = await recordsByDay(r.db, asked, period);
  r.progress(4, parts + dayParts);
  const findings = await cdrFindings({
    db: r.db,
    psp: r.psp,
    only: r.only,
    period,
    progress: (done, of) => r.progress(parts + (dayParts * done) / of, parts + dayParts),
  });
  const progress = await analysisProgress(r.db, r.psp);
  const months: OperatorMonth[] = operators.map(({ account }) => ({
    account,
    period: period.name,
    lines: lines.filter((l) => l.account === account),
    late: late.filter((l) => l.account === account),
    declared: declared.find((d) => d.account === account)?.lines,
  }));
  const decimalsOf = (currency: string): number => {
    const asset = s.reference.asset(currency, period.last, false);
    return asset instanceof Refusal ? 2 : asset.decimals;
  };
  return {
    title: said`Taxes on call detail records of ${r.concerned.name}, ${period.name}`,
    facts: [
      ...periodFacts(r, period),
      ...inputFacts(files, declared, versions),
      {
        name: 'analysis',
        title: 'Analysis',
        value: progress.complete
          ? 'complete: every record of the journal is in the figures'
          : progress.setAside > 0
            ? said`incomplete: ${progress.setAside} journal entries could not be analysed and are set aside`
            : said`under way: ${progress.read} of ${progress.entries} journal entries; run the report again when it is done`,
      },
      {
        name: 'closed',
        title: 'Months closed',
        value: said`${operators.filter((a) => a.closedAt !== null).length} of ${operators.length}`,
      },
    ],
    provisional: period.open || !progress.complete,
    sections: [
      summarySection(o, months, decimalsOf),
      taxByClassSection(lines),
      volumesSection(o, lines),
      taxesSection(o, lines, rateOf),
      byReturnSection(
        o,
        totals,
        notOnCalls(s, totals, period),
        (id) => (rules.get(id) ?? s.rates.book.rule(id)?.rule)?.authority ?? null,
        (currency, ...amounts) => rounded(decimal(sumOf(amounts)), decimalsOf(currency)),
      ),
      byReturnRulesSection(o, totals, rateOf),
      declaredSection(o, months, decimalsOf),
      lateSection(o, late, rateOf),
      untaxedSection(o, totals),
      daysSection(days),
      declarationsSection(o, declared),
      filesSection(o, files),
      ...findings.filter((f) => r.only === undefined || !overseersOnly.has(f.name)),
    ],
  };
}

/** Rules as they are in the datasets that the records were analysed with, by id. */
async function rulesOf(
  s: HasRateKeeper,
  versions: readonly AnalysedWith[],
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, TaxRule>> {
  const rules = new Map<string, TaxRule>();
  for (const { dataset } of versions)
    for (const [id, found] of await s.rateKeeper.rulesAt(dataset, ruleIds))
      if (found?.rule && !rules.has(id)) rules.set(id, found.rule);
  return rules;
}

/** Taxes of the operators' countries that are due on recharges in the period. */
function notOnCalls(s: Needs<'rates'>, totals: readonly TotalLine[], period: ReportPeriod): NotOnCalls[] {
  const countries = new Map(totals.map((l) => [l.account, l.country]));
  return [...countries].flatMap(([account, country]) =>
    recordRules(s.rates.book.country(country)?.rules ?? [], period.first, period.last)
      .filter((r) => r.base === 'RECHARGE')
      .map(({ taxCode, ruleId }) => ({ account, taxCode, ruleId })),
  );
}
