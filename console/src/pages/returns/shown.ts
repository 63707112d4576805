// Shared by the pages of returns: their links, states in words, and lengths of periods.
import type { Tone } from '../../components/status-badge.tsx';
import type { SubPage } from '../../components/sub-pages.tsx';
import type { Content } from '../../data/assay.ts';

export type Period = Content<'listFilingPeriods'>['items'][number];
export type Form = Content<'listFilingForms'>['items'][number];

export const returnPages: readonly SubPage[] = [
  { to: '/returns', title: 'To file' },
  { to: '/returns/filed', title: 'Filed' },
  { to: '/returns/forms', title: 'Forms' },
];
export const above = [{ title: 'Returns', to: '/returns' }];

export const stateWords: Readonly<Record<Period['state'], readonly [label: string, tone: Tone]>> = {
  OVERDUE: ['Overdue', 'bad'],
  DUE: ['Due', 'wait'],
  OPEN: ['Period still open', 'quiet'],
  FILED: ['Filed', 'good'],
};

/** How far a form is trusted to be the authority's. */
export const confidenceWords: Readonly<Record<string, string>> = {
  official: 'Official text',
  secondary: 'Professional summary or press',
  unverified: 'One source, not compared',
  assumed: 'Assumed',
};

const lengths: Readonly<Record<number, string>> = {
  1: 'Month',
  2: 'Two months',
  3: 'Quarter',
  4: 'Four months',
  6: 'Half-year',
  12: 'Year',
};

/** Quarter, Week, Two weeks … */
export function lengthOf({ months, weeks }: Form['periods'][number]): string {
  if (months !== null) return lengths[months] ?? `${months} months`;
  return weeks === 1 ? 'Week' : `${weeks} weeks`;
}

/** Days until a day; negative if it is past. */
export const daysUntil = (day: string, today: string): number =>
  Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);

/** "in 12 days", "today", "3 days late". */
export function untilInWords(days: number): string {
  if (days === 0) return 'today';
  const n = Math.abs(days);
  const unit = n === 1 ? 'day' : 'days';
  return days > 0 ? `in ${n} ${unit}` : `${n} ${unit} late`;
}
