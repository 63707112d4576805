// Which of several rules that fit a question is the narrowest. Pure.
import { contest, mccRange, type TaxRule, telecomKind } from './rule.ts';

export type Range = readonly [from: number, to: number];

/** A rule that may be chosen, with what comparing it with others needs. */
export interface Candidate {
  readonly rule: TaxRule;
  /** Of the rules of one slot the narrowest is chosen. */
  readonly slot: string;
  readonly mccRanges: readonly Range[];
  /** Smaller is narrower: what comes before the width of the merchant codes, and what comes after it. */
  readonly before: number;
  readonly after: number;
}

/** A candidate that fits a question, with the width of its merchant codes. */
export interface Fitting {
  readonly candidate: Candidate;
  readonly width: number;
}

/** Width of the narrowest range that contains the code; of all codes if the rule names none; undefined if it names others. */
export function widthFor({ mccRanges }: Candidate, code: number | undefined): number | undefined {
  if (mccRanges.length === 0) return 10_000;
  let width: number | undefined;
  for (const [from, to] of mccRanges)
    if (code !== undefined && code >= from && code <= to && (width === undefined || to - from < width))
      width = to - from;
  return width;
}

/**
 * From the widest difference to the narrowest: customer, client and part of the country, then (after the width of the merchant
 * codes) what is sold, product line, classification, number of operations.
 */
export const candidateOf = (rule: TaxRule): Candidate => ({
  rule,
  slot: `${rule.inTransaction}|${rule.taxCode}|${contest(rule.base)}|${telecomKind(rule)}`,
  mccRanges: rule.mccRanges.map(mccRange),
  before:
    (rule.customer === undefined ? 4 : 0) +
    (rule.client === undefined ? 2 : 0) +
    (rule.subdivision === undefined ? 1 : 0),
  after:
    (rule.supplies === undefined ? 400 : 0) +
    (rule.productLines?.length ? 0 : 200) +
    (rule.classifications.length > 0 ? 0 : 100) +
    rule.operations.length,
});

/** Whether `a` is more specific than `b`; of two that are equally so the later, then the one whose id comes first. */
export function narrower(a: Candidate, width: number, { candidate: b, width: other }: Fitting): boolean {
  const d = a.before - b.before || width - other || a.after - b.after;
  if (d !== 0) return d < 0;
  const { rule: ra } = a;
  const { rule: rb } = b;
  return ra.validFrom === rb.validFrom ? ra.ruleId < rb.ruleId : ra.validFrom > rb.validFrom;
}
