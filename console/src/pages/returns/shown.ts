// Shared by the pages of returns: their links, states in words, and lengths of periods.

import type { Tone } from '../../components/status-badge.tsx';
import type { SubPage } from '../../components/sub-pages.tsx';
import type { Content } from '../../data/assay.ts';
import { plural, say } from '../../words/words.ts';

export type Period = Content<'listFilingPeriods'>['items'][number];
export type Form = Content<'listFilingForms'>['items'][number];

export const returnPages: readonly SubPage[] = [
  { to: '/returns', title: say('To file') },
  { to: '/returns/filed', title: say('Filed returns') },
  { to: '/returns/forms', title: say('Forms') },
];
export const above = [{ title: say('Returns'), to: '/returns' }];

export const stateWords: Readonly<Record<Period['state'], readonly [label: string, tone: Tone]>> = {
  OVERDUE: [say('Overdue'), 'bad'],
  DUE: [say('Due|state'), 'wait'],
  OPEN: [say('Period still open'), 'quiet'],
  FILED: [say('Filed'), 'good'],
};

const shopForm = 'EU-OSS';
/** The one-stop shop has a report of its own. */
export const isShop = (form: string): boolean => form === shopForm;

/** Form and period of a return's report; the one-stop shop has one form and calendar quarters. */
export function ofReturn(parameters: Content<'getReport'>['parameters']): { form?: string; period?: string } {
  const { quarter, ...of } = parameters as { form?: string; period?: string; quarter?: string };
  return quarter === undefined ? of : { form: shopForm, period: quarter };
}

/** What a return leaves out for want of rates of exchange. */
export interface LeftOut {
  /** What is left out, in words. */
  readonly sentences: readonly string[];
  /** Whether the tax to pay is complete, so that only boxes of untaxed amounts are too low. */
  readonly isUntaxed: boolean;
}

/** @param isFiled whether the return was filed as it is: it is locked, so that no revision adds what it lacks */
export function leftOut(
  facts: readonly { readonly name: string; readonly value: string }[],
  isFiled: boolean,
): LeftOut {
  const amountsOf = (name: string) => facts.find((f) => f.name === name)?.value;
  const [tax, base, untaxed] = ['notConverted', 'baseNotConverted', 'untaxedNotConverted'].map(amountsOf);
  const isUntaxed = tax === undefined && base === undefined;
  const filedWithout = [
    tax &&
      say(
        'This return was filed without tax of {amounts}: no rate of exchange of its days was stored. Correct it in the next return.',
        { amounts: tax },
      ),
    base &&
      say(
        'This return was filed without amounts of {amounts} in the base of the tax: no rate of exchange of their days was stored. Correct their tax in the next return.',
        { amounts: base },
      ),
    untaxed &&
      say(
        'This return was filed without amounts of {amounts} that bear no tax: no rate of exchange of their days was stored. Correct them in the next return.',
        { amounts: untaxed },
      ),
  ];
  const toRevise = [
    tax &&
      say(
        'Tax of {amounts} is in no box: no rate of exchange of its days is stored. Make a new revision once the rates are loaded, or add it yourself.',
        { amounts: tax },
      ),
    base &&
      say(
        'Amounts of {amounts} are not in the base of the tax: no rate of exchange of their days is stored. Make a new revision once the rates are loaded, or add their tax yourself.',
        { amounts: base },
      ),
    untaxed &&
      say(
        'Amounts of {amounts} that bear no tax are in no box: no rate of exchange of their days is stored. Make a new revision once the rates are loaded, or add them yourself.',
        { amounts: untaxed },
      ),
  ];
  const sentences = [
    ...(isFiled ? filedWithout : toRevise),
    untaxed && isUntaxed && say('The tax to pay is complete without them.'),
  ].filter((words) => words !== undefined && words !== false);
  return { sentences, isUntaxed };
}

/** How far a form is trusted to be the authority's. */
export const confidenceWords: Readonly<Record<string, string>> = {
  official: say('Official text'),
  secondary: say('Professional summary or press'),
  unverified: say('One source, not compared'),
  assumed: say('Assumed'),
};

const lengths: Readonly<Record<number, string>> = {
  1: say('Month'),
  2: say('Two months'),
  3: say('Quarter'),
  4: say('Four months'),
  6: say('Half-year'),
  12: say('Year'),
};

/** Quarter, Week, Two weeks … */
export function lengthOf({ months, weeks, days }: Form['periods'][number]): string {
  if (days !== null) return say('Day');
  if (months !== null) return lengths[months] ?? plural(months, '{n} month', '{n} months');
  return plural(weeks ?? 1, 'Week', '{n} weeks');
}

/** Days until a day; negative if it is past. */
export const daysUntil = (day: string, today: string): number =>
  Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);

/** "in 12 days", "today", "3 days late". */
export function untilInWords(days: number): string {
  if (days === 0) return say('today');
  return days > 0 ? plural(days, 'in {n} day', 'in {n} days') : plural(-days, '{n} day late', '{n} days late');
}
