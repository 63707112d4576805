// `npm run fuzz`: the sequences of life-cycle.test.ts and at-once.test.ts, as many as asked for.
//
//   npm run fuzz -- --sequences 10000 --seed 42
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { sequences: { type: 'string' }, seed: { type: 'string' } } });
const { sequences = '10000', seed = `${Date.now() % 1_000_000_000}` } = values;
for (const [name, value] of Object.entries({ sequences, seed }))
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`--${name} must be a whole number, not '${value}'`);

const root = join(import.meta.dirname, '../../..');
const program = join(root, 'node_modules/vitest/vitest.mjs');
const tests = ['life-cycle', 'at-once'].map((name) => `service/test/fuzz/${name}.test.ts`);
const done = spawnSync(process.execPath, [program, 'run', '--bail', '1', '--no-file-parallelism', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SEQUENCES: sequences, FUZZ_SEED: seed },
});
process.exitCode = done.status ?? 1;
