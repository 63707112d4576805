// What makes a transaction worth a person's look: rules as data, each with its reason, and their evaluation. A rule
// never changes a decision; it opens a review. Thresholds are where a look pays off, not legal limits.
import { differenceOf, isNegative } from '../sums.ts';
import type { Observation } from '../transaction.ts';

export interface RiskRule {
  /** Stored in reviews: never renamed. */
  readonly id: string;
  /** For the reviewer. */
  readonly reason: string;
  /** At least one of these was observed; without it any observation matches. */
  readonly observations?: readonly string[];
  /** The amount is at least the large amount of its currency. */
  readonly large?: true;
  /** Also applies to declined transactions: the decline is what was observed. */
  readonly undone?: true;
}

/**
 * Rules apply where money moved: a declined transaction moved none unless it was approved before, and a pending one is
 * checked once it is verified.
 */
export const riskRules: readonly RiskRule[] = [
  {
    id: 'CRYPTO_ADDRESS',
    observations: ['ADDRESS_CHECKSUM', 'ADDRESS_FORM'],
    reason:
      'Paid out to an address that does not fit the asset’s networks: it may be lost, or not meant for this asset.',
  },
  {
    id: 'CRYPTO_HASH',
    observations: ['HASH_FORM'],
    reason:
      'Paid in by a transaction hash that no network of the asset can have: the payment may never have been made.',
  },
  {
    id: 'BANK_ACCOUNT',
    observations: ['IBAN_CHECKSUM'],
    reason: 'Paid out to an account number with a wrong check digit: it will come back, or reach somebody else.',
  },
  {
    id: 'TAX_LOWERED',
    observations: ['TAX_LOWERED'],
    undone: true,
    reason: 'An approved transaction was revised so that less tax is due: somebody should see why.',
  },
  {
    id: 'LATE_DECLINE',
    observations: ['LATE_DECLINE'],
    undone: true,
    reason: 'An approved transaction was declined days later or in a later month: its tax may have been reported.',
  },
  {
    id: 'LARGE_AMOUNT',
    large: true,
    reason: 'A large amount: about 10,000 US dollars or more.',
  },
  {
    id: 'LARGE_UNEXPLAINED',
    observations: ['PAYMENT_METHODS_SUM'],
    large: true,
    reason: 'A large amount whose payment methods do not add up to it: part of what was paid is not accounted for.',
  },
];

/** Large amounts by currency or asset: about 10,000 US dollars, rounded. Others have no large amount. */
export const largeAmounts: Readonly<Record<string, string>> = {
  USD: '10000',
  EUR: '10000',
  GBP: '8000',
  CHF: '9000',
  CAD: '14000',
  AUD: '15000',
  JPY: '1500000',
  INR: '850000',
  NGN: '15000000',
  KES: '1300000',
  GHS: '120000',
  ZAR: '180000',
  UGX: '37000000',
  TZS: '25000000',
  RWF: '14000000',
  XOF: '6000000',
  XAF: '6000000',
  EGP: '480000',
  USDT: '10000',
  USDC: '10000',
};

export interface Looked {
  readonly status: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly observations: readonly Observation[];
}

export interface Worth {
  readonly rule: RiskRule;
  /** The observations that match the rule. */
  readonly findings: readonly Observation[];
}

/** The rules that match a transaction. */
export function worthReview(t: Looked): Worth[] {
  const large = isLarge(t);
  return riskRules.flatMap((rule) => {
    if (t.status !== 'APPROVED' && rule.undone === undefined) return [];
    const findings = t.observations.filter((o) => rule.observations?.includes(o.code));
    const noticed = rule.observations === undefined || findings.length > 0;
    return noticed && (rule.large === undefined || large) ? [{ rule, findings }] : [];
  });
}

function isLarge(t: Looked): boolean {
  const threshold = Object.hasOwn(largeAmounts, t.currency) ? largeAmounts[t.currency] : undefined;
  return threshold !== undefined && !isNegative(differenceOf(t.amount, threshold));
}

/** Every observation that a rule names: those a reader has to look for. */
export const watchedObservations: readonly string[] = [
  ...new Set(riskRules.filter((r) => r.large === undefined).flatMap((r) => r.observations ?? [])),
];
