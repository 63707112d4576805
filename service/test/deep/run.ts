// `npm run check:deep`: runs the long form of tests that have a short form in `npm test`. Run before a release.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const tests = [
  'service/src/core/tax/split.test.ts',
  'service/src/core/tax/telecom.test.ts',
  'service/test/api/bursts.test.ts',
  'service/test/api/gate.test.ts',
  'service/test/api/register-client.test.ts',
  'service/test/api/security.test.ts',
  'service/test/api/settlement.test.ts',
  'service/test/cdr/hostile.test.ts',
  'service/test/cdr/interruption.test.ts',
  'service/test/console',
  'service/test/docs/site.test.ts',
  'service/test/durability/kill-service.test.ts',
  'service/test/durability/mutants.test.ts',
  'service/test/durability/pulled-plug-records.test.ts',
  'service/test/durability/pulled-plug.test.ts',
  'service/test/durability/two-processes.test.ts',
  'service/test/fuzz',
];

const root = join(import.meta.dirname, '../../..');
const program = join(root, 'node_modules/vitest/vitest.mjs');
const done = spawnSync(process.execPath, [program, 'run', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, TEST_DEPTH: 'deep' },
});
process.exitCode = done.status ?? 1;
