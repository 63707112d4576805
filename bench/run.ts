// `npm run bench`: runs the benchmarks one after the other and prints all their rows at the end, ratios within one run
// wherever a figure by itself would tell of the machine. `npm run bench -- refs keys` runs only those named, and
// `node bench/refs.ts --rows 1000000` one with its own options. Never part of the tests.
import { spawn } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { type Row, shown } from './row.ts';

/** By name: the program's arguments; about forty minutes in all. */
const benchmarks: Readonly<Record<string, readonly string[]>> = {
  verify: ['--rounds', '5'],
  keys: [],
  follower: [],
  refs: [],
  bursts: [],
  overload: [],
  neighbour: [],
  webhooks: [],
  risk: [],
  roles: [],
  players: [],
  'tax-sums': [],
  screening: [],
  rescreening: [],
  cdr: ['200000', '--latency'],
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(2);
}

const rows: [benchmark: string, Row][] = [];
const failed: string[] = [];
for (const [name, args] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n== ${name}`);
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', (row) => rows.push([name, row as Row]));
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  if (code !== 0) failed.push(name);
}

console.log(`\n${availableParallelism()} cores (${cpus()[0]?.model}), ${new Date().toISOString().slice(0, 10)}`);
for (const [name, row] of rows) console.log(`${name.padEnd(10)} ${shown(row)}`);
if (failed.length > 0) {
  console.error(`Did not run to its end: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
