// The short form of a scenario, which `npm test` runs.
import { expect, inject } from 'vitest';
import { makeDatabase } from '../../support/app.ts';
import type { Scenario, Tally, Wanted } from '../scenarios/scenario.ts';
import { Stage } from './service-process.ts';

/** Runs some rounds, on processes that are there if they are named; fails if a check found a violation or if no round hit anything. */
export async function holds(
  scenario: Scenario,
  rounds: number,
  there: Pick<Wanted, 'pair' | 'place'> = {},
): Promise<Tally> {
  const stage = new Stage(inject('madeFolder'));
  const tally = await scenario
    .run(stage, {
      rounds,
      seed: 100,
      form: 'short',
      database: makeDatabase,
      ...there,
      said: (...what) => stage.report(scenario.name, ...what),
    })
    .finally(() => stage.end());
  stage.report(scenario.name, tally);
  expect(tally.violations).toEqual([]);
  expect({ runs: tally.runs, lost: tally.lost, doubled: tally.doubled }).toEqual({
    runs: rounds,
    lost: 0,
    doubled: 0,
  });
  return tally;
}
