// The page of a soak's results, docs/reference/faults.md: written from its figures alone.
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { binaries } from '../../../src/platform/postgres-programs.ts';
import type { Scenario, Tally } from '../scenarios/scenario.ts';
import type { Controlled } from './control-run.ts';

export interface Soak {
  readonly tallies: readonly (readonly [Scenario, Tally])[];
  readonly controls: readonly Controlled[];
  readonly seed: number;
  readonly minutes: number;
  readonly machine: string;
  /** Settings that differ from the defaults, and their values. */
  readonly settings: ReadonlyMap<string, ReadonlySet<string>>;
  readonly at: Date;
}

const postgres = (await binaries()).pgCtl;

/** The machine of the run. */
export function machine(): string {
  const version = execFileSync(postgres, ['--version'], { encoding: 'utf8' }).trim().split(' ').at(-1);
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ${memory} GB of memory, ${process.platform} ${process.arch}, Node ${process.versions.node}, PostgreSQL ${version}`;
}

const number = (n: number) => n.toLocaleString('en-US');
const seconds = (ms: number | undefined) => (ms === undefined ? '–' : `${(ms / 1000).toFixed(1)} s`);

function recovery(ms: readonly number[]): [string, string] {
  const sorted = [...ms].sort((a, b) => a - b);
  return [seconds(sorted[Math.floor((sorted.length - 1) / 2)]), seconds(sorted.at(-1))];
}

/** Settings that are listed without their values, which only have a meaning in this run. */
const ownPlaces = new Set(['DATABASE_URL', 'DATA_DIR', 'ASSAY_MASTER_KEY']);

const unlikeShipped = (settings: Soak['settings']): string =>
  [...settings]
    .map(([name, values]) => (ownPlaces.has(name) ? `\`${name}\`` : `\`${name}=${[...values].sort().join('` or `')}\``))
    .sort()
    .join(', ') || 'nothing';

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The first line of an error, without paths of the machine. */
const told = (what: string) => cell((what.split('\n')[0] as string).replace(/(?:file:\/\/)?(?:\/[\w.@+-]+)+\//g, ''));

export function faultsPage(s: Soak): string {
  const held = s.tallies.filter(([, t]) => t.notRun === undefined);
  const not = s.tallies.filter(([, t]) => t.notRun !== undefined);
  const violations = held.flatMap(([c, t]) => t.violations.map((v) => ({ ...v, name: c.name })));
  const total = (f: 'runs' | 'acknowledged' | 'lost' | 'doubled') => held.reduce((n, [, t]) => n + t[f], 0);
  return `# Faults

What was done to the service while it was at work, and what was found of it afterwards. Written by \`npm run soak\`, from
the figures of one run; nothing here is typed in.

- Run: ${s.at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${s.minutes} minutes, seed ${s.seed}.
- Machine: ${s.machine}. Clients, service and database share it; \`fsync\` is on.
- Settings: as shipped, the limits too, but for ${unlikeShipped(s.settings)}.
- In all: ${number(total('runs'))} rounds, ${number(total('acknowledged'))} requests acknowledged, ${number(total('lost'))} lost, ${number(total('doubled'))} doubled, ${violations.length} violation${violations.length === 1 ? '' : 's'}.

A round counts if the fault hit something: a request or commit in flight, a delivery or file in hand. PollLoop in which it
hit nothing are void and held again. Each round ends with all [checks](#checks) over every record, before and after the
clients ask again what was left unknown. *Lost* is what was acknowledged and not found, *doubled* what occurs twice.
*Recovery* is the time from the fault, or from its end where it lasts, to the first record after it; the start of a killed
process is within it.

${row('Fault', 'PollLoop', 'Acknowledged', 'Unknown, asked again', 'Lost', 'Doubled', 'Recovery, median', 'worst', 'Void')}
|---|--:|--:|--:|--:|--:|--:|--:|--:|
${held
  .map(([c, t]) =>
    row(
      `[${c.fault}](#${c.name})`,
      number(t.runs),
      number(t.acknowledged),
      number(t.unknown),
      number(t.lost),
      number(t.doubled),
      ...recovery(t.recoveryMs),
      number(t.voidRounds),
    ),
  )
  .join('\n')}
${not.map(([c]) => row(c.fault, 'not held here', ...Array(7).fill(''))).join('\n')}
${violations.length === 0 ? '' : `\n## Violations\n\n${violations.map((v) => `- ${v.name}, ${v.check}: ${told(v.what)}`).join('\n')}\n`}
## What was done

${s.tallies
  .map(([c, t]) => {
    const notes = [...new Set(t.notes)].map((n) => `\n- ${n}`).join('');
    return `### ${c.name}\n\n${c.done}\n${t.notRun === undefined ? notes : `\nNot held here: ${t.notRun}`}`.trimEnd();
  })
  .join('\n\n')}

## Checks

The clients write down what they sent and were told; afterwards the database is held against it.

| | |
|---|---|
| C1 | each acknowledged request is exactly one equal record |
| C2 | each refused request is no record |
| C3 | each request of unknown outcome is none or one, and asked again exactly one |
| C4 | every split sums; at most one chargeback; daily totals and the VAT return equal a recomputation |
| C5 | records and journal match one to one; each subscribed event is delivered, or listed as open or given up; the same event has the same bytes |
| C6 | the Merkle tree recomputes, and every checkpoint outside the database agrees with it |
| C7 | terminal states stay |
| C8 | every line of every call detail file is accounted for once |
| B | it answers in time, says when it is not ready, ends in order |

## Negative controls

A check that cannot fail proves nothing. Each of these was done in the same run to a service or to a sound database.

${row('What was wrong', 'Check', 'Caught')}
|---|---|---|
${s.controls.map((c) => row(cell(c.what), c.by, c.caught ? 'yes' : '**no**')).join('\n')}

## Hold it yourself

\`\`\`sh
npm run soak                          # every fault, 10 rounds each
npm run soak -- --minutes 60 --rounds 1000
npm run soak -- --only kill-service --rounds 50
\`\`\`

\`npm test\` holds a short form of each. The full disk needs the right to mount a file system. Scenarios and checks are
under \`service/test/durability\`.
`.replaceAll(/\n{3,}/g, '\n\n');
}
