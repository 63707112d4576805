// A tax rule as the API returns it, and the ordering of a country's rules in time.

import { percent } from '../../data/amounts.ts';
import { dayBefore } from '../../data/days.ts';
import { dayInWords } from '../../data/moments.ts';
import { buyerWords, lower, sellerWords, supplyWords } from '../../data/tax-words.ts';
import { say } from '../../words/words.ts';
import { typeName } from '../transactions/words.ts';

export interface Rule {
  readonly ruleId: string;
  readonly taxCode: string;
  readonly category: string;
  readonly operations: readonly string[];
  readonly classifications?: readonly string[];
  readonly base: string;
  /** Percent as decimal text. */
  readonly rate?: string;
  readonly unitAmount?: string;
  readonly brackets?: readonly { readonly rate: string }[];
  readonly slabs?: readonly { readonly rate?: string; readonly amount?: string }[];
  readonly mccRanges?: readonly string[];
  readonly supplies?: readonly string[];
  readonly subdivision?: string;
  readonly customer?: string;
  readonly client?: string;
  readonly currency?: string;
  readonly validFrom: string;
  /** False if nobody has researched the first day, so that validFrom only bounds the data. */
  readonly validFromKnown?: boolean;
  readonly validTo: string | null;
  readonly legalRef?: string | null;
  readonly confidence: string;
  readonly reason?: string | null;
  readonly source?: {
    readonly title: string;
    readonly publisher: string;
    readonly url: string | null;
    readonly retrievedOn: string;
  } | null;
}

/** Rules that succeed each other: one tax on one category, earliest first. */
export interface Strand {
  readonly key: string;
  readonly taxCode: string;
  readonly category: string;
  readonly rules: readonly Rule[];
}

export function strandsOf(rules: readonly Rule[]): readonly Strand[] {
  const strands = new Map<string, Rule[]>();
  for (const r of rules) {
    const key = [
      ...[r.taxCode, r.category, r.base, r.operations, r.classifications, r.mccRanges, r.supplies],
      ...[r.subdivision, r.customer, r.client],
    ].join('|');
    const strand = strands.get(key);
    if (strand) strand.push(r);
    else strands.set(key, [r]);
  }
  return [...strands].map(([key, of]) => {
    const sorted = of.sort((a, b) => a.validFrom.localeCompare(b.validFrom));
    return { key, taxCode: sorted[0]?.taxCode ?? '', category: sorted[0]?.category ?? '', rules: sorted };
  });
}

/** A rule's rate in a few characters. */
export function rateOf(r: Rule): string {
  if (r.rate !== undefined) return percent(r.rate);
  if (r.unitAmount !== undefined) return `${r.unitAmount} ${r.currency ?? ''}`;
  const steps = r.brackets?.map((b) => percent(b.rate ?? '')) ?? r.slabs?.map((b) => b.amount ?? percent(b.rate ?? ''));
  return steps?.join(' / ') ?? '–';
}

/** What a rule is limited to: what is sold, a part of the country, a kind of customer or client; undefined if to nothing. */
export const limitOf = (
  r: Pick<Rule, 'subdivision' | 'supplies' | 'mccRanges' | 'customer' | 'client'>,
): string | undefined =>
  [
    r.subdivision,
    ...(r.supplies?.map((s) => lower(supplyWords[s as keyof typeof supplyWords] ?? s)) ?? r.mccRanges ?? []),
    r.customer && lower(buyerWords[r.customer as keyof typeof buyerWords] ?? r.customer),
    r.client && lower(sellerWords[r.client as keyof typeof sellerWords] ?? r.client),
  ]
    .filter(Boolean)
    .join(', ') || undefined;

/** 1 Jan 2026 to 31 Dec 2026; validTo is the first day after the row. */
export const daysText = (r: Pick<Rule, 'validFrom' | 'validFromKnown' | 'validTo'>): string => {
  const to = r.validTo === null ? '' : ` ${say('to {validTo}', { validTo: dayInWords(dayBefore(r.validTo)) })}`;
  if (r.validFromKnown === false) return say('Since a day not looked up{to}', { to: to && `,${to}` });
  return `${dayInWords(r.validFrom)}${to || ` ${say('on')}`}`;
};

/** Whether a rule is in force on a day. */
export const inForce = (r: Pick<Rule, 'validFrom' | 'validTo'>, day: string): boolean =>
  r.validFrom <= day && (r.validTo === null || day < r.validTo);

export const classifications = [
  ...['ECOMM_LOCAL', 'ECOMM_GLOBAL', 'IGAMING_LOCAL', 'IGAMING_GLOBAL', 'CRYPTO_LOCAL', 'CRYPTO_GLOBAL'],
];

/** verifyTransaction as "sale". */
export const inOneWord = (operation: string): string => typeName(operation).toLowerCase();
