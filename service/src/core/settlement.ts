// Settlement as double entry: what an approved transaction, a chargeback and a netting post to which account. Pure.
// Amounts are decimal text; postings that do not balance are a fault, never a statement.
import { type MethodNotHeld, methodsNotHeld } from './payments.ts';
import { differenceOf, isNegative, isZero, negated, sumOf } from './sums.ts';

/** Parts of a split, named as in chargeBack's reply (Spec 4.4). */
export const splitParts = ['vatAmount', 'processingFee', 'merchantAmount', 'transactionFee', 'transactionVAT'] as const;
export type SplitPart = (typeof splitParts)[number];
export type SplitAmounts = Readonly<Record<SplitPart, string>>;

export const parties = ['TAX_AUTHORITY', 'SERVICE', 'MERCHANT', 'PSP'] as const;
export type Party = (typeof parties)[number];

/** The recipient of each part: taxes go to the tax authority, the remainder to the client. */
const partyOf = {
  vatAmount: 'TAX_AUTHORITY',
  transactionVAT: 'TAX_AUTHORITY',
  processingFee: 'SERVICE',
  merchantAmount: 'MERCHANT',
  transactionFee: 'PSP',
} as const satisfies Record<SplitPart, Party>;

/** Amounts owed to a party, amounts a party has to return, and amounts paid by or to customers. */
type LedgerAccount = 'CUSTOMERS' | `${Party}` | `${Party}_TO_RETURN`;
/**
 * WITHDRAWN is what customers took out through the PSP: gaming and crypto withdrawals, which the merchant pays for.
 * DISCOUNTS, VOUCHERS and CASH set off against the merchant what customers did not pay through the PSP.
 */
export const postingKinds = [
  'APPROVED',
  'WITHDRAWN',
  'DISCOUNTS',
  'VOUCHERS',
  'CASH',
  'CHARGED_BACK',
  'REVERSED',
  'NETTED',
] as const;
type PostingKind = (typeof postingKinds)[number];

/** Sums of transactions: the whole, its parts by recipient, and the parts of it that the PSP does not hold. */
export type SettledAmounts = SplitAmounts & Readonly<Record<MethodNotHeld, string>> & { readonly gross: string };

export interface Posting {
  readonly kind: PostingKind;
  readonly account: LedgerAccount;
  /** One of the two is 0. */
  readonly debit: string;
  readonly credit: string;
}

/** Sums of transactions, of chargebacks, and of chargebacks that were reversed. */
interface Moves {
  readonly approved: SettledAmounts;
  readonly chargedBack: SettledAmounts;
  readonly reversed: SettledAmounts;
}

/** Amounts of a split by recipient. */
export function byParty(amounts: SplitAmounts): Record<Party, string> {
  const of = (party: Party) => sumOf(splitParts.filter((p) => partyOf[p] === party).map((p) => amounts[p]));
  return Object.fromEntries(parties.map((p) => [p, of(p)])) as Record<Party, string>;
}

/** Sums of no transaction. */
export const nothingMoved: SettledAmounts = {
  ...{ gross: '0', discounts: '0', vouchers: '0', cash: '0' },
  ...{ vatAmount: '0', processingFee: '0', merchantAmount: '0', transactionFee: '0', transactionVAT: '0' },
};

/** What each account gets of money that came in, less what it pays for money that went out. */
function moved(paidIn: SettledAmounts, paidOut: SettledAmounts): Record<'CUSTOMERS' | Party, string> {
  const [into, out] = [byParty(paidIn), byParty(paidOut)];
  const to = parties.map((p) => [
    p,
    p === 'MERCHANT' ? differenceOf(into[p], paidOut.gross) : sumOf([into[p], out[p]]),
  ]);
  return { ...Object.fromEntries(to), CUSTOMERS: differenceOf(out.MERCHANT, paidIn.gross) };
}

/**
 * Postings for sums of approved transactions, chargebacks (which post the reverse), reversed chargebacks and nettings.
 * A withdrawal takes its whole from the merchant, for the customer, the taxes and the fees.
 * CUSTOMERS is what the PSP holds of the customers' money: what they did not pay through it is posted to the merchant,
 * who has it or granted it, and by a chargeback is the merchant's to give back.
 * @throws if a gross is not the sum of its parts
 */
export function postingsOf(sums: Moves & { readonly netted: SplitAmounts; readonly withdrawn: Moves }): Posting[] {
  const { withdrawn } = sums;
  const [approved, out, netted] = [
    moved(sums.approved, nothingMoved),
    moved(nothingMoved, withdrawn.approved),
    byParty(sums.netted),
  ];
  const returned = moved(sums.chargedBack, withdrawn.chargedBack);
  const reversed = moved(sums.reversed, withdrawn.reversed);
  // A negative amount is the reverse: one on the other side.
  const debit = (kind: PostingKind, account: LedgerAccount, amount: string) =>
    isNegative(amount) ? side(kind, account, '0', negated(amount)) : side(kind, account, amount, '0');
  const credit = (kind: PostingKind, account: LedgerAccount, amount: string) => debit(kind, account, negated(amount));
  const postings = [
    credit('APPROVED', 'CUSTOMERS', approved.CUSTOMERS),
    ...parties.map((p) => credit('APPROVED', p, approved[p])),
    ...(['MERCHANT', 'CUSTOMERS', ...parties.filter((p) => p !== 'MERCHANT')] as const).map((p) =>
      credit('WITHDRAWN', p, out[p]),
    ),
    ...methodsNotHeld.flatMap((m) => {
      const back = differenceOf(sums.chargedBack[m], sums.reversed[m]);
      const kind = kindOfMethod[m];
      return [
        debit(kind, 'MERCHANT', sums.approved[m]),
        credit(kind, 'MERCHANT_TO_RETURN', back),
        credit(kind, 'CUSTOMERS', differenceOf(sums.approved[m], back)),
      ];
    }),
    ...parties.map((p) => debit('CHARGED_BACK', `${p}_TO_RETURN`, returned[p])),
    debit('CHARGED_BACK', 'CUSTOMERS', returned.CUSTOMERS),
    credit('REVERSED', 'CUSTOMERS', reversed.CUSTOMERS),
    ...parties.map((p) => credit('REVERSED', `${p}_TO_RETURN`, reversed[p])),
    // Negative if more was released than netted.
    ...parties.flatMap((p) => [debit('NETTED', p, netted[p]), credit('NETTED', `${p}_TO_RETURN`, netted[p])]),
  ].filter((p) => !isZero(p.debit) || !isZero(p.credit));
  for (const kind of postingKinds) {
    const off = imbalance(postings.filter((p) => p.kind === kind));
    if (!isZero(off)) throw new Error(`the postings ${kind} do not balance: ${off} too much on the debit side`);
  }
  return postings;
}

const kindOfMethod = { discounts: 'DISCOUNTS', vouchers: 'VOUCHERS', cash: 'CASH' } as const satisfies Record<
  MethodNotHeld,
  PostingKind
>;

const side = (kind: PostingKind, account: LedgerAccount, debit: string, credit: string): Posting => ({
  kind,
  account,
  debit: sumOf([debit]),
  credit: sumOf([credit]),
});

/** Debits minus credits; 0 if they balance. */
export const imbalance = (postings: readonly Posting[]): string =>
  differenceOf(sumOf(postings.map((p) => p.debit)), sumOf(postings.map((p) => p.credit)));

/** What has to be paid to a party: credits minus debits of its account. Negative if the party owes it to the PSP. */
export const payable = (postings: readonly Posting[], party: Party): string =>
  negated(imbalance(postings.filter((p) => p.account === party)));

/** What the PSP holds of sums of transactions. */
export const heldOf = (s: SettledAmounts): string => differenceOf(s.gross, sumOf(methodsNotHeld.map((m) => s[m])));

export interface Debt {
  readonly from: Party;
  readonly to: Party;
  readonly amount: string;
}

/** Who owes whom: the PSP what is payable to the others, or a party to the PSP where that is negative. */
export const debtsOf = (payable: Readonly<Record<Party, string>>): Debt[] =>
  parties.flatMap((p): Debt[] =>
    p === 'PSP' || isZero(payable[p])
      ? []
      : isNegative(payable[p])
        ? [{ from: p, to: 'PSP', amount: negated(payable[p]) }]
        : [{ from: 'PSP', to: p, amount: payable[p] }],
  );

/**
 * A split as far as the PSP settles it: the merchant's part less what it has already.
 * @param notHeld the sum of what the PSP does not hold
 */
export function settledThroughPsp(amounts: SplitAmounts, notHeld: string): SplitAmounts {
  const left = differenceOf(amounts.merchantAmount, notHeld);
  return { ...amounts, merchantAmount: isNegative(left) ? '0' : left };
}

/** The first part of which more is requested than is left. */
export function firstExcess(asked: SplitAmounts, left: SplitAmounts): SplitPart | undefined {
  return splitParts.find((p) => isNegative(differenceOf(left[p], asked[p])));
}

/**
 * The nettings a transaction has to release after a change, so that the others fit for every party. The newest are
 * released first, each as a whole.
 * @param standing current nettings, newest first
 * @param settled what the transaction settles after the change; undefined if nothing
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

/** Whole days since a moment, at least 0. */
export const ageDays = (fromMs: number, toMs: number): number => Math.max(0, Math.floor((toMs - fromMs) / 86_400_000));

export const bucketOf = (days: number): AgeBucket =>
  (ageBuckets.find((b) => days <= b.to) as (typeof ageBuckets)[number]).name;
