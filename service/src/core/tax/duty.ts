// Taxes due by periodic return: which are due on each payment or call, and the tax on a period's contributions to its base. Pure.
import { decimal, divideRounded, formatUnits, least, pow10, ratio, unitsAt } from '../money.ts';
import { isNegative, plain } from '../sums.ts';
import type { TaxBase, TaxDebtor, TaxRule } from './rule.ts';

/** Who owes such a tax, of calls always the operator, a client; undefined for all other taxes. */
export const debtorOf = (r: Pick<TaxRule, 'inTransaction' | 'base' | 'owedBy'>): TaxDebtor | undefined =>
  isDutyOnPayments(r) ? (r.owedBy ?? 'PSP') : isDueByReturn(r) ? 'CLIENT' : undefined;

/** Whether a client's return holds the tax: not what its PSP or the institutions of payers and payees owe. */
export const isOfClient = (r: Pick<TaxRule, 'inTransaction' | 'base' | 'owedBy'>): boolean =>
  [undefined, 'CLIENT'].includes(debtorOf(r));

/** Whether the tax is due on each payment or call by a return of the period: worked out with it, and never part of it. */
export const isDueByReturn = (r: Pick<TaxRule, 'inTransaction' | 'base'>): boolean =>
  isDutyOnPayments(r) || isDutyOnCalls(r);

/** Whether it is such a tax on payments. */
export const isDutyOnPayments = (r: Pick<TaxRule, 'inTransaction' | 'base'>): boolean =>
  !r.inTransaction && paymentBases.has(r.base);

/** Whether it is such a tax on calls, messages and data sessions. */
export const isDutyOnCalls = (r: Pick<TaxRule, 'inTransaction' | 'base'>): boolean =>
  !r.inTransaction && callBases.has(r.base);

const paymentBases: ReadonlySet<TaxBase> = new Set([
  'NET_ADD_ON',
  'TRANSACTION',
  'DEPOSIT_VALUE',
  'WITHDRAWAL_VALUE',
  'FEE',
]);
const callBases: ReadonlySet<TaxBase> = new Set(['CALL_COST', 'MINUTES', 'COUNT', 'DATA_MB']);

/** Who owes a tax by return, in words. */
export const debtorWords: Readonly<Record<TaxDebtor, string>> = {
  PSP: 'the PSP',
  CLIENT: 'the client',
  PAYER_PROVIDER: 'the institution that keeps the account of the payer',
  PAYEE_PROVIDER: 'the institution that keeps the account of the payee',
};

/** What a duty is worked out from. */
export type DutyTerms = Pick<TaxRule, 'rate' | 'brackets' | 'base' | 'rounding'>;

/**
 * @param base sum of contributions, decimal text; a loss bears no tax and is not carried forward here. With brackets, of
 *   one account and calendar month, in the currency of the brackets
 * @param decimals decimals of the currency
 * @returns undefined if the rule has neither rate nor brackets
 */
export function dutyOn(rule: DutyTerms, base: string, decimals: number): string | undefined {
  const bands = rule.brackets ?? (rule.rate === undefined ? undefined : [{ rate: rule.rate }]);
  if (bands === undefined) return undefined;
  if (isNegative(base)) return '0';
  const scale = Math.max(...[base, ...bands.map((b) => b.upTo ?? '0')].map((t) => decimal(t).scale));
  const units = (text: string): bigint => unitsAt(decimal(text), scale) as bigint;
  const whole = units(base);
  // All over one denominator, so that the sum is rounded and not its parts.
  let [sum, over, from] = [0n, 1n, 0n];
  for (const { rate, upTo } of bands) {
    const to = upTo === undefined ? whole : least(whole, units(upTo));
    if (to <= from) break;
    const { n, d } = ratio(rate);
    // Contained in the stake: the tax is r/(1+r) of it.
    const by = rule.base === 'STAKE_INCLUSIVE' ? d * 100n + n : d * 100n;
    [sum, over, from] = [sum * by + (to - from) * n * over, over * by, to];
  }
  return plain(formatUnits(divideRounded(sum * pow10(decimals), over * pow10(scale), rule.rounding), decimals));
}
