// What a record adds to daily totals: its cell, and its figures in it. Pure; amounts are decimal text.
import { methodsNotHeld } from '../payments.ts';
import type { TransactionRecord } from '../transaction.ts';

/**
 * For transactions their status, CHARGED_BACK for what a chargeback returns, REVERSED for a reversed one; for wagers
 * and payouts RECORDED.
 */
export const totalVerdicts = ['PENDING', 'APPROVED', 'DECLINED', 'CHARGED_BACK', 'REVERSED', 'RECORDED'] as const;
export type TotalVerdict = (typeof totalVerdicts)[number];

/** Declined and unverified transactions bear no tax. */
export const bearsTax = (verdict: string): boolean => verdict !== 'DECLINED' && verdict !== 'PENDING';

export const totalKinds = [
  'verifyTransaction',
  'cryptoDeposit',
  'cryptoWithdrawal',
  'deposit',
  'withdrawal',
  'captureWager',
  'capturePayout',
] as const;
export type TotalKind = (typeof totalKinds)[number];

/** The cell of a figure. `day` is the deciding date in the country's own calendar. */
export interface Place {
  readonly day: string;
  readonly country: string;
  /** The account the record is about. */
  readonly account: string;
  readonly currency: string;
  readonly kind: TotalKind;
  readonly verdict: TotalVerdict;
  /** For wagers and payouts, lower case; else empty. */
  readonly productLine: string;
}

/** Amounts of one record, by fee row. */
interface AmountPart {
  readonly part: 'amounts';
  readonly place: Place;
  /** Id of the fee row; empty if there is none. */
  readonly rule: string;
  readonly figures: readonly string[];
}

/** One tax of a record. */
interface TaxPart {
  readonly part: 'taxes';
  readonly place: Place;
  readonly rule: string;
  readonly figures: readonly string[];
}

/** What a wager or payout adds to the base of a tax due by periodic return; the return calculates the tax. */
interface AccrualPart {
  readonly part: 'accruals';
  readonly place: Place;
  readonly rule: string;
  readonly figures: readonly string[];
}

export type Part = AmountPart | TaxPart | AccrualPart;

/** The date of a moment in a country's own calendar. */
export type DayOf = (country: string, iso: string) => string;

/** The fields of a transaction that totals need. */
export type CountedTransaction = Pick<
  TransactionRecord,
  | 'account'
  | 'kind'
  | 'status'
  | 'country'
  | 'currency'
  | 'amount'
  | 'vatAmount'
  | 'processingFee'
  | 'transactionFee'
  | 'transactionVat'
  | 'remainder'
> & {
  readonly evidence: Pick<TransactionRecord['evidence'], 'date' | 'tax' | 'fee' | 'notHeld'>;
  readonly chargeback: { readonly at: string; readonly reversedAt?: string | undefined } | null;
};

/**
 * The parts of a transaction's current state, and those its chargeback returns and a reversal takes back, each on its
 * own day.
 */
export function partsOfTransaction(t: CountedTransaction, dayOf: DayOf): Part[] {
  const on = (at: string | undefined, verdict: TotalVerdict) =>
    at === undefined ? [] : sideOf(t, dayOf(t.country, at), verdict);
  return [
    ...sideOf(t, t.evidence.date, t.status),
    ...on(t.chargeback?.at, 'CHARGED_BACK'),
    ...on(t.chargeback?.reversedAt, 'REVERSED'),
  ];
}

function sideOf(t: CountedTransaction, day: string, verdict: TotalVerdict): Part[] {
  const { country, account, currency, kind } = t;
  const place: Place = { day, country, account, currency, kind, verdict, productLine: '' };
  return [
    {
      part: 'amounts',
      place,
      rule: t.evidence.fee ?? '',
      figures: [
        t.amount,
        t.vatAmount,
        t.processingFee,
        t.transactionFee,
        t.transactionVat,
        t.remainder,
        ...methodsNotHeld.map((m) => t.evidence.notHeld?.[m] ?? '0'),
      ],
    },
    ...t.evidence.tax.map((l): Part => ({ part: 'taxes', place, rule: l.rule, figures: [l.taxable, l.tax] })),
  ];
}

/** The fields of a wager or payout that totals need. */
export interface CountedPlay {
  readonly account: string;
  readonly kind: 'captureWager' | 'capturePayout';
  readonly country: string;
  readonly currency: string;
  readonly amount: string;
  readonly productLine: string;
  readonly evidence: {
    readonly date: string;
    readonly tax: readonly { readonly rule: string; readonly taxable: string; readonly tax: string }[];
    readonly accruals?: readonly { readonly rule: string; readonly contribution: string }[];
  };
}

/** A wager or payout has its amount only. */
const noFigures = Array.from({ length: 5 + methodsNotHeld.length }, () => '0');

export function partsOfPlay(p: CountedPlay): Part[] {
  const { country, account, currency, kind } = p;
  const productLine = p.productLine.toLowerCase();
  const place: Place = { day: p.evidence.date, country, account, currency, kind, verdict: 'RECORDED', productLine };
  return [
    { part: 'amounts', place, rule: '', figures: [p.amount, ...noFigures] },
    ...p.evidence.tax.map((l): Part => ({ part: 'taxes', place, rule: l.rule, figures: [l.taxable, l.tax] })),
    ...(p.evidence.accruals ?? []).map(
      (a): Part => ({ part: 'accruals', place, rule: a.rule, figures: [a.contribution] }),
    ),
  ];
}
