// Makes requested reports: each in one process at a time, under a database lock that ends with its connection, on one
// snapshot. A report that a process leaves unfinished is continued by another or at the next start.
import type pg from 'pg';
import type { PspId } from '../../core/ids.ts';
import { Refusal, stored } from '../../core/refusal.ts';
import { type Database, databaseOn, type Pool, transactionOn } from '../../platform/database.ts';
import { every, type Repeating } from '../../platform/every.ts';
import { errorFields } from '../../platform/log.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import type { ReportKind, ReportRun } from '../kernel/report.ts';
import type { HasRateKeeper } from '../rates/index.ts';
import type { ReportNeeds } from './kinds.ts';
import { makeReport } from './make-report.ts';
import {
  advanceReport,
  beginReport,
  findReport,
  giveBackReport,
  insertReportFile,
  listUnfinished,
  lockUnfinished,
  type Report,
  type ReportFile,
  reportEnd,
} from './report-store.ts';
import { journalData } from './resource.ts';
import { snapshotProblem } from './snapshot.ts';

/** Reports made concurrently per process. */
const atOnce = 2;
/** Interval of the search for unfinished reports of other processes. */
const lookMs = 5_000;
/** A report that ended its process this many times is not started again. */
const mostBegun = 3;

export interface RunnerOptions {
  readonly services: Needs<
    'settings' | 'clock' | 'ids' | 'log' | 'db' | 'committer' | 'reference' | 'rates' | 'subjects'
  > &
    HasRateKeeper;
  /** Connections for work of minutes, so that no request waits for one. */
  readonly pool: Pool;
  readonly kinds: readonly ReportKind<ReportNeeds>[];
  readonly observe?: (made: { kind: string; state: 'DONE' | 'FAILED'; ms: number }) => void;
}

/** Thrown when the service stops: the report returns to the queue. */
class Stopped extends Error {}

export interface HasReports {
  readonly reports: Pick<ReportRunner, 'work'>;
}

export class ReportRunner {
  readonly #o: RunnerOptions;
  readonly #inHand = new Map<string, pg.PoolClient | undefined>();
  readonly #lanes = new Set<Promise<void>>();
  /** When each PSP was last served, as a counter. */
  readonly #served = new Map<string, number>();
  #turns = 0;
  #busy = 0;
  #calls = 0;
  #stopping = false;
  #looking: Repeating | undefined;

  constructor(options: RunnerOptions) {
    this.#o = options;
  }

  /** Starts unfinished reports, now and periodically. */
  start(): void {
    // Each check may add a lane to those that are busy.
    this.#looking = every(lookMs, () => void this.work());
    void this.work();
  }

  /** Makes waiting reports until only those remain that other processes are making. */
  async work(): Promise<void> {
    this.#calls++;
    if (this.#busy < atOnce && !this.#stopping) {
      this.#busy++;
      const lane = this.#lane().finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
    await Promise.all(this.#lanes);
  }

  /** Returns running reports to the queue, so that another process or the next start makes them. */
  async stop(): Promise<void> {
    this.#stopping = true;
    void this.#looking?.stop();
    // A statement may take minutes; closing its connection ends it.
    for (const client of this.#inHand.values())
      void (client as unknown as pg.Client | undefined)?.end().catch(() => undefined);
    await Promise.all(this.#lanes);
  }

  async #lane(): Promise<void> {
    const { log, db } = this.#o.services;
    const seen = new Set<string>();
    for (;;) {
      const calls = this.#calls;
      const waiting = await listUnfinished(
        db,
        this.#o.kinds.map((k) => k.name),
      ).catch((e: unknown) => {
        log.warn(errorFields(e), 'reports that wait could not be read; they are read again shortly');
        return [];
      });
      // PSPs take turns: the one served longest ago is next, with its oldest report.
      let next: (typeof waiting)[number] | undefined;
      for (const r of waiting)
        if (!seen.has(r.id) && !this.#inHand.has(r.id) && (!next || this.#turnOf(r.psp) < this.#turnOf(next.psp)))
          next = r;
      if (!next || this.#stopping) {
        if (calls !== this.#calls && !this.#stopping) continue;
        // In the same turn as the last check for calls, so that none is missed in between.
        this.#busy--;
        return;
      }
      seen.add(next.id);
      this.#served.set(next.psp, ++this.#turns);
      await this.#try(next);
    }
  }

  #turnOf(psp: PspId): number {
    return this.#served.get(psp) ?? 0;
  }

  async #try(next: { psp: PspId; id: string }): Promise<void> {
    const { log } = this.#o.services;
    this.#inHand.set(next.id, undefined);
    try {
      await this.#one(next);
    } catch (e) {
      if (this.#stopping) log.info({ report: next.id }, 'a report is given back; it is made again from the beginning');
      else log.error({ report: next.id, ...errorFields(e) }, 'a report was not made to its end; it is taken up again');
    } finally {
      this.#inHand.delete(next.id);
    }
  }

  async #one({ psp, id }: { psp: PspId; id: string }): Promise<void> {
    const { pool } = this.#o;
    await pool.withClient(async (client) => {
      const key = `report-work|${id}`;
      const db = databaseOn(client);
      const [lock] = await db.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS mine', [key]);
      if (!lock?.mine) return;
      this.#inHand.set(id, client);
      try {
        if (this.#stopping) return;
        // It may have been finished between the search and the lock.
        const report = await findReport(db, psp, id);
        if (report && (report.state === 'QUEUED' || report.state === 'RUNNING')) await this.#work(client, db, report);
      } finally {
        await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch(() => undefined);
      }
    });
  }

  async #work(client: pg.PoolClient, db: Database, report: Report): Promise<void> {
    const { services: s, kinds, observe } = this.#o;
    if (report.begun >= mostBegun) {
      const reason = stored`the report was begun ${report.begun} times and each time the process that made it ended. Ask for a shorter period or a single client`;
      s.log.error(
        { report: report.id, kind: report.kind, begun: report.begun },
        'a report failed: each process that made it ended',
      );
      await this.#end(client, { ...report, state: 'FAILED', reason });
      // How long it was made before its process ended is not known.
      observe?.({ kind: report.kind, state: 'FAILED', ms: 0 });
      return;
    }
    const startedMs = s.clock();
    await beginReport(db, report, new Date(startedMs).toISOString());
    let ended: Report;
    try {
      const progress = this.#progress(report);
      const { document, made } = await makeReport(s, kinds, client, report, startedMs, progress);
      ended = {
        ...report,
        state: 'DONE',
        percent: 100,
        provisional: document.content.provisional,
        asOf: document.head.asOf.time,
        asOfSeq: document.head.asOf.journalSeq,
        manifest: made.manifest,
      };
      await this.#end(client, ended, made.files);
    } catch (e) {
      if (this.#stopping) {
        await giveBackReport(s.db, report);
        throw e;
      }
      s.log.error({ report: report.id, kind: report.kind, ...errorFields(e) }, 'a report failed');
      const told = e instanceof Refusal ? e.message : snapshotProblem(e);
      ended = {
        ...report,
        state: 'FAILED',
        reason:
          told ??
          stored`the report could not be made because of a fault here, which is logged under its id. Run it again`,
      };
      await this.#end(client, ended);
    }
    observe?.({ kind: report.kind, state: ended.state as 'DONE' | 'FAILED', ms: Math.max(0, s.clock() - startedMs) });
  }

  /** Stores each new percentage, one at a time; the last one is not awaited. */
  #progress(report: Report): ReportRun['progress'] {
    const { services: s } = this.#o;
    let shown = 0;
    let writing = false;
    return (done, of) => {
      if (this.#stopping) throw new Stopped('the service stops');
      const percent = of > 0 ? Math.min(99, Math.floor((done / of) * 100)) : 0;
      if (writing || percent <= shown) return;
      writing = true;
      shown = percent;
      void advanceReport(s.db, report, percent)
        .catch(() => undefined)
        .finally(() => {
          writing = false;
        });
    };
  }

  async #end(client: pg.PoolClient, ended: Report, files: readonly ReportFile[] = []): Promise<void> {
    const { services: s } = this.#o;
    const at = new Date(s.clock()).toISOString();
    const after = { ...ended, finishedAt: at };
    const byRunner = { kind: 'psp', psp: ended.psp, account: ended.psp, actor: 'report' } as const;
    const entry = journalRow(s, byRunner, at, {
      kind: after.state === 'DONE' ? 'report.completed' : 'report.failed',
      psp: after.psp,
      account: after.account,
      resourceId: after.id,
      version: 2,
      data: journalData(after),
    });
    await transactionOn(client, async (tx) => {
      for (const f of files) await insertReportFile(tx, after, f);
      await lockUnfinished(tx, after);
      await recordIn(tx, s, { rows: [reportEnd(after), entry] });
    });
    s.log.info({ report: after.id, kind: after.kind, state: after.state }, 'report ended');
  }
}
