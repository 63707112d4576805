// A journal entry as totals read it: the record it is about, with exact numbers. Pure.
import { type Json, type JsonObject, parseJson } from '../json.ts';
import { Numeral } from '../money.ts';
import type { TransactionKind, TransactionStatus } from '../transaction.ts';
import type { CountedPlay, CountedTransaction } from './figures.ts';

/** A body's numbers: doubles if a double is exact, else their text. */
export type Counted = number | Numeral;

/**
 * The journal writes amounts of up to 15 digits so that a double is exact (core/money.ts, wireNumber); a text with a
 * longer number is parsed number by number.
 */
const longNumber = /[:,[]\s*-?\d[\d.]{15,}/;

export const parseCounted = (text: string): unknown =>
  longNumber.test(text) ? plain(parseJson(text)) : JSON.parse(text);

function plain(v: Json): unknown {
  if (v instanceof Numeral) return v;
  if (Array.isArray(v)) return v.map(plain);
  if (v === null || typeof v !== 'object') return v;
  return Object.fromEntries(Object.entries(v as JsonObject).map(([k, x]) => [k, plain(x)]));
}

const amountText = (n: Counted | undefined): string =>
  n === undefined ? '0' : n instanceof Numeral ? n.text : String(n);

export interface EntryOfTransaction {
  readonly revision: number;
  readonly createdAt: string;
  /** Without evidence if the entry changes neither price nor day: a decline by the PSP, a chargeback. */
  readonly record: Omit<CountedTransaction, 'evidence'>;
  readonly evidence: CountedTransaction['evidence'] | undefined;
}

type Evidence = Pick<CountedTransaction['evidence'], 'date' | 'tax' | 'fee' | 'notHeld'>;

/** The fields of a transaction's entry that are counted, as they are stored. */
interface JournaledTransaction {
  readonly data: {
    readonly revision: Counted;
    readonly createdAt: string;
    readonly type: TransactionKind;
    readonly status: TransactionStatus;
    readonly countryCode: string;
    readonly currency: string;
    readonly totalAmount: Counted;
    readonly vatAmount: Counted;
    readonly processingFee: Counted;
    readonly transactionFee: Counted;
    readonly transactionVAT?: Counted;
    readonly merchantAmount?: Counted;
    readonly netAmount?: Counted;
    readonly chargeback: { readonly at: string; readonly reversedAt?: string } | null;
  };
  readonly evidence?: Evidence;
}

/** transaction.created or transaction.updated. */
export function entryOfTransaction(account: string, { data: d, evidence }: JournaledTransaction): EntryOfTransaction {
  return {
    revision: Number(amountText(d.revision)),
    createdAt: d.createdAt,
    evidence: evidence && {
      date: evidence.date,
      tax: evidence.tax,
      fee: evidence.fee,
      ...(evidence.notHeld === undefined ? {} : { notHeld: evidence.notHeld }),
    },
    record: {
      account,
      kind: d.type,
      status: d.status,
      country: d.countryCode,
      currency: d.currency,
      amount: amountText(d.totalAmount),
      vatAmount: amountText(d.vatAmount),
      processingFee: amountText(d.processingFee),
      transactionFee: amountText(d.transactionFee),
      transactionVat: amountText(d.transactionVAT),
      remainder: amountText(d.merchantAmount ?? d.netAmount),
      chargeback: d.chargeback && { at: d.chargeback.at, reversedAt: d.chargeback.reversedAt },
    },
  };
}

export interface EntryOfPlay {
  readonly record: Omit<CountedPlay, 'productLine'>;
  /** Set for a wager; a payout takes its wager's product line. */
  readonly productLine: string | undefined;
  /** The payout's wager, in wire form. */
  readonly wagerId: string | undefined;
}

/** The fields of a wager's or payout's entry that are counted, as they are stored. */
interface JournaledPlay {
  readonly data: {
    readonly type?: string;
    readonly wagerId: string;
    readonly countryCode: string;
    readonly currency: string;
    readonly amount: Counted;
  };
  readonly evidence: Pick<CountedPlay['evidence'], 'date' | 'tax' | 'accruals'>;
}

/** wager.created or payout.created. */
export function entryOfPlay(
  kind: CountedPlay['kind'],
  account: string,
  { data: d, evidence }: JournaledPlay,
): EntryOfPlay {
  return {
    productLine: kind === 'captureWager' ? d.type : undefined,
    wagerId: d.wagerId,
    record: {
      account,
      kind,
      country: d.countryCode,
      currency: d.currency,
      amount: amountText(d.amount),
      evidence: {
        date: evidence.date,
        tax: evidence.tax,
        ...(evidence.accruals === undefined ? {} : { accruals: evidence.accruals }),
      },
    },
  };
}
