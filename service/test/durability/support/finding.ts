// The inputs and results of the durability checks.
import type { Row } from '../../../src/platform/database.ts';

export type CheckName = 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' | 'C7' | 'C8' | 'B';

export interface Violation {
  readonly check: CheckName;
  readonly what: string;
  /** The effect for the sender, if it is one of these. */
  readonly effect?: 'lost' | 'doubled';
}

export interface Verdict {
  readonly violations: readonly Violation[];
  /** Counts of what was checked. */
  readonly figures: {
    readonly records: number;
    readonly versions: number;
    readonly chargebacks: number;
    readonly entries: number;
  };
}

/** Whether every request with an unknown outcome has been repeated. */
export type Stage = 'before asking again' | 'after asking again';

export interface Found {
  readonly current: Row;
  /** All revisions, oldest first, the current one included. */
  readonly versions: readonly Row[];
}

/** Whether the amounts of a chargeback's reply equal the recorded ones. */
export function sameAmounts(told: Record<string, unknown>, stored: string): boolean {
  const kept = JSON.parse(stored) as Record<string, unknown>;
  return ['vatAmount', 'processingFee', 'merchantAmount', 'transactionFee', 'transactionVAT'].every(
    (f) => told[f] === kept[f],
  );
}
