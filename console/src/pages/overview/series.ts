// The overview's rows as chart data: every day of the period, one currency at a time.

import type { BarRow } from '../../components/bars.tsx';
import type { Content } from '../../data/assay.ts';
import { inFull } from '../../data/moments.ts';
import { sumOf } from '../../data/sums.ts';
import { dateLocale } from '../../words/language.ts';

export type OverviewData = Content<'getOverview'>;
type Line = OverviewData['amounts'][number];

/** Currencies of the period, ordered by number of approvals. */
export const currenciesOf = (o: OverviewData): string[] =>
  [...o.amounts].sort((a, b) => b.approved - a.approved || a.currency.localeCompare(b.currency)).map((a) => a.currency);

const dayMs = 86_400_000;

/** Days up to 2026-11-21, oldest first. */
function daysOf({ from, to }: OverviewData['period']): string[] {
  const first = Date.parse(`${from}T00:00:00Z`);
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) - first) / dayMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => new Date(first + i * dayMs).toISOString().slice(0, 10));
}

/** The filters of a list that has the records of the period: by the days of each one's country, as they are counted. */
export const daysOfList = ({ period }: Pick<OverviewData, 'period'>): string =>
  `dayFrom=${period.from}&dayTo=${period.to}`;

const dayAndMonth = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
const dayName = new Intl.DateTimeFormat(dateLocale, dayAndMonth);
const dayOfYear = new Intl.DateTimeFormat(dateLocale, { ...dayAndMonth, year: 'numeric' });

/** Writes a day of the period, with its year if the period has days of two years. */
function nameOfDay({ from, to }: OverviewData['period']): (day: string) => string {
  const written = from.slice(0, 4) === to.slice(0, 4) ? dayName : dayOfYear;
  return (day) => inFull(written.format(Date.parse(`${day}T00:00:00Z`)));
}

/** One row per day, with zeros for days without records; counts cover all currencies. */
export function dailyCounts(o: OverviewData): BarRow[] {
  const sums = new Map<string, { approved: number; declined: number }>();
  for (const l of o.byDay) {
    const sum = sums.get(l.day) ?? { approved: 0, declined: 0 };
    sum.approved += l.approved;
    sum.declined += l.declined;
    sums.set(l.day, sum);
  }
  const nameOf = nameOfDay(o.period);
  return daysOf(o.period).map((day) => ({
    at: nameOf(day),
    values: sums.get(day) ?? { approved: 0, declined: 0 },
  }));
}

/** All tax of a line: on what was sold, and on the fees of it. */
export const taxOf = (l: Pick<Line, 'vat' | 'transactionVat'> | undefined): string =>
  sumOf([l?.vat, l?.transactionVat]);

const amountsOf = (l: Line | undefined) => ({ vat: taxOf(l), fees: l?.processingFee ?? '0' });

export function dailyAmounts(o: OverviewData, currency: string): BarRow[] {
  const lines = new Map(o.byDay.filter((l) => l.currency === currency).map((l) => [l.day, l]));
  const nameOf = nameOfDay(o.period);
  return daysOf(o.period).map((day) => ({
    at: nameOf(day),
    values: amountsOf(lines.get(day)),
  }));
}
