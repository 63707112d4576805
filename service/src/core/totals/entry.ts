// A journal entry as totals read it: the record it tells of, its numbers exact. Pure.
import { type Json, type JsonObject, parseJson } from '../json.ts';
import { Numeral } from '../money.ts';
import type { TransactionKind, TransactionStatus } from '../transaction.ts';
import type { CountedPlay, CountedTransaction } from './figures.ts';

/** A body's numbers: doubles where a double says the same, else their text. */
type Tree = ReturnType<typeof JSON.parse>;

/**
 * The journal writes an amount of up to 15 digits so that a double holds it (core/money.ts, wireNumber); a text with a
 * longer number in it is read number by number.
 */
const longNumber = /[:,[]\s*-?\d[\d.]{15,}/;

const readBody = (text: string): Tree => (longNumber.test(text) ? plain(parseJson(text)) : JSON.parse(text));

function plain(v: Json): unknown {
  if (v instanceof Numeral) return v;
  if (Array.isArray(v)) return v.map(plain);
  if (v === null || typeof v !== 'object') return v;
  return Object.fromEntries(Object.entries(v as JsonObject).map(([k, x]) => [k, plain(x)]));
}

const amountText = (n: number | Numeral | undefined): string =>
  n === undefined ? '0' : n instanceof Numeral ? n.text : String(n);

export interface EntryOfTransaction {
  readonly revision: number;
  readonly createdAt: string;
  /** Without evidence where the entry changes neither price nor day: a decline by the PSP, a chargeback. */
  readonly record: Omit<CountedTransaction, 'evidence'>;
  readonly evidence: CountedTransaction['evidence'] | undefined;
}

/** transaction.created or transaction.updated. */
export function entryOfTransaction(account: string, body: string): EntryOfTransaction {
  const { data: d, evidence } = readBody(body);
  return {
    revision: Number(amountText(d.revision)),
    createdAt: d.createdAt as string,
    evidence: evidence && { date: evidence.date, tax: evidence.tax, fee: evidence.fee },
    record: {
      account,
      kind: d.type as TransactionKind,
      status: d.status as TransactionStatus,
      country: d.countryCode as string,
      currency: d.currency as string,
      amount: amountText(d.totalAmount),
      vatAmount: amountText(d.vatAmount),
      processingFee: amountText(d.processingFee),
      transactionFee: amountText(d.transactionFee),
      transactionVat: amountText(d.transactionVAT),
      remainder: amountText(d.merchantAmount ?? d.netAmount),
      chargeback: d.chargeback && { at: d.chargeback.at },
    },
  };
}

export interface EntryOfPlay {
  readonly record: Omit<CountedPlay, 'productLine'>;
  /** Of a wager; a payout takes the line of its wager. */
  readonly productLine: string | undefined;
  /** The wager of a payout, as shown. */
  readonly wagerId: string | undefined;
}

/** wager.created or payout.created. */
export function entryOfPlay(kind: CountedPlay['kind'], account: string, body: string): EntryOfPlay {
  const { data: d, evidence } = readBody(body);
  return {
    productLine: kind === 'captureWager' ? d.type : undefined,
    wagerId: d.wagerId,
    record: {
      account,
      kind,
      country: d.countryCode,
      currency: d.currency,
      amount: amountText(d.amount),
      evidence: { date: evidence.date, tax: evidence.tax, accruals: evidence.accruals },
    },
  };
}
