// Takes in one generated call detail file and, in the same run on the same server, copies the same rows into an equally
// indexed table with a bare COPY. Prints rows per second of both, their ratio, and the most memory the process held.
//   node bench/cdr.ts [rows=100000] [personal=0|1]
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pgCopy from 'pg-copy-streams';
import { makeApp } from '../service/src/app.ts';
import { createAccount } from '../service/src/modules/accounts/administer.ts';
import { system } from '../service/src/modules/accounts/first-start.ts';
import { Pool } from '../service/src/platform/database.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { readSettings } from '../service/src/settings.ts';

const rows = Number(process.argv[2] ?? 100_000);
const personal = process.argv[3] === '1';

const header =
  'cdr_id,timestamp,caller_number,receiver_number,call_start_time,call_end_time,call_duration_seconds,call_type,call_status,caller_location_latitude,caller_location_longitude,receiver_location_latitude,receiver_location_longitude,network_provider,imei_caller,imei_receiver,billing_information_call_cost,billing_information_currency,billing_information_billing_plan,billing_information_data_used_kb,voip_details_codec,voip_details_packet_loss_percentage,voip_details_jitter_ms,voip_details_latency_ms,recording_available';

function line(n: number, day: number): string {
  const start = day - (n % 80_000) * 1000;
  const seconds = 5 + (n % 600);
  const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  const msisdn = (k: number) => `+23480${String(10_000_000 + ((k * 7919) % 20_000)).slice(0, 8)}`;
  const where = personal ? `6.${5000 + (n % 900)},3.${3000 + (n % 900)},,` : ',,,';
  const device = personal ? `3569380356${String(n % 10_000).padStart(4, '0')}` : '';
  return `CDR-${n},${iso(start + seconds * 1000)},${msisdn(n)},${msisdn(n + 1)},${iso(start)},${iso(start + seconds * 1000)},${seconds},VOICE,COMPLETED,${where},MTN Nigeria,${device},,${(seconds * 0.2).toFixed(2)},NGN,PREPAID,,,,,,false`;
}

async function* lines() {
  const day = Date.now() - 90_000_000;
  let text = `${header}\n`;
  for (let n = 1; n <= rows; n++) {
    text += `${line(n, day)}\n`;
    if (text.length > 1 << 18) {
      yield text;
      text = '';
    }
  }
  yield text;
}

const dir = mkdtempSync(join(tmpdir(), 'assay-bench-cdr-'));
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 20);
let longest = 0;
let last = performance.now();
const beat = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
}, 1);

const settings = readSettings({ PORT: '0', DATA_DIR: dir, LOG_LEVEL: 'warn', CDR_PICKUP_CRON: 'off' });
const app = await makeApp({ settings, log: makeLog('warn') });
try {
  const s = app.services;
  const id = s.ids.next();
  await createAccount(s, system, { psp: id, id, kind: 'psp', name: 'Bench', country: 'NG' }, Date.now());
  const folder = join(dir, 'cdr', 'incoming', id);
  mkdirSync(folder, { recursive: true });
  await pipeline(lines(), createWriteStream(join(folder, 'bench.part')));
  renameSync(join(folder, 'bench.part'), join(folder, 'bench.csv'));
  const bytes = statSync(join(folder, 'bench.csv')).size;
  const before = process.memoryUsage().rss;
  peak = 0;
  longest = 0;
  const from = performance.now();
  await s.cdrIntake.pickUp();
  const intakeS = (performance.now() - from) / 1000;
  const [file] = await s.db.query('SELECT state, tally FROM cdr_files');
  const held = peak;

  const admin = new Pool(app.embedded?.adminUrl as string, { max: 1, log: makeLog('warn') });
  const out = join(dir, 'rows.bin');
  const copyS = await admin.withClient(async (c) => {
    await c.query('CREATE TABLE bare (LIKE cdrs, PRIMARY KEY (psp_id, id))');
    await c.query('CREATE INDEX ON bare (psp_id, account_id, id)');
    await c.query('CREATE UNIQUE INDEX ON bare (psp_id, account_id, cdr_id)');
    await pipeline(c.query(pgCopy.to('COPY (SELECT * FROM cdrs) TO STDOUT')), createWriteStream(out));
    const begun = performance.now();
    await pipeline(createReadStream(out), c.query(pgCopy.from('COPY bare FROM STDIN')));
    return (performance.now() - begun) / 1000;
  });
  await admin.end();
  const rate = (seconds: number) => Math.round(rows / seconds);
  process.stdout.write(
    `${JSON.stringify({
      rows,
      personal,
      bytes,
      state: file?.state,
      intakeRowsPerSecond: rate(intakeS),
      copyRowsPerSecond: rate(copyS),
      ratio: Number((copyS / intakeS).toFixed(2)),
      memoryMiB: { before: Math.round(before / 2 ** 20), peak: Math.round(held / 2 ** 20) },
      longestPauseMs: Math.round(longest),
    })}\n`,
  );
} finally {
  clearInterval(watch);
  clearInterval(beat);
  await app.stop();
  rmSync(dir, { recursive: true, force: true });
}
