// The report of taxes on what one person won in a day, month or year: what the law takes of the sum, less what each
// payout was taxed by itself.

import { Type } from 'typebox';
import { groupedBy } from '../../core/grouped.ts';
import { Refusal, said } from '../../core/refusal.ts';
import { clientId, code, count, date, money, percent, section, text } from '../../core/reports/table.ts';
import { differenceOf, isZero, sumOf } from '../../core/sums.ts';
import { type PersonRecord, type PersonSum, personSums, type SummedRule, sumDays } from '../../core/tax/person-sums.ts';
import type { TaxRule } from '../../core/tax/rule.ts';
import { rateText } from '../../core/tax/terms.ts';
import { allPages } from '../kernel/all-pages.ts';
import { archivedBefore } from '../kernel/archived.ts';
import { readDayRange } from '../kernel/day-filter.ts';
import type { Needs } from '../kernel/needs.ts';
import { type ReportRun, reportKind } from '../kernel/report.ts';
import { PeriodParameters, periodFacts, type ReportPeriod, readPeriod } from '../kernel/report-period.ts';
import { type Play, readPlays } from './plays.ts';

const page = 1000;

interface CountryRules {
  readonly country: string;
  readonly currency: string;
  readonly rules: readonly TaxRule[];
}

/** Countries with rules that count sums and were in force in the days. */
function countriesOf(s: Needs<'rates'>, { first, last }: Pick<ReportPeriod, 'first' | 'last'>): CountryRules[] {
  return [...s.rates.book.countries()].flatMap((c) => {
    const rules = c.rules.filter(
      (r) => r.summedOver !== undefined && r.validFrom <= last && (r.validTo === null || r.validTo > first),
    );
    return rules.length === 0 ? [] : [{ country: c.jurisdiction, currency: c.currency, rules }];
  });
}

const baseOf = (rule: TaxRule, { amounts }: Play): string =>
  (rule.base === 'PAYOUT' ? amounts.payout : amounts.winnings) ?? '0';

/** The payouts of a country that its summing rules taxed, from the first day that a sum began. */
async function readRecords(
  run: Pick<ReportRun, 'db' | 'psp' | 'only'>,
  s: Needs<'rates'>,
  { country, rules }: CountryRules,
  from: string,
  to: string,
): Promise<PersonRecord[]> {
  const days = readDayRange(s, { dayFrom: from, dayTo: to, countryCode: country });
  if (!days) return [];
  const out: PersonRecord[] = [];
  const read = (after: string | null, limit: number) =>
    readPlays(run.db, 'capturePayout', { psp: run.psp, country, days }, after, limit);
  for await (const plays of allPages(page, (p) => p.record.id, read))
    for (const p of plays) {
      const { record } = p;
      if (run.only !== undefined && record.account !== run.only) continue;
      for (const line of record.evidence.tax) {
        const rule = rules.find((r) => r.ruleId === line.rule);
        if (rule) out.push(recordOf(rule, p, line.tax));
      }
    }
  return out;
}

const recordOf = (rule: TaxRule, p: Play, tax: string): PersonRecord => ({
  rule: rule.ruleId,
  account: p.record.account,
  person: p.record.subject ?? undefined,
  id: p.record.id,
  currency: p.record.currency,
  day: p.record.evidence.date,
  base: baseOf(rule, p),
  tax,
});

export const personSumsReport = reportKind({
  name: 'personSums',
  title: 'Taxes on what a person won',
  summary:
    'Where the law counts what one person won in a day, month or year: the tax of the sum, less what each payout of the month was taxed by itself.',
  audience: ['psp', 'client', 'operator'],
  parameters: Type.Object(PeriodParameters.properties),
  read: readPeriod,
  async run(run, s: Needs<'reference' | 'rates'>, period) {
    const archived = await archivedBefore(run.db);
    const sums: PersonSum[] = [];
    let cut = false;
    const known = new Map<string, SummedRule>();
    for (const country of countriesOf(s, period)) {
      for (const rule of country.rules) {
        const currency = rule.currency ?? country.currency;
        const asset = s.reference.asset(currency, period.last, true);
        known.set(rule.ruleId, { rule, currency, decimals: asset instanceof Refusal ? 2 : asset.decimals });
      }
      const from = country.rules
        .flatMap(({ summedOver }) => (summedOver ? [sumDays(summedOver, period.first).first] : []))
        .sort()[0];
      const first = from ?? period.first;
      cut ||= archived !== undefined && first < archived;
      const records = await readRecords(run, s, country, first, period.last);
      sums.push(...personSums(records, period, (id) => known.get(id)));
    }
    const ruleOf = (r: { readonly rule: string }) => known.get(r.rule);
    const changed = sums.filter((p) => p.person !== undefined && !isZero(differenceOf(p.due, p.recorded)));
    const totals = groupedBy(sums, ['account', 'rule', 'currency']);
    const total = (of: (typeof totals)[number], figure: 'due' | 'recorded') => sumOf(of.rows.map((r) => r[figure]));
    return {
      title: said`Taxes on what a person won, of ${run.concerned.name}, ${period.name}`,
      facts: [
        ...periodFacts(run, period),
        ...(cut
          ? [{ name: 'archived', title: 'Not counted', value: said`Payouts before ${archived}, in the archive` }]
          : []),
      ],
      provisional: period.open,
      sections: [
        section(totals, {
          name: 'byRule',
          title: 'By rule',
          note: 'What the sums of persons took in the month, and what their payouts were taxed by themselves. The difference is withheld from the person or returned, as the law has it. Payouts without a person are sums of their own.',
          columns: [
            clientId(run.psp, 'Operator'),
            text('taxCode', 'Tax code', (t) => ruleOf(t)?.rule.taxCode),
            text('rule', 'Rule'),
            text('terms', 'Terms', (t) => {
              const of = ruleOf(t);
              return of && rateText(of.rule, of.currency);
            }),
            code('confidence', 'Confidence of the rule', (t) => ruleOf(t)?.rule.confidence),
            text('currency', 'Currency'),
            count('sums', 'Sums', (t) => t.rows.length),
            money('due', 'Tax of the sums', (t) => total(t, 'due')),
            money('recorded', 'Tax recorded', (t) => total(t, 'recorded')),
            money('difference', 'Difference', (t) => differenceOf(total(t, 'due'), total(t, 'recorded'))),
          ],
        }),
        section(changed, {
          name: 'persons',
          title: 'Sums with a difference',
          note: "A person is named by the service's own number of it, which is the same in all records of the person.",
          columns: [
            clientId(run.psp, 'Operator'),
            text('person', 'Person', (p: PersonSum) => p.person),
            text('rule', 'Rule'),
            percent('rate', 'Rate', (p: PersonSum) => ruleOf(p)?.rule.rate),
            date('first', 'From', (p: PersonSum) => p.first),
            date('last', 'To', (p: PersonSum) => p.last),
            text('currency', 'Currency'),
            count('records', 'Payouts so far', (p: PersonSum) => p.records),
            money('base', 'Sum so far', (p: PersonSum) => p.base),
            money('due', 'Tax of the sum in the month', (p: PersonSum) => p.due),
            money('recorded', 'Tax recorded in the month', (p: PersonSum) => p.recorded),
            money('difference', 'Difference', (p: PersonSum) => differenceOf(p.due, p.recorded)),
          ],
        }),
      ],
    };
  },
});
