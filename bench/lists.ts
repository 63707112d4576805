// Benchmark of lists: how long a page of transactions takes, by day, client and amount, its number of rows, its order by
// amount, the whole of it as a file, and all records of a customer, among 10 million copied transactions (`--rows`).
// Prints figures; never part of the tests.
import { Pool } from '../service/src/platform/database.ts';
import { quantile } from './quantile.ts';
import { load, log, option, prepare, serve, stopPostgres } from './stage.ts';

const rows = option('rows', 10_000_000);
const rounds = option('rounds', 9);
/** Number of days over which the rows are spread; the last one is yesterday. */
const days = 60;
/** Number of recorded transactions that are copied, in turn. */
const templates = 500;

const deposit = {
  ref: 'deposit-1',
  totalAmount: 5000,
  currency: 'NGN',
  customer: { email: 'ada@example.com', phoneNumber: '+2348030000001' },
  countryCode: 'NG',
  transactionFee: 25,
};

const place = await prepare('bench_lists');
await serve('real', place, async (port, pid) => {
  await load(port, pid, place.apiKey, { connections: 4, seconds: 1, warmSeconds: 0 });
  await ask(port, '/v1/payment/deposit', deposit);
});
const pool = new Pool(place.url, { max: 2, log });
await fill();

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const middle = days / 2;
const asked: readonly (readonly [string, string, object?])[] = [
  ['newest', '/v1/transaction?limit=50'],
  ['a day in the middle', `/v1/transaction?limit=50&dayFrom=${day(middle)}&dayTo=${day(middle)}`],
  ['the same day, its country', `/v1/transaction?limit=50&dayFrom=${day(middle)}&dayTo=${day(middle)}&countryCode=NG`],
  ['a month, its country', `/v1/transaction?limit=50&dayFrom=${day(middle + 30)}&dayTo=${day(middle)}&countryCode=NG`],
  [
    'a day, one amount in 9,000',
    `/v1/transaction?limit=50&dayFrom=${day(middle)}&dayTo=${day(middle)}&countryCode=NG&amountFrom=150.5&amountTo=150.5`,
  ],
  ['number of all', '/v1/transaction?limit=1&count=true'],
  ['number of a day', `/v1/transaction?limit=1&count=true&dayFrom=${day(middle)}&dayTo=${day(middle)}`],
  ['number of one amount', '/v1/transaction?limit=1&count=true&amountFrom=150.5&amountTo=150.5'],
  ['oldest', '/v1/transaction?limit=50&sort=time'],
  [
    'largest of a day, or refused',
    `/v1/transaction?limit=50&sort=-amount&currency=NGN&dayFrom=${day(middle)}&dayTo=${day(middle)}&countryCode=NG`,
  ],
  ['largest of few', '/v1/transaction?limit=50&sort=-amount&currency=NGN&amountFrom=150.5&amountTo=150.5'],
  ["a customer's records", '/v1/record/find', { by: 'customer', value: 'ada@example.com' }],
];
await serve('real', place, async (port) => {
  for (const [name, path, body] of asked) {
    const times: number[] = [];
    let items = 0;
    for (let i = 0; i < rounds; i++) {
      const started = performance.now();
      items = (await ask(port, path, body)).items.length;
      times.push(performance.now() - started);
    }
    console.log(
      `${name.padEnd(28)} ${String(items).padStart(3)} rows   first ${times[0]?.toFixed(0).padStart(6)} ms   p50 ${quantile(times, 0.5).toFixed(0).padStart(6)} ms   most ${Math.max(...times.slice(1)).toFixed(0)} ms`,
    );
  }
  await file(port, '/v1/transaction');
  await file(port, `/v1/transaction?dayFrom=${day(middle)}&dayTo=${day(middle)}`);
});
await pool.end();
await stopPostgres();

/** The whole list as a file: rows, milliseconds, and the memory that the service's process grew by. */
async function file(port: number, path: string) {
  const started = performance.now();
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'x-api-key': place.apiKey, accept: 'text/csv' },
  });
  let bytes = 0;
  let end = '';
  for await (const piece of reply.body ?? []) {
    bytes += piece.length;
    end = `${end}${new TextDecoder().decode(piece)}`.slice(-400);
  }
  const last = end.split('\r\n').at(-2) ?? '';
  console.log(
    `a file of ${path}: ${bytes} bytes in ${(performance.now() - started).toFixed(0)} ms; ${last.slice(0, 60)}`,
  );
}

async function ask(port: number, path: string, body?: object): Promise<{ items: unknown[] }> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'x-api-key': place.apiKey, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  const read = (await reply.json()) as { content?: { items: unknown[] } };
  if (!read.content && reply.status === 400) return { items: [] };
  if (!read.content) throw new Error(`${path}: ${JSON.stringify(read)}`);
  return read.content;
}

/** Copies recorded transactions, each with another time and one of a million customers. */
async function fill(): Promise<void> {
  const types = await pool.query<{ a: string }>(
    "SELECT attname AS a FROM pg_attribute WHERE attrelid = 'transactions'::regclass AND attnum > 0 AND attgenerated = '' ORDER BY attnum",
  );
  const instead: Readonly<Record<string, string>> = {
    id: 'n.id',
    ref: "'fill-' || n.k",
    created_at: 'n.at',
    updated_at: 'n.at',
    decided_on: "(n.at AT TIME ZONE 'Africa/Lagos')::date",
  };
  const columns = types.map((t) => t.a);
  await pool.query("SELECT ensure_partitions(date_trunc('month', now() - interval '5 months')::date, 7)");
  await pool.query(`CREATE UNLOGGED TABLE templates AS
    SELECT row_number() OVER () - 1 AS which, x.* FROM (SELECT * FROM transactions ORDER BY id DESC LIMIT ${templates}) x`);
  const [ada] = await pool.query<{ hash: string }>(
    "SELECT hash FROM lookups WHERE kind = 'customer' ORDER BY record_id LIMIT 1",
  );
  const indexes = await takeIndexesAway();
  const chunk = 100_000;
  const started = performance.now();
  for (let at = 0; at < rows; at += chunk) {
    await pool.query(
      `WITH m AS (SELECT k, date_trunc('day', now()) - interval '${days} days' + interval '${days} days' * (k::float8 / ${rows}) AS at
              FROM generate_series(${at} + 1, ${Math.min(rows, at + chunk)}) k),
            n AS (SELECT k, at, (left(uuid_floor(at)::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid AS id FROM m),
            x AS (INSERT INTO transactions (${columns.join()}) SELECT ${columns.map((c) => instead[c] ?? `t.${c}`).join()}
                  FROM n JOIN templates t ON t.which = n.k % ${templates} RETURNING psp_id, id, account_id)
       INSERT INTO lookups SELECT x.psp_id, 'customer', CASE WHEN random() < 1e-5 THEN $1 ELSE md5((random() * 1e6)::int::text) || $1 END,
         x.id, 'transaction', x.account_id FROM x`,
      [ada?.hash],
    );
  }
  for (const create of indexes) await pool.query(create);
  console.log(`${rows} rows copied and indexed in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  await pool.query('VACUUM ANALYZE transactions');
  await pool.query('VACUUM ANALYZE lookups');
  await pool.query('CHECKPOINT');
}

/** Drops indexes and turns logging off, to fill the tables faster. @returns the statements that create the indexes */
async function takeIndexesAway(): Promise<string[]> {
  const tables = await pool.query<{ name: string }>(
    `SELECT t.relid::regclass::text AS name FROM unnest('{transactions,lookups}'::text[]) p, pg_partition_tree(p::regclass) t
     WHERE t.isleaf`,
  );
  for (const { name } of tables) await pool.query(`ALTER TABLE ${name} SET UNLOGGED`);
  const indexes = await pool.query<{ drop: string; create: string }>(
    `SELECT coalesce('ALTER TABLE ' || c.conrelid::regclass || ' DROP CONSTRAINT ' || c.conname, 'DROP INDEX ' || i.indexrelid::regclass) AS drop,
       coalesce('ALTER TABLE ' || c.conrelid::regclass || ' ADD CONSTRAINT ' || c.conname || ' ' || pg_get_constraintdef(c.oid),
         replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')) AS create
     FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype = 'p'
     WHERE i.indrelid IN ('transactions'::regclass, 'lookups'::regclass)`,
  );
  for (const { drop } of indexes) await pool.query(drop);
  return indexes.map((i) => i.create);
}
