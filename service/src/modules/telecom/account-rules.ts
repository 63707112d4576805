// The inputs of the record rules that depend on the account: which networks are foreign to it, and how numbers without
// + or 00 are read in its country. Lines of files and single records are checked with the same inputs.
import { isForeignByName, type NamedAccount } from '../../core/cdr/networks.ts';
import type { NumberRanges } from '../../core/cdr/number-ranges.ts';
import type { RuleContext } from '../../core/cdr/rules.ts';
import { completeNumber } from '../../platform/completed-numbers.ts';

type AccountRules = Pick<RuleContext, 'isForeign' | 'completeNumber'>;

/** @param account its registered name and country; undefined if not known */
export function rulesOfAccount(account: NamedAccount | undefined, ranges: NumberRanges): AccountRules {
  return {
    isForeign: account && ((network) => isForeignByName(network, account, ranges)),
    completeNumber: (digits) => completeNumber(digits, account?.country),
  };
}
