// Shared by reports over daily totals: their month, and whether figures may still change.
import { Type } from 'typebox';
import { Refusal } from '../../../core/refusal.ts';
import type { SaidFact } from '../../../core/reports/document.ts';
import type { Needs } from '../../kernel/needs.ts';
import type { ReportAsked, ReportRun } from '../../kernel/report.ts';
import { openIn, PeriodParameters, periodFacts, type ReportPeriod, readPeriod } from '../../kernel/report-period.ts';
import { amountTotals, type TotalsFilter, totalsLag } from '../totals-reads.ts';

export const CountryMonthParameters = Type.Object({
  ...PeriodParameters.properties,
  countryCode: Type.String({ description: 'ISO 3166-1 code of the country taxed in.', minLength: 2, maxLength: 3 }),
});

interface Month {
  readonly period: string;
  readonly countryCode?: string;
}

/** A month in the calendar of the requested country, else in that of the report's account. */
export interface MonthRead extends ReportPeriod {
  /** The requested country. */
  readonly country: string | undefined;
}

export function readMonth(asked: ReportAsked<Month>, s: Needs<'reference' | 'rates'>): MonthRead | Refusal {
  const { countryCode } = asked.parameters;
  const country = countryCode === undefined ? undefined : s.reference.country(countryCode);
  if (country instanceof Refusal) return country;
  const concerned = { ...asked.concerned, ...(country && { country: country.alpha2 }) };
  const period = readPeriod({ ...asked, concerned }, s);
  return period instanceof Refusal ? period : { ...period, country: country?.alpha2 };
}

export interface TotalsMonth {
  readonly filter: TotalsFilter;
  readonly facts: readonly SaidFact[];
  readonly provisional: boolean;
}

/** A month of all countries is open until it has ended in each of those with records in it. */
export async function monthOfTotals(
  run: ReportRun,
  s: Needs<'reference' | 'rates'>,
  { country, ...month }: MonthRead,
): Promise<TotalsMonth> {
  const behind = await totalsLag(run.db, run.psp);
  const filter = { psp: run.psp, account: run.only, country, from: month.first, to: month.last };
  const countries = await amountTotals(run.db, filter, ['country']);
  const period = openIn(
    s,
    month,
    countries.map((c) => c.country),
    run.now,
  );
  return {
    filter,
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
