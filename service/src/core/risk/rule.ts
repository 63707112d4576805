// The rules of the risk book as dated data: what a rule says, where it applies, and what follows from a match. Pure; the
// conditions themselves are read and evaluated by modules/risk.
import type { AccountId, PspId } from '../ids.ts';
import type { Observation } from '../transaction.ts';
import type { CounterDefinition, Dimension } from './counters.ts';
import type { Severity } from './review.ts';

/**
 * observe: matches are counted only. review: a match opens a review. hold, holdWallet and decline: as observe, until a PSP
 * switches the rule on for itself; then a match puts its client or its wallet on hold, or declines the record.
 */
export const riskActions = ['observe', 'review', 'hold', 'holdWallet', 'decline'] as const;
export type RiskAction = (typeof riskActions)[number];
/** The actions of rules that place holds. */
export const holdingActions: readonly RiskAction[] = ['hold', 'holdWallet'];
/** Operations whose records name a wallet. */
export const walletOperations = ['cryptoDeposit', 'cryptoWithdrawal'] as const;

/** Transactions, which have a verdict. */
const transactionOperations = [
  'verifyTransaction',
  'deposit',
  'withdrawal',
  'cryptoDeposit',
  'cryptoWithdrawal',
] as const;
export const riskOperations = [...transactionOperations, 'captureWager', 'capturePayout'] as const;
export type RiskOperation = (typeof riskOperations)[number];

const ofPerson: readonly Dimension[] = ['client', 'customer', 'msisdn'];
const named: Readonly<Record<RiskOperation, readonly Dimension[]>> = {
  // A sale does not say whose it was.
  verifyTransaction: ['client'],
  deposit: ofPerson,
  withdrawal: [...ofPerson, 'bankAccount'],
  cryptoDeposit: [...ofPerson, 'wallet', 'chainHash'],
  cryptoWithdrawal: [...ofPerson, 'wallet', 'chainHash'],
  captureWager: [...ofPerson, 'network'],
  capturePayout: ofPerson,
};
/** What the records of an operation may name. */
export const namedIn = (operation: RiskOperation): readonly Dimension[] => named[operation];

interface RuleScope {
  readonly operations: readonly RiskOperation[];
  /** Ids of PSPs, `psp_…`; absent for all. */
  readonly psps?: readonly `psp_${string}`[];
  /** Classifications of clients; absent for all. */
  readonly classifications?: readonly string[];
}

interface RuleSource {
  /** The law, guidance or practice that the rule follows. */
  readonly title: string;
  /** Section, article or paragraph. */
  readonly place?: string;
  readonly url?: string;
  /** Date of the version that was read, `YYYY-MM-DD`. */
  readonly date: string;
  /** How sure a figure of law is: read in the law or an authority's own text, in another publication, or not found. */
  readonly confidence?: 'official' | 'secondary' | 'assumed';
  /** What was read, and what was not. */
  readonly read?: string;
}

export interface RiskRule {
  /** Stored in reviews and matches: never renamed. */
  readonly id: string;
  /** Counts the versions of the rule, from 1. */
  readonly version: number;
  /** First day in UTC, `YYYY-MM-DD`. */
  readonly from: string;
  /** First day on which it does not apply any more; null if it has no end. */
  readonly until: string | null;
  readonly scope: RuleScope;
  /** Records the rule looks at by status; APPROVED if absent. */
  readonly statuses?: readonly string[];
  /** Observations of which the record must have one; they are copied into the review. */
  readonly observations?: readonly string[];
  /** Amounts by currency, or by country and currency (`US USD`), which the condition reads as `limit`. */
  readonly limits?: Readonly<Record<string, string>>;
  /** Counters by the name under which the condition reads them. */
  readonly counters?: Readonly<Record<string, CounterDefinition>>;
  /** CEL, of type bool. */
  readonly condition: string;
  readonly severity: Severity;
  /** For everybody, where a match has consequences that they see. */
  readonly code: string;
  /** For the PSP and staff. */
  readonly reason: string;
  readonly action: RiskAction;
  readonly source: RuleSource;
}

/** A record that rules look at, as it was journalled. */
export interface RiskEvent {
  readonly psp: PspId;
  /** Client or PSP, a UUID. */
  readonly account: AccountId;
  /** UUID of the transaction, wager or payout. */
  readonly record: string;
  readonly operation: RiskOperation;
  readonly status: string;
  /** Milliseconds. */
  readonly at: number;
  /** Decimal text. */
  readonly amount: string;
  readonly tax: string;
  readonly currency: string;
  readonly country: string;
  readonly revision: number;
  readonly chargedBack: boolean;
  readonly observations: readonly Observation[];
  readonly mcc: string;
  readonly methods: readonly string[];
  readonly productLine: string;
  /** Keyed hashes by which the record's parties are counted. */
  readonly keys: RiskKeys;
  /** The person under whose key the record's personal data is sealed; undefined if it names none. */
  readonly person?: string | undefined;
  /** For a payout, whether it names the person of its wager; true for other records. */
  readonly samePerson: boolean;
}

/** A missing key is not counted. */
export interface RiskKeys {
  readonly client: AccountId;
  /** Of the mailbox that the customer's e-mail reaches, however it is written. */
  readonly customer?: string | undefined;
  readonly wallet?: string | undefined;
  readonly bankAccount?: string | undefined;
  readonly chainHash?: string | undefined;
  readonly network?: string | undefined;
  readonly msisdn?: string | undefined;
}

export interface RiskClient {
  readonly classification: string;
  readonly country: string;
  readonly verificationLevel: string;
  readonly operationalStanding: string;
  /** Whether a hold, blocking or not, is in force. */
  readonly onHold: boolean;
  /** Milliseconds. */
  readonly since: number;
}

/** A version of a rule that was approved. */
interface Version {
  readonly rule: RiskRule;
  /** When the next version was approved, ISO UTC; null for the last one. */
  readonly supersededAt: string | null;
}

/**
 * The rules to evaluate, each version until the day on which a later one begins: a version dated ahead leaves the one before it
 * in force until then.
 * @param versions every version of every rule
 */
export function inTheirTime(versions: readonly Version[]): RiskRule[] {
  const ends = new Map<string, string>();
  return versions
    .toSorted((a, b) => b.rule.version - a.rule.version)
    .flatMap(({ rule, supersededAt }) => {
      const next = ends.get(rule.id);
      if (next === undefined || rule.from < next) ends.set(rule.id, rule.from);
      const until = next === undefined || (rule.until !== null && rule.until <= next) ? rule.until : next;
      const isOver = supersededAt !== null && until !== null && until <= supersededAt.slice(0, 10);
      return isOver || (until !== null && until <= rule.from) ? [] : [{ ...rule, until }];
    })
    .sort((a, b) => (a.id === b.id ? a.version - b.version : a.id < b.id ? -1 : 1));
}

/** Whether the rule is in force on a day, `YYYY-MM-DD`. */
export const inForceOn = (r: Pick<RiskRule, 'from' | 'until'>, day: string): boolean =>
  r.from <= day && (r.until === null || day < r.until);

/** Whether a rule looks at records of an operation and status. */
export const looksAt = ({ scope, statuses }: RiskRule, operation: RiskOperation, status: string): boolean =>
  scope.operations.includes(operation) && (statuses === undefined ? status === 'APPROVED' : statuses.includes(status));

/** Whether a rule is about a record, whatever its condition says. */
export const isAbout = (
  rule: RiskRule,
  e: Pick<RiskEvent, 'operation' | 'status' | 'observations'>,
  pspWire: string,
  classification: string,
): boolean => {
  const { scope, observations } = rule;
  return (
    looksAt(rule, e.operation, e.status) &&
    (scope.psps === undefined || scope.psps.some((p) => p === pspWire)) &&
    (scope.classifications === undefined || scope.classifications.includes(classification)) &&
    (observations === undefined || e.observations.some((o) => observations.includes(o.code)))
  );
};

/** The limit for a record: that of its country and currency, else that of its currency. */
export function limitFor(r: Pick<RiskRule, 'limits'>, country: string, currency: string): string | undefined {
  const { limits } = r;
  if (limits === undefined) return undefined;
  const narrow = `${country} ${currency}`;
  if (Object.hasOwn(limits, narrow)) return limits[narrow];
  return Object.hasOwn(limits, currency) ? limits[currency] : undefined;
}

/**
 * Whether a match opens an alert: by a rule for reviews, one that a PSP switched on to place holds, or one that is to
 * decline a payout, which is recorded in any case: the winner is owed it.
 * @param on what the PSP has switched on of the rule
 */
export const opensAlert = (
  rule: Pick<RiskRule, 'action'>,
  operation: RiskOperation,
  on: { readonly holds: boolean; readonly declines: boolean },
): boolean =>
  rule.action === 'review' ||
  (holdingActions.includes(rule.action) && on.holds) ||
  (rule.action === 'decline' && on.declines && operation === 'capturePayout');
