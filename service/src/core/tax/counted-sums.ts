// What a record says of the sums that its taxes counted in, so that a reversal can take it out and a correction can ask
// again. Pure.
import { formatUnits } from '../money.ts';
import type { Asset } from '../reference.ts';
import type { TaxPlan } from './book.ts';
import type { SummedOver } from './rule.ts';
import { hasReached, isCounted, nothingYet, onwardsName, sumName } from './running.ts';
import type { Sums, TaxLine } from './split.ts';

/** What a tax counted of a client or customer. Amounts are decimal text. */
export interface CountedSum {
  readonly rule: string;
  /** Names the sum: country, tax, period and currency. */
  readonly sum: string;
  readonly of: NonNullable<SummedOver['of']>;
  readonly before: string;
  /** Records counted before. */
  readonly records: number;
  /** What this record adds. */
  readonly adds: string;
  /** Whether the limit was reached in an earlier period, where the law holds the client to that. */
  readonly reached?: boolean;
  /** Names the note that the limit is reached, if this record reached it and the law holds the client to that. */
  readonly reaches?: string;
}

interface Counting {
  readonly amount: bigint;
  readonly asset: Asset;
  readonly date: string;
  readonly sums?: Sums | undefined;
}

/** What the taxes that count counted before, and what this adds; nothing where that is not known. */
export function countedSums(
  q: Counting,
  plan: TaxPlan,
  lines: readonly TaxLine[],
): { readonly sums?: readonly CountedSum[] } {
  if (q.sums === undefined) return {};
  const text = (units: bigint) => formatUnits(units, q.asset.decimals);
  const sums = [...plan.added, ...plan.withheld].flatMap(({ rule }): CountedSum[] => {
    const line = lines.find((l) => l.ruleId === rule.ruleId);
    if (!isCounted(rule) || line?.adds === undefined) return [];
    const before = q.sums?.get(rule.ruleId) ?? nothingYet;
    const onwards = onwardsName(plan.jurisdiction, rule, q.asset.code);
    const reaches = onwards !== undefined && !before.reached && hasReached(rule, q.amount, before, q.asset);
    return [
      {
        rule: rule.ruleId,
        sum: sumName(plan.jurisdiction, rule, q.asset.code, q.date),
        of: rule.summedOver.of,
        before: text(before.base),
        records: before.records,
        adds: text(line.adds),
        ...(before.reached ? { reached: true } : {}),
        ...(reaches ? { reaches: onwards } : {}),
      },
    ];
  });
  return sums.length === 0 ? {} : { sums };
}
