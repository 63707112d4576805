// The form of a scenario: one fault, repeated on services under load, and what the checks found. `npm test` runs a
// short form of each; `npm run soak` runs many rounds of all scenarios in this folder.
import type { TestDatabase } from '../../support/database.ts';
import type { Violation } from '../support/finding.ts';
import type { Pair, SharedPlace } from '../support/scenes.ts';
import type { Stage } from '../support/service-process.ts';

export interface Wanted {
  /** Rounds that count; a round in which the fault hit nothing is held again. */
  readonly rounds: number;
  /** Draws the load; another seed is another run. */
  readonly seed: number;
  /** The short form of `npm test`, or the long one of the soak, which may take its time. */
  readonly form: 'short' | 'long';
  /** A migrated database of its own on a server that lives as long as the run; the stage drops it at its end. */
  readonly database: () => Promise<TestDatabase>;
  /** Two processes that are there already, for a scenario of two; it starts its own otherwise. */
  readonly pair?: Pair;
  /** The same for a scenario of one, which goes on with its history. */
  readonly place?: SharedPlace;
  /** Told of each round as it ends. */
  readonly said?: (...what: unknown[]) => void;
}

/** What was seen. Figures are counted in the run, never assumed. */
export interface Tally {
  /** Rounds in which the fault hit something. */
  runs: number;
  /** Rounds in which it hit nothing: they prove nothing and do not count. */
  voidRounds: number;
  acknowledged: number;
  /** Requests without a conclusive answer; each was asked again. */
  unknown: number;
  /** Requests that were told that nothing was recorded. */
  refused: number;
  /** Acknowledged and not found afterwards. */
  lost: number;
  /** Recorded, announced or counted twice. */
  doubled: number;
  /** From the fault to the first record after it; from its end where it lasts for a while. */
  recoveryMs: number[];
  violations: Violation[];
  /** What a reader should know beside the figures. */
  notes: string[];
  /** Why it could not be held on this machine; nothing of the above counts then. */
  notRun?: string;
}

export interface Scenario {
  /** In kebab-case, as the file and `--only` name it. */
  readonly name: string;
  /** The fault, in words of the results page. */
  readonly fault: string;
  /** What is done, how often it is done within a round, and what is checked; one sentence or two. */
  readonly done: string;
  /** Says what it found; throws only where it could not be held. What it starts is taken down by `stage.end()`. */
  run(stage: Stage, wanted: Wanted): Promise<Tally>;
}

export const emptyTally = (): Tally => ({
  runs: 0,
  voidRounds: 0,
  acknowledged: 0,
  unknown: 0,
  refused: 0,
  lost: 0,
  doubled: 0,
  recoveryMs: [],
  violations: [],
  notes: [],
});

/** Both as one. */
export const together = (a: Tally, b: Tally): Tally => ({
  runs: a.runs + b.runs,
  voidRounds: a.voidRounds + b.voidRounds,
  acknowledged: a.acknowledged + b.acknowledged,
  unknown: a.unknown + b.unknown,
  refused: a.refused + b.refused,
  lost: a.lost + b.lost,
  doubled: a.doubled + b.doubled,
  recoveryMs: [...a.recoveryMs, ...b.recoveryMs],
  violations: [...a.violations, ...b.violations],
  notes: [...a.notes, ...b.notes],
  ...((a.notRun ?? b.notRun) ? { notRun: (a.notRun ?? b.notRun) as string } : {}),
});
