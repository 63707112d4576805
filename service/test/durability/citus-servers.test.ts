// kill -9 of the servers of a Citus cluster under load: of the worker that has the PSP, and of the coordinator. Runs only
// where CITUS_URL names a cluster whose servers are started again when they end, as any supervisor does.
import { it, vi } from 'vitest';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { inDatabase } from '../support/database.ts';
import { records, underLoad } from './support/faults.ts';
import { holdRounds } from './support/rounds.ts';
import { onSharedServer } from './support/scenes.ts';
import { holds } from './support/short-form.ts';

// Only ends a hang: the servers may be slow to start.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

const coordinator = process.env.CITUS_URL as string;

/** Has a server end itself, by the number of its main process. */
async function killServer(at: { readonly host: string; readonly port: number }): Promise<void> {
  const url = Object.assign(new URL(coordinator), { hostname: at.host, port: String(at.port) }).href;
  const server = new Pool(inDatabase(url, 'postgres'), { max: 1, log: makeLog('silent') });
  await server.query(`COPY (SELECT 1) TO PROGRAM 'kill -9 $(head -1 postmaster.pid)'`).catch(() => undefined);
  await server.end();
}

it('loses nothing it acknowledged when the worker of a PSP and the coordinator are killed under load', async () => {
  const scenario = {
    name: 'citus-servers',
    fault: 'kill -9 of a server of a Citus cluster',
    done: 'By turns the worker that has the PSP, and the coordinator.',
    async run(...[stage, wanted]: Parameters<Parameters<typeof holds>[0]['run']>) {
      const place = await onSharedServer(stage, wanted, 3);
      const nodes = await place.db.query<{ host: string; port: number }>(
        `SELECT nodename AS host, nodeport AS port FROM pg_dist_node n WHERE groupid = 0 OR EXISTS (
           SELECT 1 FROM pg_dist_placement p WHERE p.groupid = n.groupid
             AND p.shardid = get_shard_id_for_distribution_column('journal_heads', $1::text))
         ORDER BY groupid DESC`,
        [place.ground.psp.psp],
      );
      return holdRounds(place, wanted, (seed, n) =>
        underLoad(place, seed, 60, async () => {
          const killed = performance.now();
          await killServer(nodes[n % nodes.length] as (typeof nodes)[number]);
          return records(place, killed);
        }),
      );
    },
  };
  await holds(scenario, 4);
});
