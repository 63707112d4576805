// The long form of the durability suite: every scenario in many rounds, the negative controls, and the page that says what
// was seen. Figures come from the run alone. Ends with exit code 1 where a check objected or a control was not caught.
//   npm run soak -- [--rounds N] [--minutes N] [--only name]… [--at-once N] [--seed N] [--page file]
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { makeLog } from '../../src/platform/log.ts';
import { createDatabase, makeTemplate } from '../support/database.ts';
import { emptyTally, type Scenario, type Tally, together, type Wanted } from './scenarios/scenario.ts';
import { type Controlled, runControls } from './support/control-run.ts';
import { faultsPage, machine } from './support/faults-page.ts';
import { blame } from './support/rounds.ts';
import { Stage, settingsUsed } from './support/service-process.ts';

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    minutes: { type: 'string' },
    only: { type: 'string', multiple: true },
    'at-once': { type: 'string', default: '1' },
    seed: { type: 'string', default: '1000' },
    page: { type: 'string', default: join(import.meta.dirname, '../../../docs/reference/faults.md') },
  },
});
const whole = (name: string, text: string): number => {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1) throw new Error(`--${name} must be a whole number, at least 1; not '${text}'`);
  return n;
};
const rounds = whole('rounds', given.rounds);
const minutes = given.minutes === undefined ? undefined : whole('minutes', given.minutes);
const seed = whole('seed', given.seed);
/** Scenarios held at the same time. */
const atOnce = whole('at-once', given['at-once']);
/** Rounds over one database: each look reads all that was recorded before. */
const atATime = 2;

const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

const folder = join(import.meta.dirname, 'scenarios');

/** Names of all there are, or of those asked for. */
function scenarios(): string[] {
  const all = readdirSync(folder)
    .filter((f) => f.endsWith('.ts') && f !== 'scenario.ts')
    .map((f) => f.slice(0, -'.ts'.length))
    .sort();
  for (const name of given.only ?? [])
    if (!all.includes(name)) throw new Error(`--only ${name}: there are ${all.join(', ')}`);
  return given.only ? all.filter((name) => given.only?.includes(name)) : all;
}

/** Holds it on a stage of its own; what breaks it off is a violation too. */
async function held(scenario: Scenario, wanted: Wanted): Promise<Tally> {
  const stage = new Stage();
  let tally = emptyTally();
  try {
    tally = await scenario.run(stage, wanted);
  } catch (e) {
    tally.violations.push({ check: 'B', what: `broken off: ${e instanceof Error ? (e.stack ?? e.message) : e}` });
  }
  await stage.end().catch((e) => blame(tally, [{ check: 'B', what: `not taken down: ${e}` }]));
  return tally;
}

const dir = mkdtempSync(join(tmpdir(), 'assay-soak-'));
const server = await startEmbeddedPostgres(dir, makeLog('silent'));
const template = 'assay_template';
await makeTemplate(server.adminUrl, template);
const wanted: Wanted = {
  rounds: atATime,
  seed,
  form: 'long',
  database: () => createDatabase(server.adminUrl, template),
};

const began = Date.now();
const out = new Map<string, { scenario: Scenario; tally: Tally }>();
const names = scenarios();
const timeLeft = () => minutes === undefined || Date.now() - began < minutes * 60_000;
let controls: readonly Controlled[] = [];

async function hold(name: string, pass: number): Promise<void> {
  const before = out.get(name)?.tally ?? emptyTally();
  // Whatever time there is, every scenario is held once.
  if (before.notRun !== undefined || before.violations.length > 0 || (pass > 0 && !timeLeft())) return;
  const { scenario } = (await import(join(folder, `${name}.ts`))) as { scenario: Scenario };
  const tally = await held(scenario, {
    ...wanted,
    seed: seed + 1000 * pass,
    rounds: Math.min(atATime, rounds - pass),
  });
  out.set(name, { scenario, tally: together(before, tally) });
  say(
    tally.notRun === undefined
      ? `${name}: ${tally.runs} rounds, ${tally.acknowledged} acknowledged, ${tally.violations.length} violations`
      : `${name}: not held: ${tally.notRun}`,
  );
  for (const v of tally.violations) say(`  ${v.check} ${v.what}`);
}

try {
  // By turns, so that what the machine does besides falls on all alike.
  for (let pass = 0; pass < rounds; pass += atATime) {
    const turn = [...names];
    const next = async () => {
      for (let name = turn.shift(); name !== undefined; name = turn.shift()) await hold(name, pass);
    };
    const ends = Array.from({ length: atOnce }, next);
    if (pass === 0 && given.only === undefined) ends.push(runControls(wanted, say).then((c) => void (controls = c)));
    await Promise.all(ends);
  }
} finally {
  const end = async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  await end();
}

const took = Math.round((Date.now() - began) / 60_000);
const page = faultsPage({
  tallies: names.flatMap((n) => out.get(n) ?? []).map((o) => [o.scenario, o.tally] as const),
  controls,
  seed,
  minutes: took,
  machine: machine(),
  settings: settingsUsed,
  at: new Date(began),
});
if (given.only === undefined) {
  writeFileSync(given.page, page);
  say(`written: ${given.page}`);
} else process.stdout.write(page);
const bad =
  [...out.values()].some(({ tally: t }) => t.violations.length > 0 || (t.runs === 0 && t.notRun === undefined)) ||
  controls.some((c) => !c.caught);
process.exit(bad ? 1 : 0);
