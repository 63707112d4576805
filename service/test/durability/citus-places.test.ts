// Commits on a Citus cluster: by the server that has a PSP's rows, in one phase, and none lost while the rows are moved to
// another server under load. Runs only where CITUS_URL names a cluster.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeDatabase, makeTestApp, type TestApp } from '../support/app.ts';
import { serversOf } from '../support/citus.ts';
import { records, underLoad } from './support/faults.ts';
import { holdRounds } from './support/rounds.ts';
import { onSharedServer } from './support/scenes.ts';
import { holds } from './support/short-form.ts';

// Only ends a hang.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

interface Node {
  readonly host: string;
  readonly port: number;
}
/** The worker that has a PSP's rows, with the number of its place, and the workers that have not. */
async function whereIs(db: Pool, psp: string): Promise<{ place: string; at: Node; others: Node[] }> {
  const rows = await db.query<{ place: string; host: string; port: number; here: boolean }>(
    `SELECT s.id::text AS place, nodename AS host, nodeport AS port, EXISTS (
       SELECT 1 FROM pg_dist_placement p WHERE p.groupid = n.groupid AND p.shardid = s.id) AS here
     FROM pg_dist_node n, get_shard_id_for_distribution_column('journal_heads', $1::text) AS s(id) WHERE groupid <> 0`,
    [psp],
  );
  const at = rows.find((r) => r.here);
  if (!at) throw new Error('no worker has the PSP');
  return { place: at.place, at, others: rows.filter((r) => !r.here) };
}

describe('a PSP on a worker', () => {
  let t: TestApp;
  beforeAll(async () => {
    const database = await makeDatabase();
    const name = new URL(database.url).pathname.slice(1);
    for (const { at } of await serversOf(database.url)) {
      const server = new Pool(at, { max: 1, log: makeLog('silent') });
      await server.query(`ALTER DATABASE ${name} SET track_functions = 'pl'`);
      await server.end();
    }
    t = await makeTestApp({ database });
  });
  afterAll(() => t.stop());

  it('has its transactions committed there, by one call', async () => {
    const psp = await t.makePsp();
    const { place, at } = await whereIs(t.database.admin, psp.uuid);
    const worker = new Pool(Object.assign(new URL(t.database.url), { hostname: at.host, port: `${at.port}` }).href, {
      max: 1,
      log: makeLog('silent'),
    });
    const calls = async () => {
      const [row] = await worker.query<{ calls: number }>(
        'SELECT coalesce(sum(calls), 0)::integer AS calls FROM pg_stat_user_functions WHERE funcname ~ $1',
        [`^commit_at_[0-9a-f]+_${place}$`],
      );
      return row?.calls ?? 0;
    };
    const before = await calls();
    const client = await t.makeClient(psp);
    for (let i = 0; i < 5; i++) {
      const r = await t.post(
        '/v1/transaction/verifyTransaction',
        { transactionRef: `placed-${i}`, amount: 1000, currency: 'NGN' },
        psp.apiKey,
        { 'x-client-id': client.id },
      );
      expect(r.status, r.text).toBe(200);
    }
    await vi.waitFor(async () => expect(await calls()).toBe(before + 5), { timeout: 60_000 });
    await worker.end();
  });
});

it('loses nothing it acknowledged when the rows of a PSP are moved to another server under load', async () => {
  const scenario = {
    name: 'citus-moves',
    fault: 'the rows of a PSP are moved to another server of a Citus cluster',
    done: 'To the other worker, and back.',
    async run(...[stage, wanted]: Parameters<Parameters<typeof holds>[0]['run']>) {
      const place = await onSharedServer(stage, wanted, 3);
      return holdRounds(place, wanted, (seed) =>
        underLoad(place, seed, 60, async () => {
          const { place: number, at, others } = await whereIs(place.db, place.ground.psp.psp);
          const to = others[0] as Node;
          const begun = performance.now();
          await place.db.query(
            "SELECT citus_move_shard_placement($1::bigint, $2, $3, $4, $5, shard_transfer_mode := 'block_writes')",
            [number, at.host, at.port, to.host, to.port],
          );
          return records(place, begun);
        }).then((r) => ({ ...r, void: r.inFlight === 0 })),
      );
    },
  };
  await holds(scenario, 2);
});
