// What the durability checks look at and what they find.
import type { Row } from '../../../src/platform/database.ts';

export type CheckName = 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' | 'C7' | 'C8' | 'B';

export interface Violation {
  readonly check: CheckName;
  readonly what: string;
  /** What it means for whoever was answered, where it is one of these. */
  readonly effect?: 'lost' | 'doubled';
}

export interface Verdict {
  readonly violations: readonly Violation[];
  /** What was looked at. */
  readonly figures: {
    readonly records: number;
    readonly versions: number;
    readonly chargebacks: number;
    readonly entries: number;
  };
}

/** Whether every request of unknown outcome has been asked again by now. */
export type Stage = 'before asking again' | 'after asking again';

export interface Found {
  readonly current: Row;
  /** All revisions, oldest first, the current one included. */
  readonly versions: readonly Row[];
}

/** The amounts of a chargeback as it was told and as it is recorded. */
export function sameAmounts(told: Record<string, unknown>, stored: string): boolean {
  const kept = JSON.parse(stored) as Record<string, unknown>;
  return ['vatAmount', 'processingFee', 'merchantAmount', 'transactionFee', 'transactionVAT'].every(
    (f) => told[f] === kept[f],
  );
}
