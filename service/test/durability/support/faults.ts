// One round each of the two killings: load, the kill in the middle of it, recovery, and a look at what is left.

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
  /** New transactions only, whose loss is easily told. */
  readonly plain?: boolean;
  /** Without declines. */
  readonly steady?: boolean;
  /** Most requests of a round's load; 3,000 without it. */
  readonly most?: number;
  /** Where the load is sent, if not to the service itself. */
  readonly by?: () => readonly string[];
  service: ServiceProcess;
  /** Starts the service again as it was started before. */
  restart(): Promise<ServiceProcess>;
}

export interface Round {
  /** Requests under way when the kill came. */
  readonly inFlight: number;
  readonly acknowledged: number;
  readonly unknown: number;
  /** Before anything is asked again. */
  readonly verdict: Verdict;
  /** The kill hit nothing: the round proves nothing. */
  readonly void: boolean;
  /** From the fault, or its end, to the first record after it; undefined where nothing has to come back. */
  readonly recoveryMs: number | undefined;
}

/**
 * Load, the fault in the middle of it, and a look at what is left.
 * @param after acknowledged requests before the fault
 * @param fault does it and returns once the service records again, and how long that took; `end` ends the load
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
    // A service that answers without its database may be asked before the database can be.
    verdict: await until('the database can be looked at', () => s.checks.look(s.history, 'before asking again')),
    void: inFlight === 0 || unknown === 0,
    recoveryMs,
  };
}

/** Asks for one new record until it is made. @returns milliseconds since `from`, of performance.now() */
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

/** kill -9 of the service once `after` requests of the round were acknowledged, and its restart. */
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

/** What of the database server dies: everything, its main process (the rest follows), or a backend at work. */
export type Victim = 'all' | 'postmaster' | 'backend';

/** kill -9 of the database server under a service that goes on; returns once it answers again. */
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
