// Benchmark of totals: how fast their reader processes a full journal, how long a rebuild and a verification take, and
// how long a month's figures take over the totals of ten million transactions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from '../service/src/app.ts';
import { firstStart } from '../service/src/modules/accounts/first-start.ts';
import { taxTotals } from '../service/src/modules/totals/index.ts';
import { rebuildTotals, verifyTotals } from '../service/src/modules/totals/recount.ts';
import { dayOfCountry, makeTotalsReader } from '../service/src/modules/totals/totals-reader.ts';
import { Pool } from '../service/src/platform/database.ts';
import { startEmbeddedPostgres } from '../service/src/platform/embedded-postgres.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { ensureDatabase } from '../service/src/platform/migrate.ts';
import { readSettings } from '../service/src/settings.ts';

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const entries = option('entries', 200_000);
const clients = option('clients', 100);

const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
const log = makeLog('warn');
const server = await startEmbeddedPostgres(dir, log);
const url = server.adminUrl.replace(/\/assay(\?|$)/, '/totals$1');
await ensureDatabase(server.adminUrl.replace(/\/assay(\?|$)/, '/postgres$1'), 'totals', log);
const app = await makeApp({
  settings: readSettings({ PORT: '0', CDR_SFTP: 'off', DATA_DIR: dir, DATABASE_URL: url, LOG_LEVEL: 'warn' }),
  log,
});
const { apiKey } = (await firstStart(app.services)) as { apiKey: string };
const address = await app.listen();
const pool = new Pool(url, { max: 4, log });

const sale = {
  ref: 'one',
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
};
await fetch(`${address}/v1/transaction/verifyTransaction`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
  body: JSON.stringify(sale),
});
const [entry] = await pool.query("SELECT psp_id, seq FROM journal WHERE kind = 'transaction.created'");
const psp = entry?.psp_id as string;

async function timed<T>(what: string, of: number, unit: string, work: () => Promise<T>): Promise<T> {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const ms = performance.now() - started;
  const used = process.cpuUsage(cpu);
  const us = ((used.user + used.system) / of).toFixed(1);
  process.stdout.write(
    `${what}: ${ms.toFixed(0)} ms; ${Math.round((of / ms) * 1000)} ${unit}/s; node ${us} us CPU each\n`,
  );
  return result;
}

const reader = makeTotalsReader(app.services, pool);
// The service and its own readers are stopped before entries are written and read here.
await app.stop();
await pool.query(
  `INSERT INTO journal SELECT j.psp_id, j.seq + g, gen_random_uuid(), j.kind,
     ('00000000-0000-7000-8000-' || lpad((g % $3)::text, 12, '0'))::uuid, gen_random_uuid(), j.body
   FROM journal j, generate_series(1, $1) g WHERE j.psp_id = $2 AND j.kind = 'transaction.created'`,
  [entries, psp, clients],
);
await pool.query('UPDATE journal_heads SET seq = $2 WHERE psp_id = $1', [psp, (entry?.seq as number) + entries]);
await pool.query('ANALYZE journal');

await timed(`reader, ${entries} entries of ${clients} clients`, entries, 'entries', async () => {
  reader.start();
  while ((await reader.lag()) > 0) await new Promise((r) => setTimeout(r, 50));
});
await reader.stop();
await timed('rebuild', entries, 'entries', () => rebuildTotals(pool, psp, dayOfCountry(app.services)));
const checked = await timed('verify', entries, 'entries', () => verifyTotals(pool, psp, dayOfCountry(app.services)));
if (checked.differences.length > 0) throw new Error(`${checked.differences.length} cells differ`);

// A month of ten million transactions: every client on every day, in five countries, three rules, three verdicts.
await pool.query(
  `INSERT INTO daily_cells (psp_id, day, cell, country, account_id, currency, kind, verdict, product_line, tax_rule, taxed,
     taxable, tax)
   SELECT $1, date '2026-10-01' + d, gen_random_uuid(), c, ('00000000-0000-7000-8000-' || lpad(a::text, 12, '0'))::uuid, 'NGN',
     'verifyTransaction', v, '', 'RULE-' || c || r, 37, 1234.56, 92.59
   FROM generate_series(0, 30) d, unnest('{NG,DE,KE,GH,ZA}'::text[]) c, generate_series(1, 200) a,
     unnest('{APPROVED,DECLINED,CHARGED_BACK}'::text[]) v, generate_series(1, 3) r`,
  [psp],
);
await pool.query('ANALYZE daily_cells');
const month = { psp, from: '2026-10-01', to: '2026-10-31' };
const lines = await timed('VAT of one month over 279,000 cells (10.3 million tax lines)', 1, 'returns', () =>
  taxTotals(pool, month, ['country', 'currency', 'kind', 'verdict', 'rule']),
);
process.stdout.write(`${lines.length} lines\n`);
await timed('the same of one country', 1, 'returns', () =>
  taxTotals(pool, { ...month, country: 'NG' }, ['currency', 'kind', 'verdict', 'rule']),
);
await pool.end();
await server.stop();
process.exit(0);
