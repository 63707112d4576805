// How a rule works its tax out, in words: its rate, brackets, slabs or fixed amount, and its limits. Pure.
import { isUnknown, type TaxRule } from './rule.ts';

export function rateText(r: TaxRule, currency: string): string {
  if (isUnknown(r)) return 'of unknown rate';
  const money = r.currency ?? currency;
  const to = (upTo: string | undefined) => (upTo === undefined ? 'above' : `up to ${upTo}`);
  const main =
    r.brackets !== undefined
      ? r.brackets.map((b) => `${b.rate} % ${to(b.upTo)}`).join(', ')
      : r.slabs !== undefined
        ? `of all: ${r.slabs.map((b) => `${b.amount ?? `${b.rate} %`} ${to(b.upTo)}`).join(', ')}`
        : r.unitAmount !== undefined
          ? `${r.unitAmount} ${money} ${r.base === 'TRANSACTION' ? 'a transaction' : 'a unit'}`
          : `${r.rate} %`;
  const limits = [
    ...(r.atLeast === undefined ? [] : [`from ${r.atLeast} ${money} on`]),
    ...(r.threshold === undefined ? [] : [`above ${r.threshold} ${money}`]),
    ...(r.allowance === undefined ? [] : [`less ${r.allowance} ${money}`]),
    ...(r.minTax === undefined ? [] : [`at least ${r.minTax} ${money}`]),
    ...(r.maxTax === undefined ? [] : [`at most ${r.maxTax} ${money}`]),
  ];
  const text = limits.length === 0 ? main : `${main}, ${limits.join(', ')}`;
  return r.summedOver === undefined ? text : `${text}, of what a person wins in a ${r.summedOver.per.toLowerCase()}`;
}
