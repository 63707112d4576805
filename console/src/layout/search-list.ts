// A list asked for in words, such as "declined above 1,000,000 last week": the transactions that it means.

import { groupDigits, readAmount, readCode } from '../data/amounts.ts';
import { daysAfter, ranges } from '../data/days.ts';
import { dayInWords } from '../data/moments.ts';
import { utc } from '../data/zone.ts';
import { chargebacks, statuses } from '../pages/transactions/words.ts';
import { locale } from '../words/language.ts';
import { say } from '../words/words.ts';

/** Words for the least and the most amount. */
const bounds = {
  amountFrom: say('above|over|more than|at least|from'),
  amountTo: say('below|under|less than|at most'),
};
const nouns = say('transactions|payments');
const weekdays = [...Array(7).keys()].map((n) =>
  // 4 January 2026 is a Sunday.
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + n)),
);

interface Asked {
  /** Console path of the list with its filters. */
  readonly to: string;
  /** What it will show, in the words of its filters. */
  readonly title: string;
}

/** @returns undefined unless every word is understood, and one of them is more than an amount */
export function listAsked(typed: string, zone: string, today: string): Asked | undefined {
  let rest = ` ${typed.toLowerCase().replaceAll("'", '’').replace(/\s+/g, ' ').trim()} `;
  const take = (words: string): boolean => {
    const before = rest;
    rest = rest.replace(` ${words.toLowerCase()} `, ' ');
    return rest !== before;
  };
  const filters: Record<string, string> = {};
  const said: string[] = [];
  const note = (name: string, value: string, word: string) => {
    filters[name] = value;
    said.push(word);
  };
  // Longer words first: "last week" before "week", "not charged back" before "charged back".
  const longest = <T extends { readonly label: string }>(of: readonly T[]) =>
    [...of].sort((a, b) => b.label.length - a.label.length);
  const codes = [
    ...Object.entries(statuses).map(([value, label]) => ({ name: 'status', value, label })),
    ...Object.entries(chargebacks).map(([value, label]) => ({ name: 'chargedBack', value, label })),
  ];
  for (const c of longest(codes)) if (!(c.name in filters) && take(c.label)) note(c.name, c.value, c.label);
  const range = longest(Object.values(ranges)).find((r) => take(r.label));
  const weekday = range ? -1 : weekdays.findIndex((w) => take(say('last {weekday}', { weekday: w })));
  nouns.split('|').some(take);
  const parts = new RegExp(`^(?:(?:${bounds.amountFrom}) (.+?))?(?: ?(?:${bounds.amountTo}) (.+?))?$`).exec(
    rest.trim(),
  );
  const currency = !parts && /^[a-z]{3,4} $/.test(rest.trimStart()) ? readCode(rest.trim()) : undefined;
  if (!parts && !currency) return undefined;
  if (currency) note('currency', currency, currency);
  for (const [name, text] of [
    ['amountFrom', parts?.[1]],
    ['amountTo', parts?.[2]],
  ] as const) {
    if (text === undefined) continue;
    const read = readAmount(text);
    if (!read) return undefined;
    const amount = groupDigits(read.amount);
    note(
      name,
      read.amount,
      name === 'amountFrom' ? say('from {amount}', { amount }) : say('up to {amount}', { amount }),
    );
    if (read.currency) note('currency', read.currency, read.currency);
  }
  const inDays = (from: string, to: string, word: string) => {
    Object.assign(filters, { from, to, ...(zone === utc ? {} : { zone }) });
    said.push(word);
  };
  if (range) {
    const [from = '', to = ''] = range.of(today);
    inDays(from, to, range.label);
  }
  if (weekday >= 0) {
    const last = lastOf(weekday, today);
    inDays(last, last, dayInWords(last));
  }
  const isWord = Object.keys(filters).some((name) => name !== 'currency');
  if (!isWord) return undefined;
  return { to: `/transactions?${new URLSearchParams(filters)}`, title: said.join(' · ') };
}

/** The latest such day before today; Sunday is 0. */
const lastOf = (weekday: number, today: string): string =>
  daysAfter(today, -(((new Date(Date.parse(today)).getUTCDay() - weekday + 6) % 7) + 1));
