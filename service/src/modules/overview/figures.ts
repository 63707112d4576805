// Sums daily totals into the lines of an overview: counts by outcome, and exact amounts.
import { differenceOf, sumOf, wireSum } from '../../core/sums.ts';
import type { Fate, VerdictSum } from '../totals/index.ts';

const countOf: Readonly<Record<Exclude<Fate, 'REVERSED'>, keyof Counts>> = {
  APPROVED: 'approved',
  DECLINED: 'declined',
  PENDING: 'pending',
  CHARGED_BACK: 'chargedBack',
  captureWager: 'wagers',
  capturePayout: 'payouts',
};

export interface Counts {
  approved: number;
  declined: number;
  pending: number;
  chargedBack: number;
  wagers: number;
  payouts: number;
}

const amountNames = ['gross', 'vat', 'processingFee', 'transactionFee', 'transactionVat', 'net'] as const;
const noCounts = (): Counts => ({ approved: 0, declined: 0, pending: 0, chargedBack: 0, wagers: 0, payouts: 0 });

/** Counts of all currencies together. */
export function countsOf(sums: readonly VerdictSum[]): Counts {
  const counts = noCounts();
  for (const s of sums) if (s.fate !== 'REVERSED') counts[countOf[s.fate]] += s.count;
  return counts;
}

/** One line per place and currency, in their original order. */
export function linesBy(sums: readonly VerdictSum[], place: (s: VerdictSum) => Record<string, string>) {
  const groups = new Map<string, VerdictSum[]>();
  for (const s of sums) {
    const key = [...Object.values(place(s)), s.currency].join('|');
    const group = groups.get(key);
    if (group) group.push(s);
    else groups.set(key, [s]);
  }
  return [...groups.values()].map((group) => {
    const first = group[0] as VerdictSum;
    const of = (fate: Fate) => group.filter((s) => s.fate === fate);
    const exact = (fate: Fate, name: (typeof amountNames)[number]) => sumOf(of(fate).map((s) => s[name]));
    const sum = (fate: Fate, name: (typeof amountNames)[number]) => wireSum(exact(fate, name));
    return {
      ...place(first),
      currency: first.currency,
      ...countsOf(group),
      ...Object.fromEntries(amountNames.map((n) => [n, sum('APPROVED', n)])),
      chargedBackAmount: wireSum(differenceOf(exact('CHARGED_BACK', 'gross'), exact('REVERSED', 'gross'))),
      stakes: sum('captureWager', 'gross'),
      winnings: sum('capturePayout', 'gross'),
    };
  });
}
