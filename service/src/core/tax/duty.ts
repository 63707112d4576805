// Taxes due by periodic return: which are due on each payment, and the tax on a period's contributions to its base. Pure.
import { divideRounded, formatUnits, pow10, ratio } from '../money.ts';
import { isNegative, plain } from '../sums.ts';
import type { TaxBase, TaxDebtor, TaxRule } from './rule.ts';

/** Who owes such a tax; undefined for all others. */
export const debtorOf = (r: Pick<TaxRule, 'inTransaction' | 'base' | 'owedBy'>): TaxDebtor | undefined =>
  isDueByReturn(r) ? (r.owedBy ?? 'PSP') : undefined;

/** Whether the tax is due on each payment by a return of the period: worked out with it, and never taken out of it. */
export const isDueByReturn = (r: Pick<TaxRule, 'inTransaction' | 'base'>): boolean =>
  !r.inTransaction && paymentBases.has(r.base);

const paymentBases: ReadonlySet<TaxBase> = new Set([
  'NET_ADD_ON',
  'TRANSACTION',
  'DEPOSIT_VALUE',
  'WITHDRAWAL_VALUE',
  'FEE',
]);

/** Who owes a tax by return, in words. */
export const debtorWords: Readonly<Record<TaxDebtor, string>> = {
  PSP: 'the PSP',
  CLIENT: 'the client',
  PAYER_PROVIDER: 'the institution that keeps the account of the payer',
  PAYEE_PROVIDER: 'the institution that keeps the account of the payee',
};

/**
 * @param base sum of contributions, decimal text; a loss bears no tax and is not carried forward here
 * @param decimals decimals of the currency
 * @returns undefined if the rule has no rate
 */
export function dutyOn(
  rule: Pick<TaxRule, 'rate' | 'base' | 'rounding'>,
  base: string,
  decimals: number,
): string | undefined {
  if (rule.rate === undefined) return undefined;
  if (isNegative(base)) return '0';
  const { n, d } = ratio(rule.rate);
  const point = base.indexOf('.');
  const scale = point < 0 ? 0 : base.length - point - 1;
  const units = BigInt(base.replace('.', ''));
  // Contained in the stake: the tax is r/(1+r) of it.
  const whole = rule.base === 'STAKE_INCLUSIVE' ? d * 100n + n : d * 100n;
  return plain(formatUnits(divideRounded(units * n * pow10(decimals), whole * pow10(scale), rule.rounding), decimals));
}
