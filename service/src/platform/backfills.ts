// Completes rows of earlier versions in the background, where SQL cannot: for example with the vault's keys. Each step
// is one transaction that also records its progress, so a killed process loses at most one step, another continues, and
// each backfill ends once per database. Requests never wait for it.
import type { BackgroundPauses } from './background-pauses.ts';
import type { Database, Pool } from './database.ts';
import { errorFields, type Log } from './log.ts';
import { PollLoop } from './poll-loop.ts';

export interface Backfill {
  /** Its key in the table `backfills`; it must not change after a release. */
  readonly name: string;
  /**
   * Completes the next rows, using only `tx`. A step should process some hundreds of rows: their locks last until its
   * commit.
   * @param reached what the previous step returned; an empty text for the first
   * @returns its progress as any text that is not empty; undefined if there are no more rows
   */
  step(tx: Database, reached: string): Promise<string | undefined>;
}

export interface BackfillsOptions {
  readonly pool: Pick<Pool, 'transaction'>;
  readonly log: Log;
  readonly backgroundPauses: BackgroundPauses;
  readonly backfills: readonly Backfill[];
}

/** Delay before a step that failed, or that another process was running, is tried again. */
const againMs = 10_000;

export class Backfills {
  readonly #o: BackfillsOptions;
  readonly #open: Set<Backfill>;
  readonly #loop: PollLoop;

  constructor(options: BackfillsOptions) {
    this.#o = options;
    this.#open = new Set(options.backfills);
    this.#loop = new PollLoop({ pass: () => this.#pass(), atNet: () => undefined, everyMs: againMs });
  }

  start(): void {
    this.#loop.start();
  }

  /** Waits for the current step. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #pass(): Promise<void> {
    for (const b of this.#open)
      try {
        await this.#run(b);
      } catch (e) {
        this.#o.log.warn({ backfill: b.name, ...errorFields(e) }, 'a backfill failed at a step and will try it again');
      }
  }

  /** Runs steps until the end, until another process runs them, or until stopped. */
  async #run(b: Backfill): Promise<void> {
    const turn = this.#o.backgroundPauses.turns();
    for (let steps = 0; !this.#loop.stopped; steps++) {
      const state = await this.#o.pool.transaction((tx) => step(tx, b));
      if (state === 'busy') return;
      if (state === 'ended') {
        this.#open.delete(b);
        if (steps > 0) this.#o.log.info({ backfill: b.name, steps }, 'a backfill has ended');
        return;
      }
      await turn();
    }
  }
}

async function step(tx: Database, b: Backfill): Promise<'more' | 'ended' | 'busy'> {
  await tx.query('INSERT INTO backfills (name) VALUES ($1) ON CONFLICT DO NOTHING', [b.name]);
  const [row] = await tx.query<{ reached: string; ended: boolean }>(
    'SELECT reached, ended FROM backfills WHERE name = $1 FOR UPDATE SKIP LOCKED',
    [b.name],
  );
  if (!row) return 'busy';
  if (row.ended) return 'ended';
  const reached = await b.step(tx, row.reached);
  if (reached === undefined) await tx.query('UPDATE backfills SET ended = true WHERE name = $1', [b.name]);
  else await tx.query('UPDATE backfills SET reached = $2 WHERE name = $1', [b.name, reached]);
  return reached === undefined ? 'ended' : 'more';
}
