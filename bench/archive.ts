// The benchmark of the archive: how long it takes to move a month to its file, to prove it and to bring it back, how large
// it is, and what verifies answered meanwhile notice of it.
import { makeApp } from '../service/src/app.ts';
import { createAccount } from '../service/src/modules/accounts/index.ts';
import { makeArchive, restoreMonth, verifyArchive } from '../service/src/modules/archive/index.ts';
import { system } from '../service/src/modules/kernel/principal.ts';
import { Pool } from '../service/src/platform/database.ts';
import { readSettings } from '../service/src/settings.ts';
import { caughtUp } from './readers.ts';
import { type Load, load, log, option, prepare, serve, stopPostgres } from './stage.ts';

const rows = option('rows', 300_000);
const psps = option('psps', 50);
const rate = option('rate', 100);
const how: Load = { connections: 16, seconds: option('seconds', 15), warmSeconds: 3 };

const place = await prepare('bench_archive');
const owner = new Pool(place.url, { max: 4, log });
const settings = readSettings({
  PORT: '0',
  CDR_SFTP: 'off',
  WEBHOOK_CONCURRENCY: '0',
  RATE_BURST: '1000000',
  RATE_PER_SECOND: '1000000',
  ARCHIVE_AFTER_MONTHS: '6',
  DATA_DIR: place.dataDir,
  DATABASE_URL: place.url,
});
const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1);
const signal = new AbortController().signal;

const now = new Date();
const then = Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), 15);
const month = new Date(then).toISOString().slice(0, 7);

/** Transactions as the service records them, with their entries and their seal, more than six months ago. */
async function fill(): Promise<void> {
  const begun = performance.now();
  const app = await makeApp({ settings, log, clock: () => then + Math.floor(performance.now() - begun) });
  const address = await app.listen();
  const keys: string[] = [];
  for (let i = 0; i < psps; i++) {
    const id = app.services.ids.next();
    const psp = { psp: id, id, kind: 'psp', name: `PSP ${i}`, country: 'NG' } as const;
    keys.push((await createAccount(app.services, system, psp, then)).apiKey);
  }
  let n = 0;
  const one = async () => {
    for (let k = ++n; k <= rows; k = ++n) {
      const body = `{"ref":"old-${k}","totalAmount":107.50,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":107.50},"transactionFee":1.50,"mcc":"5732"}`;
      const headers = { 'x-api-key': keys[k % psps] as string, 'content-type': 'application/json' };
      const r = await fetch(`${address}/v1/transaction/verifyTransaction`, { method: 'POST', headers, body });
      if (r.status !== 200) throw new Error(`a verify was answered ${r.status}: ${await r.text()}`);
      await r.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 96 }, one));
  await caughtUp(owner);
  await app.stop();
  await owner.query('VACUUM ANALYZE');
  console.log(`${rows} transactions of ${psps} PSPs recorded in ${seconds(begun)} s`);
}

await fill();
const [size] = await owner.query<{ bytes: number }>(
  `SELECT sum(pg_total_relation_size(c.oid))::bigint AS bytes FROM pg_class c WHERE c.relname LIKE '%\\_${month.replace('-', '')}' AND relkind = 'r'`,
);
await serve('real', place, async (port, pid) => {
  const app = await makeApp({ settings: { ...settings, role: 'all', databasePool: 2, databaseWaitMs: 0 }, log });
  const options = (of: string) => ({ services: app.services, principal: system, owner, month: of, signal });
  const readers = (app.following?.readers ?? []).map((r) => r.name);
  // The month before has partitions and no rows.
  const earlier = new Date(then - 31 * 86_400_000);
  await caughtUp(owner);
  await makeArchive(options(earlier.toISOString().slice(0, 7)), readers);

  await load(port, pid, place.apiKey, { ...how, seconds: 5 }, rate);
  const before = await load(port, pid, place.apiKey, how, rate);
  let [sent, failed] = [0, 0];
  const p50s: number[] = [];
  const p99s: number[] = [];
  const work = async (what: string, run: () => Promise<unknown>) => {
    let done = false;
    const begun = performance.now();
    await caughtUp(owner);
    const running = run().finally(() => {
      done = true;
      console.log(`${what}: ${seconds(begun)} s`);
    });
    do {
      const r = await load(port, pid, place.apiKey, { ...how, seconds: 10, warmSeconds: 0 }, rate);
      sent += r.sent;
      failed += r.failed;
      p50s.push(r.p50);
      p99s.push(r.p99);
    } while (!done);
    await running;
  };
  const since = performance.now();
  const step = (text: string) => console.log(`  ${seconds(since)} s: ${text}`);
  let made: Awaited<ReturnType<typeof makeArchive>> | undefined;
  await work(`archive make ${month}`, async () => (made = await makeArchive({ ...options(month), step }, readers)));
  console.log(
    `the tables had ${((size?.bytes ?? 0) / 1e6).toFixed(0)} MB with their indexes, the file has ${((made?.bytes ?? 0) / 1e6).toFixed(1)} MB; rows: ${JSON.stringify(made?.rows)}`,
  );
  const shown = (xs: readonly number[]) => xs.map((x) => x.toFixed(1)).join(' ');
  console.log(
    `verifies, ${rate} a second: before p50 ${before.p50.toFixed(1)} ms, p99 ${before.p99.toFixed(1)} ms, ${before.failed} failed of ${before.sent}; meanwhile, in rounds of 10 s, p50 ${shown(p50s)}, p99 ${shown(p99s)} ms, ${failed} failed of ${sent}`,
  );
  const begun = performance.now();
  const proved = await Array.fromAsync(verifyArchive(owner, place.dataDir, signal));
  console.log(
    `archive verify: ${seconds(begun)} s, ${proved.reduce((n, m) => n + m.entries, 0)} entries proved, ${proved.flatMap((m) => m.findings).length} findings`,
  );
  const back = performance.now();
  await restoreMonth(options(month));
  console.log(`archive restore: ${seconds(back)} s`);
  await app.stop();
});
await owner.end();
await stopPostgres();
