// Negative controls: services with a built-in fault. Under the same kills, each must be caught by the intended check; a
// check that never fails proves nothing.
import { join } from 'node:path';
import type { Wanted } from '../scenarios/scenario.ts';
import { until } from './conditions.ts';
import { killPostgres, killService, type Round, type Scene } from './faults.ts';
import type { CheckName } from './finding.ts';
import { onOwnServer, onSharedServer } from './scenes.ts';
import type { Stage } from './service-process.ts';
import { storm } from './storm.ts';

export interface Control {
  readonly name: string;
  /** The fault, and how it is exposed. */
  readonly what: string;
  readonly by: CheckName;
  /** @returns the message of the check; undefined if the fault was not caught */
  run(stage: Stage, wanted: Wanted): Promise<string | undefined>;
}

/** Expects no violation without a failure; then runs rounds until the check reports one. */
async function caught(
  s: Scene,
  by: CheckName,
  wanted: Wanted,
  round: (n: number) => Promise<Round>,
): Promise<string | undefined> {
  await storm({ ...s, addresses: () => [s.service.address], workers: 16, max: 200, seed: 299, plain: true });
  // What is written after a reply may take a moment.
  await until('the mutant passes for sound', async () => {
    const { violations } = await s.checks.look(s.history, 'before asking again');
    return violations.length === 0;
  });
  for (let n = 0; n < 6; n++) {
    const r = await round(n);
    const found = r.verdict.violations;
    wanted.said?.({ inFlight: r.inFlight, acknowledged: r.acknowledged }, found.length, found[0]);
    const one = found.find((v) => v.check === by);
    if (one) return one.what;
  }
  return undefined;
}

const mutant = join(import.meta.dirname, 'mutant.ts');

export const mutants: readonly Control[] = [
  {
    name: 'early',
    what: 'answers before the commit; a backend of PostgreSQL is killed',
    by: 'C1',
    async run(stage, wanted) {
      const place = { ...(await onOwnServer(stage, 1, { MUTANT: 'early' }, mutant)), plain: true };
      return caught(place, 'C1', wanted, (n) => killPostgres(place, place.dataDir, 'backend', 300 + n, 100));
    },
  },
  {
    name: 'behind',
    what: 'writes behind its answer; the service is killed',
    by: 'C1',
    async run(stage, wanted) {
      const place = { ...(await onSharedServer(stage, wanted, 3, { MUTANT: 'behind' }, mutant)), plain: true };
      return caught(place, 'C1', wanted, (n) => killService(place, 310 + n, 100));
    },
  },
  {
    name: 'outbox',
    what: 'journals in a commit of its own; the service is killed',
    by: 'C5',
    async run(stage, wanted) {
      const place = { ...(await onSharedServer(stage, wanted, 3, { MUTANT: 'outbox' }, mutant)), plain: true };
      return caught(place, 'C5', wanted, (n) => killService(place, 320 + n, 100));
    },
  },
];
