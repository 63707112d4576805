// The statement: the postings of a range of days to each party's account, by client, country and currency. Calculated
// from the daily totals; it balances to zero or is refused.
import type { PspId } from '../../core/ids.ts';
import type { MethodNotHeld } from '../../core/payments.ts';
import {
  type Debt,
  debtsOf,
  heldOf,
  imbalance,
  nothingMoved,
  type Party,
  type Posting,
  parties,
  payable,
  postingsOf,
  type SettledAmounts,
  type SplitAmounts,
} from '../../core/settlement.ts';
import { differenceOf, sumOf } from '../../core/sums.ts';
import { isWithdrawal } from '../../core/transaction.ts';
import type { Database } from '../../platform/database.ts';
import { type AmountSums, type Amounts, amountTotals } from '../totals/index.ts';
import { sumNetted } from './netting-store.ts';

export interface StatementFilter {
  readonly psp: PspId;
  readonly from: string;
  readonly to: string;
  readonly account?: string | undefined;
  readonly country?: string | undefined;
  readonly currency?: string | undefined;
}

export interface Statement {
  readonly account: string;
  readonly country: string;
  readonly currency: string;
  readonly approved: number;
  readonly chargedBack: number;
  readonly postings: readonly Posting[];
  /** Where the money is that approved transactions brought in: with the PSP, or elsewhere by payment method. */
  readonly collected: Readonly<Record<'heldByPsp' | MethodNotHeld, string>>;
  /** What the PSP paid to customers by approved withdrawals. */
  readonly paidOut: string;
  /**
   * Amounts payable to each party: its parts of approved transactions, minus nettings and minus what the merchant has
   * already. Negative if the party owes it.
   */
  readonly payable: Readonly<Record<Party, string>>;
  readonly debts: readonly Debt[];
  /** Amounts each party has to return for these days' chargebacks, minus those netted or reversed on these days. */
  readonly toReturn: Readonly<Record<Party, string>>;
  /** Debits minus credits of all postings. */
  readonly balance: string;
}

const verdicts = ['APPROVED', 'CHARGED_BACK', 'REVERSED'] as const;
type Verdict = (typeof verdicts)[number];
type KindSums = AmountSums<'kind'>;

interface Sums {
  /** By kind of transaction. */
  readonly by: Record<Verdict, KindSums[]>;
  netted: SplitAmounts | undefined;
}

const isPaidIn = (s: KindSums) => !isWithdrawal(s);

function split(sums: readonly KindSums[]): SettledAmounts {
  const of = (figure: keyof Amounts) => sumOf(sums.map((s) => s[figure]));
  return {
    gross: of('gross'),
    discounts: of('discounts'),
    vouchers: of('vouchers'),
    cash: of('cash'),
    vatAmount: of('vat'),
    processingFee: of('processingFee'),
    merchantAmount: of('net'),
    transactionFee: of('transactionFee'),
    transactionVAT: of('transactionVat'),
  };
}

const countOf = (sums: readonly KindSums[]) => sums.reduce((n, s) => n + s.count, 0);

export async function statements(db: Database, f: StatementFilter): Promise<Statement[]> {
  const bySlot = new Map<string, Sums>();
  const sumsAt = (r: { account?: string; country?: string; currency?: string }): Sums => {
    const slot = `${r.account}|${r.country}|${r.currency}`;
    let sums = bySlot.get(slot);
    if (!sums) bySlot.set(slot, (sums = { by: { APPROVED: [], CHARGED_BACK: [], REVERSED: [] }, netted: undefined }));
    return sums;
  };
  const dimensions = ['account', 'country', 'currency', 'kind'] as const;
  for (const verdict of verdicts)
    for (const r of await amountTotals(db, { ...f, verdict }, dimensions)) sumsAt(r).by[verdict].push(r);
  for (const r of await sumNetted(db, f)) sumsAt(r).netted = r.amounts;
  return [...bySlot]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([slot, s]) => {
      const [account, country, currency] = slot.split('|') as [string, string, string];
      return { account, country, currency, ...statementOf(s) };
    });
}

function statementOf({ by, netted }: Sums): Omit<Statement, 'account' | 'country' | 'currency'> {
  const moved = (which: (s: KindSums) => boolean) => ({
    approved: split(by.APPROVED.filter(which)),
    chargedBack: split(by.CHARGED_BACK.filter(which)),
    reversed: split(by.REVERSED.filter(which)),
  });
  const [paidIn, withdrawn] = [moved(isPaidIn), moved(isWithdrawal)];
  const postings = postingsOf({ ...paidIn, withdrawn, netted: netted ?? nothingMoved });
  const each = (of: (p: Party) => string) =>
    Object.fromEntries(parties.map((p) => [p, of(p)])) as Record<Party, string>;
  const side = (p: Party, name: 'debit' | 'credit') =>
    sumOf(postings.filter((x) => x.account === `${p}_TO_RETURN`).map((x) => x[name]));
  const due = each((p) => payable(postings, p));
  const { discounts, vouchers, cash } = paidIn.approved;
  return {
    approved: countOf(by.APPROVED),
    chargedBack: countOf(by.CHARGED_BACK),
    postings,
    collected: { heldByPsp: heldOf(paidIn.approved), cash, vouchers, discounts },
    paidOut: withdrawn.approved.merchantAmount,
    payable: due,
    debts: debtsOf(due),
    toReturn: each((p) => differenceOf(side(p, 'debit'), side(p, 'credit'))),
    balance: imbalance(postings),
  };
}
