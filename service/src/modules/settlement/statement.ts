// The statement: the postings of a range of days to each party's account, by client, country and currency. Calculated
// from the daily totals; it balances to zero or is refused.
import type { PspId } from '../../core/ids.ts';
import type { MethodNotHeld } from '../../core/payments.ts';
import {
  type Debt,
  debtsOf,
  heldOf,
  imbalance,
  type Party,
  type Posting,
  parties,
  payable,
  postingsOf,
  type SettledAmounts,
  type SplitAmounts,
} from '../../core/settlement.ts';
import { differenceOf, sumOf } from '../../core/sums.ts';
import type { Database } from '../../platform/database.ts';
import { type AmountSums, amountTotals } from '../totals/index.ts';
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
  /** Where the money of approved transactions is: with the PSP, or elsewhere by payment method. */
  readonly collected: Readonly<Record<'heldByPsp' | MethodNotHeld, string>>;
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

interface Sums {
  approved: AmountSums | undefined;
  chargedBack: AmountSums | undefined;
  reversed: AmountSums | undefined;
  netted: SplitAmounts | undefined;
}

const nothing: SettledAmounts = {
  gross: '0',
  discounts: '0',
  vouchers: '0',
  cash: '0',
  vatAmount: '0',
  processingFee: '0',
  merchantAmount: '0',
  transactionFee: '0',
  transactionVAT: '0',
};

const split = (s: AmountSums | undefined): SettledAmounts =>
  s === undefined
    ? nothing
    : {
        gross: s.gross,
        discounts: s.discounts,
        vouchers: s.vouchers,
        cash: s.cash,
        vatAmount: s.vat,
        processingFee: s.processingFee,
        merchantAmount: s.net,
        transactionFee: s.transactionFee,
        transactionVAT: s.transactionVat,
      };

export async function statements(db: Database, f: StatementFilter): Promise<Statement[]> {
  const bySlot = new Map<string, Sums>();
  const sumsAt = (r: { account?: string; country?: string; currency?: string }): Sums => {
    const slot = `${r.account}|${r.country}|${r.currency}`;
    let sums = bySlot.get(slot);
    if (!sums)
      bySlot.set(
        slot,
        (sums = { approved: undefined, chargedBack: undefined, reversed: undefined, netted: undefined }),
      );
    return sums;
  };
  const dimensions = ['account', 'country', 'currency'] as const;
  for (const r of await amountTotals(db, { ...f, verdict: 'APPROVED' }, dimensions)) sumsAt(r).approved = r;
  for (const r of await amountTotals(db, { ...f, verdict: 'CHARGED_BACK' }, dimensions)) sumsAt(r).chargedBack = r;
  for (const r of await amountTotals(db, { ...f, verdict: 'REVERSED' }, dimensions)) sumsAt(r).reversed = r;
  for (const r of await sumNetted(db, f)) sumsAt(r).netted = r.amounts;
  return [...bySlot]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([slot, s]) => {
      const [account, country, currency] = slot.split('|') as [string, string, string];
      return { account, country, currency, ...statementOf(s) };
    });
}

function statementOf(s: Sums): Omit<Statement, 'account' | 'country' | 'currency'> {
  const approved = split(s.approved);
  const postings = postingsOf({
    approved,
    chargedBack: split(s.chargedBack),
    reversed: split(s.reversed),
    netted: s.netted ?? nothing,
  });
  const each = (of: (p: Party) => string) =>
    Object.fromEntries(parties.map((p) => [p, of(p)])) as Record<Party, string>;
  const side = (p: Party, name: 'debit' | 'credit') =>
    sumOf(postings.filter((x) => x.account === `${p}_TO_RETURN`).map((x) => x[name]));
  const due = each((p) => payable(postings, p));
  const { discounts, vouchers, cash } = approved;
  return {
    approved: s.approved?.count ?? 0,
    chargedBack: s.chargedBack?.count ?? 0,
    postings,
    collected: { heldByPsp: heldOf(approved), cash, vouchers, discounts },
    payable: due,
    debts: debtsOf(due),
    toReturn: each((p) => differenceOf(side(p, 'debit'), side(p, 'credit'))),
    balance: imbalance(postings),
  };
}
