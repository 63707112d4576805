// Calendar dates and local dates. A transaction is taxed by the date in its country's own calendar.

/** A day without a change of clocks, in milliseconds. */
export const dayMs = 86_400_000;
const quarterMs = 900_000;
const formatters = new Map<string, Intl.DateTimeFormat>();
const known = new Map<string, { quarter: number; date: string }>();

/**
 * ISO date at `ms` (Unix epoch) in an IANA time zone. Zone offsets change on quarter hours only, so one
 * answer holds for its quarter hour.
 */
export function localDate(timeZone: string, ms: number): string {
  const quarter = Math.floor(ms / quarterMs);
  const hit = known.get(timeZone);
  if (hit?.quarter === quarter) return hit.date;
  let f = formatters.get(timeZone);
  if (!f) {
    f = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formatters.set(timeZone, f);
  }
  const date = f.format(ms);
  known.set(timeZone, { quarter, date });
  return date;
}

/** Whether a row is in force on a day: the first day included, the end not; null: no end. */
export const isInForce = (row: { readonly validFrom: string; readonly validTo: string | null }, day: string): boolean =>
  row.validFrom <= day && (row.validTo === null || day < row.validTo);

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Whether the text is the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 know no summer time.
  if (!/^[A-Z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Whether the value is an ISO date that exists in the calendar. */
export function isDate(v: unknown): v is string {
  if (typeof v !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(v)) return false;
  const [y, m, d] = v.split('-').map(Number) as [number, number, number];
  const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m - 1] ?? 0;
  return d >= 1 && d <= days;
}

/** @param month YYYY-MM @returns its last day */
export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** The day so many days later; earlier if negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Days from one day to another, negative if that is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);
