// A risk rule as the service shows it: its document with the fields that pages read, in words.

import { inWords } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { capitalized } from '../../data/capitalized.ts';
import { locale } from '../../words/language.ts';
import { plural, say } from '../../words/words.ts';

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
  observe: say('Counts only'),
  review: say('Opens a review'),
  hold: say('May hold the client'),
  holdWallet: say('May hold the wallet'),
  decline: say('May decline'),
};

const operationNames: Readonly<Record<string, string>> = {
  verifyTransaction: say('sales'),
  deposit: say('deposits'),
  withdrawal: say('withdrawals'),
  cryptoDeposit: say('crypto deposits'),
  cryptoWithdrawal: say('crypto withdrawals'),
  captureWager: say('wagers'),
  capturePayout: say('payouts'),
};

const operationsOf = (of: readonly string[]): string => {
  const text = of.map((o) => operationNames[o] ?? o).join(', ');
  return capitalized(text);
};

const anyOf = new Intl.ListFormat(locale, { type: 'disjunction' });

/** What a rule looks at, in a sentence. */
export function scopeText({ scope, statuses }: RuleDocument): string {
  const of = scope.classifications
    ? ` ${say('of {classifications}', { classifications: scope.classifications.map(inWords).join(', ') })}`
    : '';
  const status = statuses ? `, ${anyOf.format(statuses.map(inWords)).toLowerCase()}` : '';
  const psps = scope.psps ? `, ${say('of {psps}', { psps: plural(scope.psps.length, 'one PSP', '{n} PSPs') })}` : '';
  return `${operationsOf(scope.operations)}${of}${status}${psps}`;
}

const keyNames: Readonly<Record<string, string>> = {
  bankAccount: say('bank account'),
  chainHash: say('transfer on the chain'),
  network: say('IP network'),
  msisdn: say('telephone number'),
};
const keyName = (key: string): string => keyNames[key] ?? key;
const windows: Readonly<Record<string, string>> = {
  '1h': say('an hour'),
  '24h': say('24 hours'),
  '7d': say('7 days'),
  '30d': say('30 days'),
};

/** A counter in words: number of deposits of the customer within an hour. */
export function counterText(c: Counter): string {
  const what = c.kinds ? operationsOf(c.kinds).toLowerCase() : say('records');
  if (c.measure === 'sinceFirst') return say('seconds since the {of} was seen first', { of: keyName(c.of) });
  if (c.measure === 'sinceLast') return say('seconds since the {of} was seen before', { of: keyName(c.of) });
  const measure =
    c.measure === 'sum'
      ? say('sum of {what}', { what })
      : c.measure === 'distinct'
        ? say('different values ({key}) in {what}', { key: keyName(c.distinct ?? ''), what })
        : c.measure === 'countInCurrency'
          ? say('number of {what} in the same currency', { what })
          : say('number of {what}', { what });
  return say('{measure} of the same {of}{windows}', {
    measure,
    of: keyName(c.of),
    windows: c.window ? ` ${say('within {windows}', { windows: windows[c.window] ?? c.window })}` : '',
  });
}
