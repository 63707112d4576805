// Benchmark of findings on call detail records: how long the report of a month takes with a million records (`--rows`)
// of three operators that report each other's calls. Prints figures; never part of the tests.
import { Pool } from '../service/src/platform/database.ts';
import { log, option, prepare, serve, stopPostgres } from './stage.ts';

const rows = option('rows', 1_000_000);
const rounds = option('rounds', 3);

const place = await prepare('bench_findings');
const pool = new Pool(place.url, { max: 2, log });
const now = new Date();
const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString();
await fill();
await serve('real', place, async (port) => {
  for (let i = 0; i < rounds; i++) {
    const started = performance.now();
    const { reportId } = await ask(port, '/v1/report', { kind: 'cdrFindings', period: month.slice(0, 7) });
    let state = '';
    while (state !== 'DONE' && state !== 'FAILED') {
      await new Promise((r) => setTimeout(r, 100));
      state = (await ask(port, `/v1/report/${reportId}`)).state as string;
    }
    console.log(`report ${i + 1}: ${state} after ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
});
await pool.end();
await stopPostgres();

async function ask(port: number, path: string, body?: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'x-api-key': place.apiKey, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  const { content } = (await reply.json()) as { content?: Record<string, unknown> };
  if (!content) throw new Error(`${path}: ${reply.status}`);
  return content;
}

/**
 * Three calls in ten go to another network, which reports them too; some are reported twice, some devices are shared.
 */
async function fill(): Promise<void> {
  const started = performance.now();
  await pool.query('SELECT ensure_partitions($1::date, 1)', [month.slice(0, 10)]);
  await pool.query(
    `WITH calls AS MATERIALIZED (
       SELECT g, $1::timestamptz + date_trunc('second', interval '30 days' * (g::float8 / $2)) AS at, g % 3 AS own,
         CASE WHEN random() < 0.7 THEN g % 3 ELSE (g + 1) % 3 END AS other, (random() ^ 2 * 30000)::integer AS caller,
         (random() * 30000)::integer AS receiver, (random() * 4000)::integer AS cell,
         CASE WHEN random() < 0.8 THEN 'VOICE' ELSE 'SMS' END AS type, greatest(0, (random() * 400)::integer - 100) AS seconds
       FROM generate_series(1, $2::integer) g
     ), reported AS (
       SELECT *, own AS by, 0 AS copy FROM calls
       UNION ALL SELECT *, other, 1 FROM calls WHERE other <> own AND g % 50 <> 0
       UNION ALL SELECT *, own, 2 FROM calls WHERE g % 500 = 0
     ), named AS (
       SELECT *, ('00000000-0000-7000-8000-00000000000' || by)::uuid AS account, g || '-' || copy AS cdr,
         (ARRAY['+2348031', '+2348052', '+2348093'])[own + 1] || lpad(caller::text, 6, '0') AS a,
         (ARRAY['+2348031', '+2348052', '+2348093'])[other + 1] || lpad(receiver::text, 6, '0') AS b FROM reported
     )
     INSERT INTO cdrs (psp_id, id, account_id, recorded_by, cdr_id, call_start, duration_s, call_type, network_provider, cost,
       currency, content, record, warnings, sealed, subject, created_at, caller_number, receiver_number, call_type_sent,
       call_status, caller_device, receiver_device, caller_place, packet_loss, jitter_ms, latency_ms, is_late, caller_mask,
       receiver_mask, caller_generation, receiver_generation)
     SELECT p.id, (left(uuid_floor(at + interval '1 hour')::text, 14) || '7' || right(gen_random_uuid()::text, 21))::uuid,
       account, account, cdr, at, seconds, type, (ARRAY['MTN Nigeria', 'Airtel Nigeria', 'Glo Mobile'])[by + 1],
       seconds * 0.0153, 'NGN', repeat('c', 64), repeat('r', 700), '[]', repeat('s', 300), md5(a), at + interval '1 hour', left(md5(a), 27), left(md5(b), 27),
       type, CASE WHEN seconds > 0 THEN 'COMPLETED' ELSE 'NO_ANSWER' END, left(md5(least(caller, 50 + caller % 29950) || a), 27),
       left(md5(b), 27), md5('latitude' || cell) || ' ' || md5('longitude' || cell), CASE WHEN g % 4 = 0 THEN g % 97 / 50.0 END,
       CASE WHEN g % 4 = 0 THEN g % 45 END, CASE WHEN g % 4 = 0 THEN g % 190 END, g % 60 = 0, left(a, 9) || '*****', left(b, 9) || '*****', 0, 0
     FROM named, (SELECT id FROM accounts WHERE kind = 'psp') p ORDER BY at, cdr`,
    [month, Math.round(rows / 1.3)],
  );
  await pool.query('VACUUM ANALYZE cdrs');
  await pool.query('CHECKPOINT');
  console.log(`${rows} records in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
