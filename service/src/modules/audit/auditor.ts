// Sends the newest checkpoints to an auditor's address, with the proof that each continues the one the auditor holds:
// an auditor that keeps them notices if the database is set back or its past rewritten. Follows what the sealer stored
// and never delays it.
import { toBase64 } from '../../core/audit/base64.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database.ts';
import { errorFields, type Log } from '../../platform/log.ts';
import type { Outcome, Outgoing } from '../../platform/outgoing.ts';
import { PollLoop } from '../../platform/poll-loop.ts';
import { signatureHeaders } from '../webhooks/index.ts';
import { findNewForAuditor, type NewForAuditor, storeHeldByAuditor } from './auditor-store.ts';
import { proveConsistency } from './stored-tree.ts';

export interface AuditorOptions {
  /** At least two connections: one holds the lock that decides which of several processes sends. */
  readonly pool: Pick<Pool, 'query' | 'transaction' | 'end'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly url: string;
  /** In the form of webhook secrets: `whsec_` and base64. */
  readonly secret: string;
  /** Called with the outcome of each attempt. */
  readonly observe?: (reason: string) => void;
  readonly everyMs?: number;
}

const minuteMs = 60_000;
/** Age of the oldest entry that the auditor does not have yet while all is well: the minute between two checkpoints, and the look that follows. */
export const usualAuditorLagS = 90;
const firstWaitMs = 5_000;
const longestWaitMs = 15 * minuteMs;
/** Checkpoints sent concurrently. */
const lanes = 8;

interface Trouble {
  readonly failures: number;
  readonly untilMs: number;
}

export class Auditor {
  readonly #o: AuditorOptions;
  readonly #loop: PollLoop;
  readonly #troubles = new Map<string, Trouble>();
  /**
   * PSPs whose newest checkpoint was not sent since the start. Each is sent once, whether or not it was accepted
   * before: a database that was set back assumes that the auditor holds what it holds itself.
   */
  #unseen: Set<string> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: AuditorOptions) {
    this.#o = options;
    this.#loop = new PollLoop({
      pass: () => this.#pass(),
      atNet: () => undefined,
      everyMs: options.everyMs ?? 5_000,
    });
  }

  /** Number of PSPs whose newest checkpoint the auditor has not accepted. */
  get troubled(): number {
    return this.#troubles.size;
  }

  start(): void {
    this.#loop.start();
  }

  /** Stops after the requests in flight. */
  stop(): Promise<void> {
    this.#stopped ??= this.#loop.stop().then(() => this.#o.pool.end());
    return this.#stopped;
  }

  async #pass(): Promise<void> {
    try {
      await this.#o.pool.transaction(async (tx) => {
        const [lock] = await tx.query("SELECT pg_try_advisory_xact_lock(hashtextextended('auditor', 0)) AS mine");
        if (!lock?.mine) return;
        const found = await findNewForAuditor(tx, this.#unseen && [...this.#unseen]);
        this.#unseen ??= new Set(found.map((c) => c.psp));
        const due = found.filter((c) => this.#isDue(c));
        for (let i = 0; i < due.length && !this.#loop.stopped; i += lanes) {
          const answered = await Promise.all(due.slice(i, i + lanes).map((c) => this.#tell(c)));
          // The auditor does not answer, so the others need not try.
          if (answered.every((a) => !a)) return;
        }
      });
    } catch (e) {
      this.#o.log.warn(errorFields(e), 'checkpoints for the auditor could not be read');
    }
  }

  /** A PSP's checkpoints are sent at least a minute apart; after each failure the wait grows. */
  #isDue(c: NewForAuditor): boolean {
    const now = this.#o.clock();
    const earliest = c.heldSealedAt === null ? 0 : Date.parse(c.heldSealedAt) + minuteMs;
    return now >= Math.max(earliest, this.#troubles.get(c.psp)?.untilMs ?? 0);
  }

  /** @returns whether the auditor answered */
  async #tell(c: NewForAuditor): Promise<boolean> {
    try {
      let outcome = await this.#send(c, c.held);
      let holds = heldSize(outcome);
      if (holds !== undefined && holds <= c.size) {
        // It holds another checkpoint than expected, so the proof starts from that one.
        outcome = await this.#send(c, holds);
        holds = heldSize(outcome);
      }
      if (outcome.reason === 'OK') {
        await storeHeldByAuditor(this.#o.pool, c.psp, c.size);
        this.#troubles.delete(c.psp);
        this.#unseen?.delete(c.psp);
      } else this.#failed(c, outcome, holds);
      return outcome.status !== null;
    } catch (e) {
      this.#o.log.error(
        { psp: c.psp, size: c.size, ...errorFields(e) },
        'a checkpoint could not be sent to the auditor',
      );
      this.#wait(c.psp, 0);
      return true;
    }
  }

  async #send(c: NewForAuditor, held: number): Promise<Outcome> {
    const { proof } = held > 0 && held < c.size ? await proveConsistency(this.#o.pool, c, held, c.size) : { proof: [] };
    const body = [`old ${held}`, ...proof.map(toBase64), '', c.note].join('\n');
    const id = `${toWire('psp', c.psp)}-${c.size}`;
    const outcome = await this.#o.outgoing.send(this.#o.url, body, {
      'content-type': 'text/plain; charset=utf-8',
      ...signatureHeaders({ current: this.#o.secret }, id, Math.floor(this.#o.clock() / 1000), body),
    });
    this.#o.observe?.(outcome.reason);
    return outcome;
  }

  #failed(c: NewForAuditor, outcome: Outcome, holds: number | undefined): void {
    // Requests in flight at a stop are aborted; the next start sends them again.
    if (this.#loop.stopped) return;
    const { status, reason, stage } = outcome;
    const said = status === null ? 'there was no answer' : `it answered: ${outcome.response?.trim().slice(0, 200)}`;
    const why =
      holds !== undefined && holds > c.size
        ? `it holds a checkpoint over ${holds} entries, more than the ${c.size} sealed here: this database was set back`
        : said;
    const waitMs = this.#wait(c.psp, (outcome.retryAfterS ?? 0) * 1000);
    this.#o.log.error(
      { psp: c.psp, size: c.size, status, reason, stage, why, againInS: Math.round(waitMs / 1000) },
      'the auditor did not take a checkpoint; it is tried again with the newest then',
    );
  }

  /** @returns the wait in milliseconds */
  #wait(psp: PspId, askedMs: number): number {
    const failures = (this.#troubles.get(psp)?.failures ?? 0) + 1;
    const waitMs = Math.max(askedMs, Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs));
    this.#troubles.set(psp, { failures, untilMs: this.#o.clock() + waitMs });
    return waitMs;
  }
}

/** Size of the checkpoint the auditor holds, if it answered that this differs from the expected one. */
function heldSize(o: Outcome): number | undefined {
  const text = o.response?.trim() ?? '';
  return o.status === 409 && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
