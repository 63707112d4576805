// Settlement as double entry: what an approved transaction, a chargeback and a netting post to whose account. Pure.
// Amounts are decimal text; a set of postings that does not balance is a fault, never a statement.
import { differenceOf, isNegative, isZero, negated, sumOf } from './sums.ts';

/** Parts of a split, as the reply of chargeBack names them (Spec 4.4). */
export const splitParts = ['vatAmount', 'processingFee', 'merchantAmount', 'transactionFee', 'transactionVAT'] as const;
export type SplitPart = (typeof splitParts)[number];
export type SplitAmounts = Readonly<Record<SplitPart, string>>;

export const parties = ['TAX_AUTHORITY', 'SERVICE', 'MERCHANT', 'PSP'] as const;
export type Party = (typeof parties)[number];

/** Who gets a part: the tax authority what is tax, the client what remains. */
export const partyOf = {
  vatAmount: 'TAX_AUTHORITY',
  transactionVAT: 'TAX_AUTHORITY',
  processingFee: 'SERVICE',
  merchantAmount: 'MERCHANT',
  transactionFee: 'PSP',
} as const satisfies Record<SplitPart, Party>;

/** What is owed to a party, what a party has to return, and what went through the customers' hands. */
export type LedgerAccount = 'CUSTOMERS' | `${Party}` | `${Party}_TO_RETURN`;
export type PostingKind = 'APPROVED' | 'CHARGED_BACK' | 'REVERSED' | 'NETTED';

export interface Posting {
  readonly kind: PostingKind;
  readonly account: LedgerAccount;
  /** One of the two is 0. */
  readonly debit: string;
  readonly credit: string;
}

/** Amounts of a split by who gets them. */
export function byParty(amounts: SplitAmounts): Record<Party, string> {
  const of = (party: Party) => sumOf(splitParts.filter((p) => partyOf[p] === party).map((p) => amounts[p]));
  return Object.fromEntries(parties.map((p) => [p, of(p)])) as Record<Party, string>;
}

/**
 * Postings of sums: of approved transactions, of chargebacks (which return the reverse), of chargebacks that are reversed
 * and of what was netted.
 * @throws when a gross is not the sum of its parts
 */
export function postingsOf(sums: {
  readonly approved: SplitAmounts & { readonly gross: string };
  readonly chargedBack: SplitAmounts & { readonly gross: string };
  readonly reversed: SplitAmounts & { readonly gross: string };
  readonly netted: SplitAmounts;
}): Posting[] {
  const [approved, returned, netted] = [byParty(sums.approved), byParty(sums.chargedBack), byParty(sums.netted)];
  const reversed = byParty(sums.reversed);
  const debit = (kind: PostingKind, account: LedgerAccount, amount: string) => side(kind, account, amount, '0');
  const credit = (kind: PostingKind, account: LedgerAccount, amount: string) => side(kind, account, '0', amount);
  const postings = [
    debit('APPROVED', 'CUSTOMERS', sums.approved.gross),
    ...parties.map((p) => credit('APPROVED', p, approved[p])),
    ...parties.map((p) => debit('CHARGED_BACK', `${p}_TO_RETURN`, returned[p])),
    credit('CHARGED_BACK', 'CUSTOMERS', sums.chargedBack.gross),
    debit('REVERSED', 'CUSTOMERS', sums.reversed.gross),
    ...parties.map((p) => credit('REVERSED', `${p}_TO_RETURN`, reversed[p])),
    // More was released than netted: the reverse.
    ...parties.flatMap((p) =>
      isNegative(netted[p])
        ? [debit('NETTED', `${p}_TO_RETURN`, negated(netted[p])), credit('NETTED', p, negated(netted[p]))]
        : [debit('NETTED', p, netted[p]), credit('NETTED', `${p}_TO_RETURN`, netted[p])],
    ),
  ].filter((p) => !isZero(p.debit) || !isZero(p.credit));
  for (const kind of ['APPROVED', 'CHARGED_BACK', 'REVERSED', 'NETTED'] as const) {
    const off = imbalance(postings.filter((p) => p.kind === kind));
    if (!isZero(off)) throw new Error(`the postings ${kind} do not balance: ${off} too much on the debit side`);
  }
  return postings;
}

const side = (kind: PostingKind, account: LedgerAccount, debit: string, credit: string): Posting => ({
  kind,
  account,
  debit: sumOf([debit]),
  credit: sumOf([credit]),
});

/** Debits less credits; 0 where they balance. */
export const imbalance = (postings: readonly Posting[]): string =>
  differenceOf(sumOf(postings.map((p) => p.debit)), sumOf(postings.map((p) => p.credit)));

/** What a party has to be paid: credits less debits of its account. */
export const payable = (postings: readonly Posting[], party: Party): string =>
  negated(imbalance(postings.filter((p) => p.account === party)));

/** Of the amounts asked for, the first part of which more is asked than there is. */
export function firstExcess(asked: SplitAmounts, left: SplitAmounts): SplitPart | undefined {
  return splitParts.find((p) => isNegative(differenceOf(left[p], asked[p])));
}

/**
 * The nettings that a transaction no longer settles after a change, so that the others fit for every party. The newest
 * go first, each as a whole.
 * @param standing newest first
 * @param settled what the transaction settles since; undefined where it settles nothing of them
 */
export function nettingsToRelease<N extends { readonly amounts: SplitAmounts }>(
  standing: readonly N[],
  settled: SplitAmounts | undefined,
): N[] {
  const kept = [...standing];
  const released: N[] = [];
  while (kept.length > 0 && !(settled && fits(kept, settled))) released.push(kept.shift() as N);
  return released;
}

function fits(nettings: readonly { readonly amounts: SplitAmounts }[], settled: SplitAmounts): boolean {
  const [room, shares] = [byParty(settled), nettings.map((n) => byParty(n.amounts))];
  return parties.every((p) => !isNegative(differenceOf(room[p], sumOf(shares.map((s) => s[p])))));
}

export const ageBuckets = [
  { name: 'days0to30', from: 0, to: 30 },
  { name: 'days31to60', from: 31, to: 60 },
  { name: 'days61to90', from: 61, to: 90 },
  { name: 'over90', from: 91, to: Number.POSITIVE_INFINITY },
] as const;
export type AgeBucket = (typeof ageBuckets)[number]['name'];

/** Whole days since a moment, never below 0. */
export const ageDays = (fromMs: number, toMs: number): number => Math.max(0, Math.floor((toMs - fromMs) / 86_400_000));

export const bucketOf = (days: number): AgeBucket =>
  (ageBuckets.find((b) => days <= b.to) as (typeof ageBuckets)[number]).name;
