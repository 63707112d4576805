// Many clients: verifyTransaction with the key of one client against the keys of many in random order, by turns on one server.
// Each client has sold every hour of a month, so that its counters are as large as they are in use.
// Prints requests a second, processor time per request, and their ratios; never part of the tests.
import { decimal } from '../service/src/core/money.ts';
import { activityText, count as countIn, newActivity } from '../service/src/core/risk/activity.ts';
import { issueKey } from '../service/src/modules/accounts/new-key.ts';
import { Pool } from '../service/src/platform/database.ts';
import { IdMaker } from '../service/src/platform/random.ts';
import { caughtUp } from './readers.ts';
import { tell } from './row.ts';
import { compared, load, loadAsked, log, option, prepare, type Result, serve, show, stopPostgres } from './stage.ts';

const many = option('keys', 10_000);
const rounds = option('rounds', 3);
const days = option('days', 30);
const how = loadAsked(6, 2);

const place = await prepare('bench_keys');
const pool = new Pool(place.url, { max: 2, log });
const keys = await addClients(pool, many);
const one: Result[] = [];
const all: Result[] = [];
await serve('real', place, async (port, pid) => {
  // All keys and accounts are known before it counts.
  await load(port, pid, keys, { ...how, seconds: option('fill', 10) });
  for (let i = 0; i < rounds; i++)
    for (const [name, of, into] of [
      ['one key', keys[0] as string, one],
      [`${many} keys`, keys, all],
    ] as const) {
      await caughtUp(pool);
      const r = await load(port, pid, of, how);
      show(name, r);
      into.push(r);
    }
});
const toOne = (of: (r: Result) => number | undefined) => compared(all, one, of);
tell({ what: `verify by ${many} keys in random order to one key`, value: toOne((r) => r.perSecond), atLeast: 0.9 });
tell({ what: 'the same, processor time of Node', value: toOne((r) => r.nodeUs) });
tell({ what: 'the same, processor time of PostgreSQL', value: toOne((r) => r.postgresUs) });
await pool.end();
await stopPostgres();

/** Adds clients to the PSP that is there, each with a key. */
async function addClients(pool: Pool, count: number): Promise<string[]> {
  const ids = new IdMaker(Date.now);
  const at = new Date().toISOString();
  const [house] = await pool.query<{ id: string }>("SELECT id FROM accounts WHERE kind = 'psp' AND test_of IS NULL");
  const psp = house?.id as string;
  const made = Array.from({ length: count }, (_, i) => {
    const account = ids.next();
    return { account, ...issueKey({ ids }, { psp, id: account }, `key ${i}`, { at, test: false, scopes: undefined }) };
  });
  await pool.query(
    `INSERT INTO accounts (psp_id, id, kind, name, country, secret_sealed, verification_level, operational_standing, holds,
       version, created_at, updated_at)
     SELECT $1, id, 'client', 'Client ' || n, 'NG', 'none', 'BASIC', 'ACTIVE', '[]', 1, now(), now()
     FROM unnest($2::uuid[]) WITH ORDINALITY AS x(id, n)`,
    [psp, made.map((m) => m.account)],
  );
  await pool.query(
    `INSERT INTO api_keys (psp_id, id, account_id, name, secret_hash, created_at)
     SELECT $1, id, account, 'key', hash, now() FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS x(id, account, hash)`,
    [
      psp,
      made.map((m) => m.id),
      made.map((m) => m.account),
      made.map((m) => (m.row[1] as { secret_hash: string }).secret_hash),
    ],
  );
  await pool.query(
    `INSERT INTO risk_activity (psp_id, dimension, key, state, last_at)
     SELECT $1, 'client', id, $3, now() FROM unnest($2::uuid[]) AS id`,
    [psp, made.map((m) => m.account), soldEveryHour(Date.now())],
  );
  await pool.query('VACUUM ANALYZE accounts');
  await pool.query('VACUUM ANALYZE api_keys');
  // In random order.
  return made.map((m) => m.apiKey).sort(() => Math.random() - 0.5);
}

/** The activity of a client that has sold something every hour until now. */
function soldEveryHour(now: number): string {
  const a = newActivity(now - days * 86_400_000);
  for (let at = a.first; at < now; at += 3_600_000)
    countIn(a, { kind: 'verifyTransaction', at, amount: decimal('107.50'), currency: 'NGN' }, []);
  return activityText(a);
}
