// A country may tax each product line by rules of its own. A line that none of them names, such as one in other words, is
// taxed by nothing, which is no exemption. Pure.
import { isInForce } from '../calendar.ts';
import type { TaxPlan } from './book.ts';
import type { TaxRule } from './rule.ts';

const taxes = (r: TaxRule): boolean => r.rate !== '0';

/**
 * The product lines that the rules of a country tax on the day, where nothing taxes this one or says that it is free.
 * @param plan of the line
 * @param line in lower case
 * @returns sorted; empty where the line is known, taxed, or no line is
 */
export function otherLines(
  rules: readonly TaxRule[],
  plan: Pick<TaxPlan, 'others' | 'accruals'>,
  of: {
    readonly operation: 'captureWager' | 'capturePayout';
    readonly date: string;
    readonly line: string;
    readonly subdivision: string | undefined;
  },
): string[] {
  const chosen = [...plan.others.map((c) => c.rule), ...plan.accruals];
  if (chosen.some((r) => taxes(r) || r.productLines?.includes(of.line))) return [];
  const limited = rules.filter(
    (r) =>
      r.operations.includes(of.operation) &&
      taxes(r) &&
      isInForce(r, of.date) &&
      (r.subdivision === undefined || r.subdivision === of.subdivision),
  );
  const lines = new Set(limited.flatMap((r) => r.productLines ?? []));
  return lines.has(of.line) ? [] : [...lines].sort();
}
