// Benchmark of call detail files: processes one generated file and, in the same run on the same server, copies the same
// rows with a plain COPY into a table with three indexes, and into one with all that the records' tables have. Prints rows per second of both, their ratio, CPU time per row (of
// this process with all its threads, and of PostgreSQL), and memory: the most held meanwhile beyond what was held before.
//   node bench/cdr.ts [rows=100000] [--personal] [--bad] [--latency] [--no-copy]
// --bad adds two invalid lines in a hundred and checks that each line is accounted for once; --latency has a client
// call verifyTransaction at a fixed rate, before and meanwhile, while the service also analyses the records.
import { execFile } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';
import pgCopy from 'pg-copy-streams';
import { makeApp } from '../service/src/app.ts';
import { createAccount } from '../service/src/modules/accounts/administer.ts';
import { system } from '../service/src/modules/kernel/principal.ts';
import { Pool } from '../service/src/platform/database.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { readSettings } from '../service/src/settings.ts';
import { disagreements, type RejectedLine } from '../service/test/support/planted-lines.ts';
import { cpuMs, postgresPids } from './processor-time.ts';
import { quantile } from './quantile.ts';
import { tell } from './row.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    personal: { type: 'boolean', default: false },
    bad: { type: 'boolean', default: false },
    latency: { type: 'boolean', default: false },
    'no-copy': { type: 'boolean', default: false },
  },
});
const rows = Number(positionals[0] ?? 100_000);

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

const run = promisify(execFile);
const child = async (file: string, ...args: string[]) =>
  (await run(process.execPath, [join(import.meta.dirname, file), ...args])).stdout;

/** CPU time used so far, in microseconds. */
const used = () => {
  const { user, system } = process.cpuUsage();
  return { node: user + system, postgres: cpuMs(postgresPids(dir)) * 1000 };
};
const cpuPerRow = (from: ReturnType<typeof used>, to: ReturnType<typeof used>) => ({
  node: Number(((to.node - from.node) / rows).toFixed(1)),
  postgres: Number(((to.postgres - from.postgres) / rows).toFixed(1)),
});

let windows = 0;
let unanswered = 0;
/** p99 of verifyTransaction at a moderate rate, in milliseconds. @param keys file of one key */
async function verifyP99(port: number, keys: string, seconds: number): Promise<number> {
  const job = { port, keys, connections: 1, rate: 50, seconds, warmSeconds: 0, prefix: `w${windows++}` };
  const { p99, failed } = JSON.parse(await child('load.ts', JSON.stringify(job)));
  unanswered += failed;
  return p99;
}

const settings = readSettings({
  PORT: '0',
  DATA_DIR: dir,
  LOG_LEVEL: 'warn',
  CDR_PICKUP_CRON: 'off',
  CDR_SFTP: 'off',
  CDR_FILE_LIMIT: String(2 ** 40),
});
const app = await makeApp({ settings, log: makeLog('warn') });
try {
  const s = app.services;
  const id = s.ids.next();
  const { apiKey } = await createAccount(
    s,
    system,
    { psp: id, id, kind: 'psp', name: 'Bench', country: 'NG' },
    Date.now(),
  );
  const folder = join(dir, 'cdr', 'incoming', id);
  mkdirSync(folder, { recursive: true });
  const { personal, bad } = options;
  await child('cdr-file.ts', join(folder, 'bench.part'), JSON.stringify({ rows, now: Date.now(), bad, personal }));
  renameSync(join(folder, 'bench.part'), join(folder, 'bench.csv'));
  const bytes = statSync(join(folder, 'bench.csv')).size;
  const port = options.latency ? Number(new URL(await app.listen()).port) : 0;
  const keys = join(dir, 'keys');
  writeFileSync(keys, apiKey);
  const idle: number[] = [];
  const busy: number[] = [];
  if (options.latency) {
    await verifyP99(port, keys, 3);
    for (let i = 0; i < 3; i++) idle.push(await verifyP99(port, keys, 5));
  }
  const before = process.memoryUsage().rss;
  peak = 0;
  longest = 0;
  const cpuBefore = used();
  const from = performance.now();
  let working = true;
  const intake = s.cdrIntake.pickUp().finally(() => {
    working = false;
  });
  // Only windows entirely within the processing count.
  while (options.latency && working) {
    const p99 = await verifyP99(port, keys, 5);
    if (working) busy.push(p99);
  }
  await intake;
  const intakeS = (performance.now() - from) / 1000;
  const cpuUsPerRow = cpuPerRow(cpuBefore, used());
  const [file] = await s.db.query('SELECT state, tally FROM cdr_files');
  const held = peak;
  const pause = longest;
  const rejected = await s.db.query('SELECT line, byte_offset, findings FROM cdr_suspense ORDER BY line');
  const wrong = disagreements(
    options.bad ? rows : 0,
    rejected.map(
      (r): RejectedLine => ({
        line: r.line as number,
        byteOffset: r.byte_offset as number,
        findings: JSON.parse(r.findings as string),
      }),
    ),
  );
  const [{ records, ids } = {}] = await s.db.query(
    'SELECT count(*) AS records, count(DISTINCT cdr_id) AS ids FROM cdrs',
  );

  const copied = options['no-copy']
    ? undefined
    : await bareCopy('(LIKE cdrs, PRIMARY KEY (psp_id, id))', ['(psp_id, account_id, id)']);
  const copiedToAll = options['no-copy'] ? undefined : await bareCopy('(LIKE cdrs INCLUDING INDEXES)', []);
  const rate = (seconds: number) => Math.round(rows / seconds);
  const middle = (all: number[]) => Number(quantile(all, 0.5).toFixed(1));
  process.stdout.write(
    `${JSON.stringify({
      rows,
      ...options,
      bytes,
      state: file?.state,
      counts: JSON.parse(file?.tally as string).counts,
      records,
      ids,
      wrong,
      seconds: Number(intakeS.toFixed(1)),
      intakeRowsPerSecond: rate(intakeS),
      cpuUsPerRow,
      ...(copied === undefined
        ? {}
        : {
            copyRowsPerSecond: rate(copied.seconds),
            copyCpuUsPerRow: copied.cpuUsPerRow,
            ratio: Number((copied.seconds / intakeS).toFixed(2)),
          }),
      ...(copiedToAll === undefined
        ? {}
        : {
            allIndexes: {
              copyRowsPerSecond: rate(copiedToAll.seconds),
              copyCpuUsPerRow: copiedToAll.cpuUsPerRow,
              ratio: Number((copiedToAll.seconds / intakeS).toFixed(2)),
            },
          }),
      memoryMiB: {
        before: Math.round(before / 2 ** 20),
        peak: Math.round(held / 2 ** 20),
        own: Math.round((held - before) / 2 ** 20),
      },
      longestPauseMs: Math.round(pause),
      ...(options.latency
        ? { verifyP99Ms: { idle: middle(idle), during: middle(busy), windows: busy.length, refused: unanswered } }
        : {}),
    })}\n`,
  );
  tell({ what: `intake of ${rows} call records`, value: rate(intakeS), digits: 0, unit: '/s' });
  if (copied) tell({ what: 'the same, to a bare COPY', value: copied.seconds / intakeS, atLeast: 0.65 });
  if (copiedToAll) tell({ what: 'the same, to a COPY with all its indexes', value: copiedToAll.seconds / intakeS });
  const own = Math.round((held - before) / 2 ** 20);
  tell({ what: 'the same, memory of its own', value: own, digits: 0, unit: 'MiB', atMost: 200 });
  if (busy.length > 0) {
    const [calm, during] = [middle(idle), middle(busy)];
    const note = `${calm} and ${during} ms`;
    tell({ what: "the same, verify's p99 beside it to idle", value: during / calm, atMost: 2, note });
  }
} finally {
  clearInterval(watch);
  clearInterval(beat);
  await app.stop();
  rmSync(dir, { recursive: true, force: true });
}

/** @param indexes besides those of the definition and the one of refs */
async function bareCopy(definition: string, indexes: readonly string[]) {
  const admin = new Pool(app.embedded?.adminUrl as string, { max: 1, log: makeLog('warn') });
  const out = join(dir, 'rows.bin');
  const result = await admin.withClient(async (c) => {
    await c.query('DROP TABLE IF EXISTS bare');
    await c.query(`CREATE TABLE bare ${definition}`);
    for (const index of indexes) await c.query(`CREATE INDEX ON bare ${index}`);
    await c.query('CREATE UNIQUE INDEX ON bare (psp_id, account_id, cdr_id)');
    await pipeline(c.query(pgCopy.to('COPY (SELECT * FROM cdrs) TO STDOUT')), createWriteStream(out));
    const cpuBefore = used();
    const begun = performance.now();
    await pipeline(createReadStream(out), c.query(pgCopy.from('COPY bare FROM STDIN')));
    return { seconds: (performance.now() - begun) / 1000, cpuUsPerRow: cpuPerRow(cpuBefore, used()) };
  });
  await admin.end();
  return result;
}
