// Benchmark of screening: 100,000 clients' names against lists with 20,000 entries of three names each, as they are
// screened again when a list changes, in processor time. `--entries`, `--clients`; prints figures, never part of the tests.
import { parseArgs } from 'node:util';
import type { ListEntry } from '../service/src/core/screening/entry.ts';
import { NameIndex } from '../service/src/core/screening/name-index.ts';
import { tell } from './row.ts';

const { values } = parseArgs({ options: { entries: { type: 'string' }, clients: { type: 'string' } } });
const entries = Number(values.entries ?? 20_000);
const clients = Number(values.clients ?? 100_000);

/** State of a random generator that gives the same numbers in every run. */
let state = 20_261_126;
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

/** Few first names that many share, as on the lists, and family names from syllables. */
const firsts =
  'mohammed ahmed ali hassan hussein ibrahim abdul omar khalid yusuf ivan vladimir sergei alexander dmitri nikolai juan jose carlos luis maria kim jong park chen wang li john michael david'.split(
    ' ',
  );
const syllables =
  'ba be bo da do fa ga go ha hi ja ka ko la lo ma mo na no ra ri sa so ta to va vi za zo ran kov man ski shi zad dur bek mar tin son gar wen lou pre sto bri cha dra el fen gre hul isk jor kel lin mor nov ost pol qua rus sch tar ulm ver wil yan zeb'.split(
    ' ',
  );
const business =
  'trading shipping group holdings international energy bank industries stores digital foods logistics'.split(' ');
const families = Array.from({ length: 15_000 }, () =>
  Array.from({ length: 3 + random(2) }, () => pick(syllables)).join(''),
);
const person = () => [pick(firsts), ...(random(2) ? [pick(firsts)] : []), pick(families)].join(' ');
const company = () =>
  [pick(families), ...(random(2) ? [pick(families)] : []), pick(business), pick(['ltd', 'llc', 'plc'])].join(' ');
const name = () => (random(3) === 0 ? company() : person());

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
