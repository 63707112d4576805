// A tax rule row and a country file, as described in service/data/tax/README.md. problems.ts checks a file.
import type { Rounding } from '../money.ts';

export const taxBases = [
  'GROSS_INCLUSIVE',
  'NET_ADD_ON',
  'FEE',
  'DEPOSIT_VALUE',
  'WITHDRAWAL_VALUE',
  'STAKE',
  'STAKE_INCLUSIVE',
  'WINNINGS',
  'PAYOUT',
  'GGR_PERIOD',
  'CALL_COST',
  'MINUTES',
  'COUNT',
  'DATA_MB',
] as const;
export type TaxBase = (typeof taxBases)[number];

export const taxCategories = [
  'standard',
  'reduced',
  'super_reduced',
  'zero',
  'exempt',
  'none',
  'gambling',
  'crypto_exchange',
  'payment_service',
  'telecom_voice',
  'telecom_sms',
  'telecom_data',
  'telecom_incoming',
] as const;
export type TaxCategory = (typeof taxCategories)[number];

export const taxedOperations = [
  'verifyTransaction',
  'deposit',
  'withdrawal',
  'cryptoDeposit',
  'cryptoWithdrawal',
  'captureWager',
  'capturePayout',
  'recordCDR',
] as const;
export type TaxedOperation = (typeof taxedOperations)[number];

/**
 * How reliable a row is, best first: the statute or the authority's own page was read; a professional summary or the
 * press; a source that was not cross-checked; an assumption no source states.
 */
export const confidences = ['official', 'secondary', 'unverified', 'assumed'] as const;
export type Confidence = (typeof confidences)[number];

export interface TaxSource {
  readonly title: string;
  readonly publisher: string;
  readonly url: string | null;
  readonly retrievedOn: string;
}

export interface TaxRule {
  readonly ruleId: string;
  readonly taxCode: string;
  readonly category: TaxCategory;
  readonly operations: readonly TaxedOperation[];
  readonly classifications: readonly string[];
  readonly mccRanges: readonly string[];
  readonly productLines?: readonly string[];
  readonly base: TaxBase;
  /** Percent as text; absent if `unitAmount` is set. */
  readonly rate?: string;
  readonly unitAmount?: string;
  readonly currency?: string;
  readonly compoundsOn: readonly string[];
  readonly bearer: 'CUSTOMER' | 'MERCHANT' | 'OPERATOR' | 'PLAYER' | 'PSP';
  readonly inTransaction: boolean;
  readonly rounding: Rounding;
  /** Local calendar dates; the end date is excluded. */
  readonly validFrom: string;
  /** False if the row was in force before or since a day nobody looked up, so that validFrom only bounds the data. */
  readonly validFromKnown?: boolean;
  readonly validTo: string | null;
  /** Why a rate is 0. UNKNOWN: a tax is or may be due, but its rate was not found, so the 0 states nothing. */
  readonly reason?: string | null;
  readonly threshold?: string;
  readonly exemptOrigins?: readonly string[];
  readonly sunsetOn?: string;
  readonly source: string;
  readonly legalRef: string | null;
  readonly confidence: Confidence;
  readonly note?: string;
}

export interface CountryTax {
  readonly jurisdiction: string;
  readonly name: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly sources: Readonly<Record<string, TaxSource>>;
  readonly rules: readonly TaxRule[];
}

/** The key under which rows compete: two rows with the same key, equal narrowness and overlapping dates conflict. */
export function contest(base: TaxBase): string {
  switch (base) {
    case 'GROSS_INCLUSIVE':
    case 'NET_ADD_ON':
      return 'sale';
    case 'FEE':
      return 'fee';
    default:
      return base;
  }
}

/** A reduced rate without an MCC is published, but never chosen automatically. */
export const isChoosable = (r: TaxRule): boolean =>
  !((r.category === 'reduced' || r.category === 'super_reduced') && r.mccRanges.length === 0);

/** Whether a rate of 0 only means that the rate was not found. */
export const isUnknown = (r: Pick<TaxRule, 'reason'>): boolean => r.reason === 'UNKNOWN';

/** '5812-5814' as numbers, inclusive. */
export function mccRange(text: string): [number, number] {
  const [from, to] = text.split('-');
  return [Number(from), Number(to ?? from)];
}

/**
 * The key under which a row competes, as text: rows of a country with the same slot may not be valid on the same day. A
 * published row that is never chosen conflicts only with itself.
 */
export function ruleSlot(r: TaxRule): string {
  if (!isChoosable(r)) return `published|${r.ruleId}`;
  const list = (items: readonly string[] | undefined) => [...(items ?? [])].sort().join('+');
  const telecom = r.category.startsWith('telecom_') ? r.category : '';
  return [
    r.taxCode,
    contest(r.base),
    r.inTransaction,
    telecom,
    list(r.operations),
    list(r.classifications),
    list(r.mccRanges),
    list(r.productLines),
  ].join('|');
}
