// The returns of one form that a taxpayer has filed, has to file or will have to: each period with its state. Pure.
import { addDays, isInForce, localDate } from '../calendar.ts';
import { Refusal } from '../refusal.ts';
import type { FilingForm, FilingRhythm } from './form.ts';
import { currentPeriod, type FilingPeriod, periodBefore, readFilingPeriod, rhythmOf } from './period.ts';

/** What is most urgent first. */
export const returnStates = ['OVERDUE', 'DUE', 'OPEN', 'FILED'] as const;
type ReturnState = (typeof returnStates)[number];

export interface FiledPeriod {
  readonly period: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface CalendarReturn<F extends FiledPeriod> {
  readonly period: FilingPeriod;
  readonly state: ReturnState;
  /** What it was filed as. */
  readonly filed: F | undefined;
}

interface Taxpayer<F extends FiledPeriod> {
  /** Its returns of this form, by first day. */
  readonly filings: readonly F[];
  /** First day that it has to declare; periods that end before it are left out. */
  readonly since: string;
}

type DatedForm = Pick<FilingForm, 'form' | 'periods' | 'due' | 'validFrom' | 'validTo'>;

/** A return that was filed for any of these days; the first by its period. */
export const filedWithin = <F extends FiledPeriod>(
  filings: readonly F[],
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
): F | undefined => filings.find((f) => f.firstDay <= last && f.lastDay >= first);

/** How often the taxpayer files: as it did last, else as most do. */
function usualRhythm(form: DatedForm, filings: readonly FiledPeriod[]): FilingRhythm {
  const last = filings.at(-1);
  return (last && rhythmOf(form, { first: last.firstDay, last: last.lastDay })) ?? (form.periods[0] as FilingRhythm);
}

/**
 * The returns of a version of a form, the latest first: those that were filed, and the periods of the taxpayer's rhythm
 * that were not, up to the open one.
 * @param now milliseconds since the epoch
 */
export function filingCalendar<F extends FiledPeriod>(
  form: DatedForm,
  { filings, since }: Taxpayer<F>,
  timeZone: string,
  now: number,
): CalendarReturn<F>[] {
  const today = localDate(timeZone, now);
  const isOf = (first: string, last: string) => last >= since && isInForce(form, first);
  const filed = filings.flatMap((f): CalendarReturn<F>[] => {
    const period = isOf(f.firstDay, f.lastDay) ? readFilingPeriod(form, f.period, timeZone, now) : undefined;
    return period === undefined || period instanceof Refusal ? [] : [{ period, state: 'FILED', filed: f }];
  });
  const rhythm = usualRhythm(form, filings);
  const out: CalendarReturn<F>[] = [];
  let period = currentPeriod(form, rhythm, timeZone, now);
  const add = (p: FilingPeriod) => {
    if (isOf(p.first, p.last)) out.push({ period: p, state: stateOf(p, today), filed: undefined });
  };
  for (; period.last >= since; period = periodBefore(form, rhythm, timeZone, period)) {
    const part = filedWithin(filings, period);
    const own = part && rhythmOf(form, { first: part.firstDay, last: part.lastDay });
    if (part === undefined) add(period);
    // What is left of a quarter of which a month was filed is filed by month.
    else if (own) for (const p of periodsIn(form, own, timeZone, period)) if (!filedWithin(filings, p)) add(p);
  }
  return [...out, ...filed].sort((a, b) => (a.period.first < b.period.first ? 1 : -1));
}

/** The periods of a rhythm that are all within days, the latest first. */
function periodsIn(
  form: DatedForm,
  rhythm: FilingRhythm,
  timeZone: string,
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
): FilingPeriod[] {
  const out: FilingPeriod[] = [];
  let p = periodBefore(form, rhythm, timeZone, { first: addDays(last, 1) });
  for (; p.first >= first; p = periodBefore(form, rhythm, timeZone, p)) if (p.last <= last) out.push(p);
  return out;
}

const stateOf = ({ last, dueOn }: FilingPeriod, today: string): ReturnState =>
  last >= today ? 'OPEN' : dueOn >= today ? 'DUE' : 'OVERDUE';
