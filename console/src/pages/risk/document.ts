// A risk rule as the service shows it: its document with the fields that pages read, in words.
import { inWords } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';

export type RiskRule = Content<'listRiskRules'>['items'][number];

/** What the service says of a rule: see service/data/risk/README.md. */
export interface RuleDocument {
  readonly id: string;
  readonly version: number;
  readonly from: string;
  readonly until: string | null;
  readonly scope: {
    readonly operations: readonly string[];
    readonly psps?: readonly string[];
    readonly classifications?: readonly string[];
  };
  readonly statuses?: readonly string[];
  readonly observations?: readonly string[];
  readonly limits?: Readonly<Record<string, string>>;
  readonly counters?: Readonly<Record<string, Counter>>;
  readonly condition: string;
  readonly severity: string;
  readonly code: string;
  readonly reason: string;
  readonly action: string;
  readonly source: { readonly title: string; readonly place?: string; readonly url?: string; readonly date: string };
}

interface Counter {
  readonly of: string;
  readonly measure: string;
  readonly window?: string;
  readonly kinds?: readonly string[];
  readonly distinct?: string;
}

export const documentOf = (rule: Readonly<Record<string, unknown>>): RuleDocument => rule as unknown as RuleDocument;

export const actions: Readonly<Record<RiskRule['action'], string>> = {
  observe: 'Counts only',
  review: 'Opens a review',
  hold: 'May hold the client',
  decline: 'May decline',
};

const operationNames: Readonly<Record<string, string>> = {
  verifyTransaction: 'sales',
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  cryptoDeposit: 'crypto deposits',
  cryptoWithdrawal: 'crypto withdrawals',
  captureWager: 'wagers',
  capturePayout: 'payouts',
};

export const operationsOf = (of: readonly string[]): string => {
  const text = of.map((o) => operationNames[o] ?? o).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** What a rule looks at, in a sentence. */
export function scopeText({ scope, statuses }: RuleDocument): string {
  const of = scope.classifications ? ` of ${scope.classifications.map(inWords).join(', ')}` : '';
  const status = statuses ? `, ${statuses.map(inWords).join(' or ').toLowerCase()}` : '';
  const psps = scope.psps ? `, of ${scope.psps.length === 1 ? 'one PSP' : `${scope.psps.length} PSPs`}` : '';
  return `${operationsOf(scope.operations)}${of}${status}${psps}`;
}

const keyNames: Readonly<Record<string, string>> = {
  bankAccount: 'bank account',
  chainHash: 'transfer on the chain',
  network: 'IP network',
  msisdn: 'telephone number',
};
const keyName = (key: string): string => keyNames[key] ?? key;
const windows: Readonly<Record<string, string>> = {
  '1h': 'an hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
};

/** A counter in words: number of deposits of the customer within an hour. */
export function counterText(c: Counter): string {
  const what = c.kinds ? operationsOf(c.kinds).toLowerCase() : 'records';
  if (c.measure === 'sinceFirst') return `seconds since the ${keyName(c.of)} was seen first`;
  if (c.measure === 'sinceLast') return `seconds since the ${keyName(c.of)} was seen before`;
  const measure =
    c.measure === 'sum'
      ? `sum of ${what}`
      : c.measure === 'distinct'
        ? `different values (${keyName(c.distinct ?? '')}) in ${what}`
        : `number of ${what}`;
  return `${measure} of the same ${keyName(c.of)}${c.window ? ` within ${windows[c.window] ?? c.window}` : ''}`;
}
