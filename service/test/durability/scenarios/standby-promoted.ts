// The primary database server dies under two services and its standby is promoted: synchronous replication, several
// hosts in DATABASE_URL, no restart. Then the old primary comes back beside the new one.

import { SealCheck } from '../support/check-seal.ts';
import { Checks } from '../support/checks.ts';
import { type Cluster, joinStandby, makeCluster } from '../support/cluster.ts';
import { until } from '../support/conditions.ts';
import { type Round, records } from '../support/faults.ts';
import { prepare } from '../support/ground.ts';
import { Client, History } from '../support/history.ts';
import { kill } from '../support/postgres-process.ts';
import { holdRounds } from '../support/rounds.ts';
import type { Place } from '../support/scenes.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { storm } from '../support/storm.ts';
import type { Scenario, Wanted } from './scenario.ts';

type Pair = readonly [ServiceProcess, ServiceProcess];

export const scenario: Scenario = {
  name: 'standby-promoted',
  fault: 'Loss of the primary, its synchronous standby promoted',
  done: 'Two services under load; all processes of the primary are killed, in every second round of the soak halted, and the standby is promoted; then the old primary comes back as a primary while the new one restarts. The services go on by themselves, and no connection stays with the old one.',
  async run(stage, wanted) {
    const cluster = await makeCluster(stage);
    const ground = await prepare(stage, cluster.database, 3);
    await joinStandby(cluster, 'synchronous');
    const services = await Promise.all([stage.service(ground.env), stage.service(ground.env)]);
    const client = new Client();
    stage.defer(async () => client.close());
    const place: Place = {
      stage,
      client,
      history: new History(),
      checks: new Checks(ground.db),
      parties: [ground.psp, ...ground.clients],
      service: services[0],
      restart: () => Promise.reject(new Error('the services are not to be restarted')),
      db: ground.db,
      dataDir: ground.env.DATA_DIR as string,
      env: ground.env,
      seal: new SealCheck(ground.db, [ground.env.DATA_DIR as string]),
    };
    const resumedMs: number[] = [];
    let replaced = false;
    const tally = await holdRounds(place, wanted, async (seed, n) => {
      // Also after a round that was void: the roles have changed with it.
      if (replaced) {
        await joinStandby(cluster, 'synchronous');
        await bothRecord(place, services);
      }
      replaced = true;
      return failOver(place, services, cluster, wanted, seed, n, resumedMs);
    });
    tally.notes.push(`from the promotion to the first record of both services: ${resumedMs.join(', ')} ms`);
    return tally;
  },
};

async function failOver(
  place: Place,
  services: Pair,
  c: Cluster,
  wanted: Wanted,
  seed: number,
  round: number,
  resumedMs: number[],
): Promise<Round> {
  const { history } = place;
  const start = history.now();
  let over = false;
  const load = storm({
    ...place,
    addresses: () => services.map((s) => s.address),
    workers: 32,
    max: 3000,
    seed,
    stop: () => over,
  });
  await until('some were acknowledged', () => history.count('ok', start) >= 200);
  const inFlight = history.inFlight;
  const hangs = wanted.form === 'long' && round % 2 === 1;
  const processes = c.primary.processes();
  const killed = performance.now();
  if (hangs) kill(processes, 'SIGSTOP');
  else await c.primary.kill();
  await c.standby.promote();
  const promoted = performance.now();
  const recoveryMs = await bothRecord(place, services, killed);
  const resumed = Math.round(recoveryMs - (promoted - killed));
  [c.primary, c.standby] = [c.standby, c.primary];
  over = true;
  await load;
  const verdict = await place.checks.look(history, 'before asking again');
  const unknown = history.count('unknown', start);
  const isVoid = inFlight === 0 || unknown === 0;
  if (!isVoid) resumedMs.push(resumed);
  wanted.said?.({ hangs, promotedMs: Math.round(promoted - killed), resumedMs: resumed });
  if (hangs) kill(processes, 'SIGCONT');
  else await c.standby.start();
  await besideOldPrimary(place, services, c);
  return { inFlight, acknowledged: history.count('ok', start), unknown, verdict, void: isVoid, recoveryMs };
}

/** Two servers take writes, and the right one is away for a moment. */
async function besideOldPrimary(place: Place, services: Pair, c: Cluster): Promise<void> {
  const old = c.standby;
  const there = old.pool();
  try {
    const ask = async (sql: string, ...values: unknown[]) => (await there.query(sql, values))[0]?.is;
    const since = await ask('SELECT now() AS is');
    const records = () => ask('SELECT count(*)::int AS is FROM transactions');
    const before = await records();
    await c.primary.stop();
    const seen = services.map((s) => s.output().length);
    await until('the services have looked at the old primary', () =>
      services.every((s, i) => s.output().slice(seen[i]).includes(`${old.host} was replaced`)),
    );
    await c.primary.start();
    await bothRecord(place, services);
    await until('no service is connected to the old primary', async () => {
      const connected =
        "SELECT count(*)::int AS is FROM pg_stat_activity WHERE usename = 'assay_owner' AND backend_start > $1";
      return (await ask(connected, since)) === 0;
    });
    if ((await records()) !== before) throw new Error('the old primary has taken records');
  } finally {
    await there.end();
    await old.kill();
  }
}

async function bothRecord(place: Place, services: Pair, since = performance.now()): Promise<number> {
  return Math.max(...(await Promise.all(services.map((service) => records({ ...place, service }, since)))));
}
