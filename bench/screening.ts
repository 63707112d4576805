// Benchmark of screening: 100,000 clients' names against lists with 20,000 entries of three names each, as they are
// screened again when a list changes, in processor time. `--entries`, `--clients`; prints figures, never part of the tests.
import { parseArgs } from 'node:util';
import type { ListEntry } from '../service/src/core/screening/entry.ts';
import { NameIndex } from '../service/src/core/screening/name-index.ts';
import { name } from './made-up-names.ts';
import { tell } from './row.ts';

const { values } = parseArgs({ options: { entries: { type: 'string' }, clients: { type: 'string' } } });
const entries = Number(values.entries ?? 20_000);
const clients = Number(values.clients ?? 100_000);

const index = new NameIndex((han) => han);
const built = performance.now();
for (let i = 0; i < entries; i++) {
  const entry: ListEntry = {
    ...{ ref: String(i), kind: 'PERSON', births: [], countries: [], keys: [], programmes: [] },
    names: [{ name: name() }, { name: name() }, { name: name() }],
  };
  index.put({ list: 'BENCH', purpose: 'SANCTIONS', revision: 1, entry });
}
const buildMs = performance.now() - built;
const asked = Array.from({ length: clients }, name);
const started = process.cpuUsage();
let hits = 0;
for (const of of asked) hits += index.search({ name: of }).length;
const { user, system } = process.cpuUsage(started);
const seconds = (user + system) / 1e6;
const heapMb = Math.round(process.memoryUsage().heapUsed / 2 ** 20);

tell({
  what: `index of ${entries} entries with three names each`,
  value: buildMs / 1000,
  unit: 's',
  note: `${heapMb} MB`,
});
tell({
  what: `${clients} names against ${entries} entries`,
  ...{
    value: seconds,
    unit: 's',
    atMost: 60,
    note: `${hits} matches, ${((seconds / clients) * 1e6).toFixed(0)} µs a name`,
  },
});
