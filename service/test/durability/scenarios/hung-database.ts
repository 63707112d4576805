// A database server that hangs: its processes are stopped, not ended, so no connection closes. Waiting requests are
// answered all the same, the service reports that it is not ready, and it works again when the server does.
import { until } from '../support/conditions.ts';
import { records, underLoad } from '../support/faults.ts';
import { backendsOf, childrenOf, kill, postmaster } from '../support/postgres-process.ts';
import { holdRounds } from '../support/rounds.ts';
import { onOwnServer, type Place } from '../support/scenes.ts';
import type { Scenario, Wanted } from './scenario.ts';

const isReady = async ({ client, service }: Place) =>
  (await client.call(service.address, 'GET', '/health/ready', {})).status === 200;

export const scenario: Scenario = {
  name: 'hung-database',
  fault: 'PostgreSQL hangs (SIGSTOP)',
  done: 'By turns the whole server and the backends of the service are stopped for 30 s (in the tests: until all that waits is answered). Every request is answered meanwhile, /health/ready says 503, and all goes on after SIGCONT.',
  async run(stage, wanted) {
    const place = await onOwnServer(stage, 3, wanted.form === 'short' ? { DATABASE_WAIT_MS: '1000' } : {});
    let longest = 0;
    const tally = await holdRounds(place, wanted, async (seed, n) => {
      const since = place.history.now();
      const round = await underLoad(place, seed, 150, () => hang(place, wanted, n % 2 === 0 ? 'server' : 'backends'));
      for (const s of place.history.all) if (s.sentAt > since) longest = Math.max(longest, s.tookMs);
      return round;
    });
    tally.notes.push(`the longest wait for an answer was ${(longest / 1000).toFixed(1)} s`);
    return tally;
  },
};

/** @returns milliseconds from SIGCONT to the first record after it */
async function hang(p: Place, wanted: Wanted, what: 'server' | 'backends'): Promise<number> {
  const main = postmaster(p.dataDir);
  if (main === undefined) throw new Error('no database server runs');
  const stopped = what === 'server' ? [main, ...childrenOf(main)] : backendsOf(main);
  const since = performance.now();
  kill(stopped, 'SIGSTOP');
  try {
    const waiting = p.history.all.filter((s) => s.outcome === undefined);
    await until('everything that waits is answered', () => waiting.every((s) => s.outcome !== undefined), 120_000);
    // With new connections it may be ready again at once.
    if (what === 'server') await until('it says that it is not ready', async () => !(await isReady(p)), 120_000);
    if (wanted.form === 'long') await until('30 s have passed', () => performance.now() - since > 30_000, 60_000);
  } finally {
    kill(stopped, 'SIGCONT');
  }
  const goesOn = performance.now();
  await until('it says that it is ready', () => isReady(p), 120_000);
  return records(p, goesOn);
}
