// One round of killing the service or the database: load, the kill meanwhile, recovery, and the checks.

import type { Checks } from './checks.ts';
import { until } from './conditions.ts';
import type { Verdict } from './finding.ts';
import type { Client, History, Party } from './history.ts';
import { backendsOf, childrenOf, kill, postmaster } from './postgres-process.ts';
import type { Exit, ServiceProcess, Stage } from './service-process.ts';
import { newRef, sale, storm } from './storm.ts';

export interface Scene {
  readonly stage: Stage;
  readonly client: Client;
  readonly history: History;
  readonly checks: Checks;
  readonly parties: readonly Party[];
  /** Sends only new transactions, whose loss is easily found. */
  readonly plain?: boolean;
  /** Sends no declines. */
  readonly steady?: boolean;
  /** Most requests in a round; 3,000 by default. */
  readonly most?: number;
  /** Addresses that receive the load, if not the service itself. */
  readonly by?: () => readonly string[];
  service: ServiceProcess;
  /** Starts the service again with the same settings. */
  restart(): Promise<ServiceProcess>;
}

export interface Round {
  /** Number of requests in flight at the kill. */
  readonly inFlight: number;
  readonly acknowledged: number;
  readonly unknown: number;
  /** The result of the checks before any request is repeated. */
  readonly verdict: Verdict;
  /** True if no request was in flight at the kill, so that the round proves nothing. */
  readonly void: boolean;
  /** From the fault, or its end, to the first record after it; undefined if nothing had to recover. */
  readonly recoveryMs: number | undefined;
}

/**
 * Runs load, causes the fault meanwhile, and runs the checks.
 * @param after number of acknowledged requests before the fault
 * @param fault causes the fault and returns, once the service records again, how long that took; `end` ends the load
 */
export async function underLoad(
  s: Scene,
  seed: number,
  after: number,
  fault: (end: () => void) => Promise<number | undefined>,
): Promise<Round> {
  const start = s.history.now();
  let over = false;
  const load = storm({
    history: s.history,
    client: s.client,
    parties: s.parties,
    addresses: s.by ?? (() => [s.service.address]),
    workers: 32,
    max: s.most ?? 3000,
    seed,
    stop: () => over,
    plain: s.plain ?? false,
    steady: s.steady ?? false,
  });
  await until('some were acknowledged', () => s.history.count('ok', start) >= after);
  const inFlight = s.history.inFlight;
  const recoveryMs = await fault(() => {
    over = true;
  });
  over = true;
  await load;
  const unknown = s.history.count('unknown', start);
  return {
    inFlight,
    acknowledged: s.history.count('ok', start),
    unknown,
    // The service may answer before the database accepts connections.
    verdict: await until('the database can be looked at', () => s.checks.look(s.history, 'before asking again')),
    void: inFlight === 0 || unknown === 0,
    recoveryMs,
  };
}

/** Sends a new transaction until one is recorded. @returns milliseconds since `from`, a time of performance.now() */
export async function records(s: Scene, from: number): Promise<number> {
  const party = s.parties[0] as Party;
  const ref = newRef('back');
  let ended: Exit | undefined;
  s.service.exited.then((e) => {
    ended = e;
  });
  await until(
    'the service records again',
    async () => {
      if (ended) return true;
      const sent = await s.history.send(s.client, s.service.address, party, 'verifyTransaction', sale(ref, 50));
      return sent.outcome === 'ok';
    },
    180_000,
  );
  if (ended) throw new Error(`the service ended: ${JSON.stringify(ended)}\n${s.service.output()}`);
  return performance.now() - from;
}

/** Kills the service with -9 after `after` acknowledged requests of the round, and restarts it. */
export function killService(s: Scene, seed: number, after: number): Promise<Round> {
  return underLoad(s, seed, after, async (end) => {
    const dying = s.service;
    const killed = performance.now();
    dying.signal('SIGKILL');
    end();
    await dying.exited;
    s.service = await s.restart();
    return records(s, killed);
  });
}

/** The killed part of the database server: everything, its main process (the rest follows), or an active backend. */
export type Victim = 'all' | 'postmaster' | 'backend';

/** Kills the database server with -9 while the service continues; returns once it answers again. */
export function killPostgres(s: Scene, dataDir: string, victim: Victim, seed: number, after: number): Promise<Round> {
  return underLoad(s, seed, after, async () => {
    const main = postmaster(dataDir);
    if (main === undefined) throw new Error('no database server runs');
    const children = childrenOf(main);
    const killed = performance.now();
    kill(victim === 'all' ? [main, ...children] : victim === 'postmaster' ? [main] : backendsOf(main).slice(0, 1));
    return records(s, killed);
  });
}
