// One round each of the two killings: load, the kill in the middle of it, recovery, and a look at what is left.

import type { Checks, Verdict } from './checks.ts';
import { until } from './conditions.ts';
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
}

async function underLoad(
  s: Scene,
  seed: number,
  after: number,
  fault: (end: () => void) => Promise<void>,
): Promise<Round> {
  const start = s.history.now();
  let over = false;
  const load = storm({
    history: s.history,
    client: s.client,
    parties: s.parties,
    addresses: () => [s.service.address],
    workers: 32,
    max: 3000,
    seed,
    stop: () => over,
    plain: s.plain ?? false,
  });
  await until('some were acknowledged', () => s.history.count('ok', start) >= after);
  const inFlight = s.history.inFlight;
  await fault(() => {
    over = true;
  });
  over = true;
  await load;
  const unknown = s.history.count('unknown', start);
  return {
    inFlight,
    acknowledged: s.history.count('ok', start),
    unknown,
    verdict: await s.checks.look(s.history, 'before asking again'),
    void: inFlight === 0 || unknown === 0,
  };
}

/** kill -9 of the service once `after` requests of the round were acknowledged, and its restart. */
export function killService(s: Scene, seed: number, after: number): Promise<Round> {
  return underLoad(s, seed, after, async (end) => {
    const dying = s.service;
    dying.signal('SIGKILL');
    end();
    await dying.exited;
    s.service = await s.restart();
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
    kill(victim === 'all' ? [main, ...children] : victim === 'postmaster' ? [main] : backendsOf(main).slice(0, 1));
    const party = s.parties[0] as Party;
    const ref = newRef('back');
    let ended: Exit | undefined;
    s.service.exited.then((e) => {
      ended = e;
    });
    await until('the service records again', async () => {
      if (ended) return true;
      const sent = await s.history.send(s.client, s.service.address, party, 'verifyTransaction', sale(ref, 50));
      return sent.outcome === 'ok';
    });
    if (ended) throw new Error(`the service ended: ${JSON.stringify(ended)}\n${s.service.output()}`);
  });
}
