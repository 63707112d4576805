// Shared by reports over daily totals: their month, and whether figures may still change.
import { Type } from 'typebox';
import { Refusal } from '../../../core/refusal.ts';
import type { ReportFact } from '../../../core/reports/document.ts';
import type { Needs } from '../../kernel/needs.ts';
import type { ReportAsked, ReportRun } from '../../kernel/report.ts';
import { PeriodParameter, periodFacts, periodOf, type ReportPeriod, readPeriod } from '../../kernel/report-period.ts';
import { type TotalsFilter, totalsLag } from '../totals-reads.ts';

export const MonthParameters = Type.Object({ period: PeriodParameter });
export const CountryMonthParameters = Type.Object({
  period: PeriodParameter,
  countryCode: Type.String({ description: 'ISO 3166-1 code of the country taxed in.', minLength: 2, maxLength: 3 }),
});

interface Month {
  readonly period: string;
  readonly countryCode?: string;
}

/** The requested country, whose calendar then defines the month; else that of the report's account. */
function inCountry<A extends Pick<ReportAsked<Month>, 'concerned' | 'parameters'>>(
  s: Needs<'reference'>,
  asked: A,
): A | Refusal {
  const { countryCode } = asked.parameters;
  if (countryCode === undefined) return asked;
  const country = s.reference.country(countryCode);
  return country instanceof Refusal
    ? country
    : { ...asked, concerned: { ...asked.concerned, country: country.alpha2 } };
}

export function checkMonth(asked: ReportAsked<Month>, s: Needs<'reference' | 'rates'>): Refusal | undefined {
  const own = inCountry(s, asked);
  if (own instanceof Refusal) return own;
  const period = readPeriod(s, own, asked.parameters.period);
  return period instanceof Refusal ? period : undefined;
}

export interface TotalsMonth {
  readonly period: ReportPeriod;
  readonly country: string | undefined;
  readonly filter: TotalsFilter;
  readonly facts: readonly ReportFact[];
  readonly provisional: boolean;
}

export async function monthOfTotals(s: Needs<'reference' | 'rates'>, run: ReportRun<Month>): Promise<TotalsMonth> {
  const own = inCountry(s, run);
  if (own instanceof Refusal) throw own;
  const period = periodOf(s, own, run.parameters.period);
  const country = run.parameters.countryCode === undefined ? undefined : (own.concerned.country as string);
  const behind = await totalsLag(run.db, run.psp);
  return {
    period,
    country,
    filter: { psp: run.psp, account: run.only, country, from: period.first, to: period.last },
    facts: [
      ...periodFacts(run, period),
      ...(country === undefined ? [] : [{ name: 'country', title: 'Country', value: country }]),
      ...(behind === 0
        ? []
        : [{ name: 'entriesBehind', title: 'Journal entries not counted yet', value: String(behind) }]),
    ],
    provisional: period.open || behind > 0,
  };
}
