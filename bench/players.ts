// Benchmark of players: the report of findings over a month with a million records (`--rows`), and the balance and the
// deposit of a player who has a hundred thousand (`--own`). Prints rows; never part of the tests.
import { Pool } from '../service/src/platform/database.ts';
import { tell } from './row.ts';
import { log, option, prepare, serve, stopPostgres } from './stage.ts';

const rows = option('rows', 1_000_000);
const own = option('own', 100_000);

const place = await prepare('bench_players');
const pool = new Pool(place.url, { max: 2, log });
const now = new Date();
const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString();
const gambler = 'email:gambler@example.com';

await serve('real', place, async (port) => {
  const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'x-api-key': place.apiKey, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const { content } = (await reply.json()) as { content?: Record<string, unknown> };
    if (!content) throw new Error(`${path}: ${reply.status}`);
    return content;
  };
  const seconds = async (done: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await done();
    return (performance.now() - started) / 1000;
  };
  const deposit = (ref: string) =>
    ask('/v1/payment/deposit', {
      ...{ ref, totalAmount: 1, currency: 'NGN', countryCode: 'NG', transactionFee: 0 },
      customer: { email: 'gambler@example.com' },
    });
  await deposit('first');
  await fill();
  const report = await seconds(async () => {
    const { reportId } = await ask('/v1/report', { kind: 'playerFindings', period: month.slice(0, 7) });
    for (let state = ''; state !== 'DONE'; ) {
      await new Promise((r) => setTimeout(r, 50));
      state = (await ask(`/v1/report/${reportId}`)).state as string;
      if (state === 'FAILED') throw new Error('the report failed');
    }
  });
  tell({ what: `findings of a month of ${rows} records`, value: report, digits: 1, unit: 's', atMost: 30 });
  const balance = await seconds(() => ask('/v1/player/balance', { subjects: [gambler] }));
  const note = JSON.stringify((await ask('/v1/player/balance', { subjects: [gambler] })).balances);
  tell({ what: `balance of a player with ${own} records`, value: balance, unit: 's', atMost: 3, note });
  const free = await seconds(() => deposit('free'));
  await ask('/v1/player/policy', { limits: 'ENFORCE' });
  const limits = [{ kind: 'DEPOSIT', period: 'MONTH', currency: 'NGN', amount: 900_000_000 }];
  await ask('/v1/player/limits', { subjects: [gambler], limits });
  const limited = await seconds(() => deposit('limited'));
  tell({ what: 'deposit of that player, without a limit', value: free * 1000, unit: 'ms' });
  tell({ what: 'deposit of that player, with one that is enforced', value: limited * 1000, unit: 'ms', atMost: 1000 });
});
await pool.end();
await stopPostgres();

/**
 * A month of fifty thousand players: three records in ten are deposits, one a withdrawal, four wagers, two payouts of them.
 * The last `own` records but those of baskets are one player's, of this month.
 */
async function fill(): Promise<void> {
  const started = performance.now();
  await pool.query('SELECT ensure_partitions($1::date, 1)', [month.slice(0, 10)]);
  const values = [month, rows, own];
  const made = `SELECT g, p.id AS psp, l.hash AS gambler, md5('player' || g % 50000) AS player, g > $2 - $3 AS own,
      CASE WHEN g > $2 - $3 THEN now() - interval '1 second' * (g::float8 / $2)
        ELSE $1::timestamptz + interval '29 days' * (g::float8 / $2) END AS at
    FROM generate_series(1, $2::integer) g, (SELECT id FROM accounts WHERE kind = 'psp' AND test_of IS NULL) p,
      (SELECT hash FROM lookups WHERE kind = 'customer' LIMIT 1) l`;
  const id = (of: string) =>
    `(left(uuid_floor(at)::text, 14) || '7' || right(md5('${of}' || g), 3) || '-8' || right(md5('${of}' || g), 3) || '-' || lpad(to_hex(g), 12, '0'))::uuid`;
  const subject = 'CASE WHEN own THEN gambler ELSE player END';
  const text = `repeat('e', 300), repeat('r', 300), '[]', repeat('s', 200)`;
  await pool.query(
    `INSERT INTO transactions (psp_id, id, account_id, recorded_by, kind, ref, status, revision, amount, currency, country,
       vat_amount, processing_fee, transaction_fee, transaction_vat, remainder, evidence, request, observations, sealed,
       subject, created_at, updated_at)
     SELECT psp, ${id('t')}, psp, psp, CASE WHEN g % 10 < 3 THEN 'deposit' ELSE 'withdrawal' END, 't' || g, 'APPROVED', 1,
       g % 500 + 1, 'NGN', 'NG', 0, 0, 0, 0, g % 500 + 1, ${text}, ${subject}, at, at FROM (${made}) m WHERE g % 10 < 4`,
    values,
  );
  await pool.query(
    `INSERT INTO wagers (psp_id, id, account_id, recorded_by, ref, amount, currency, country, product_line, ip, evidence,
       request, observations, sealed, subject, created_at)
     SELECT psp, ${id('w')}, psp, psp, 'w' || g, g % 100 + 1, 'NGN', 'NG', 'sports', '102.0.2.0/24', ${text}, ${subject}, at
     FROM (${made}) m WHERE g % 10 BETWEEN 4 AND 7`,
    values,
  );
  await pool.query(
    `INSERT INTO payouts (psp_id, id, account_id, recorded_by, ref, wager_id, wager_ref, amount, currency, country, evidence,
       request, observations, sealed, subject, created_at)
     SELECT m.psp, ${id('p')}, psp, psp, 'p' || g, w.id, w.ref, g % 300 + 1, 'NGN', 'NG', ${text},
       CASE WHEN g % 1000 = 9 THEN 'x' ELSE w.subject END, at
     FROM (${made}) m JOIN wagers w ON w.psp_id = m.psp AND w.ref = 'w' || (g - 2) WHERE g % 10 BETWEEN 8 AND 9`,
    values,
  );
  for (const [kind, table] of [
    ['transaction', 'transactions'],
    ['wager', 'wagers'],
    ['payout', 'payouts'],
  ])
    await pool.query(
      `INSERT INTO lookups (psp_id, kind, hash, record_id, record_kind, account_id)
       SELECT psp_id, 'customer', subject, id, $1, account_id FROM ${table} ON CONFLICT DO NOTHING`,
      [kind],
    );
  await pool.query('VACUUM ANALYZE');
  console.log(`${rows} records in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
