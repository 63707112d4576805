// Rounds of a scenario: each causes the fault once, runs all checks, repeats requests with unknown outcomes and checks
// again. Results are added up; a void round is repeated.
import { emptyTally, type Tally, type Wanted } from '../scenarios/scenario.ts';
import { checkReaders } from './check-readers.ts';
import type { Round } from './faults.ts';
import type { Violation } from './finding.ts';
import type { Place } from './scenes.ts';
import { askAgain } from './storm.ts';

export function blame(tally: Tally, violations: readonly Violation[]): void {
  tally.violations.push(...violations);
  tally.lost += violations.filter((v) => v.effect === 'lost').length;
  tally.doubled += violations.filter((v) => v.effect === 'doubled').length;
}

/**
 * @param fault runs one round; its number is the seed of the load
 * @param asked checks the outcomes of the repeated requests
 * @throws if the fault hits nothing in many rounds
 */
export async function holdRounds(
  p: Place,
  wanted: Wanted,
  fault: (seed: number, round: number) => Promise<Round>,
  asked?: (asked: { asked: number; hadBeenRecorded: number }) => Violation[],
): Promise<Tally> {
  const tally = emptyTally();
  for (let tries = 0; tally.runs < wanted.rounds && tally.violations.length === 0; tries++) {
    if (tally.voidRounds > 12 + 2 * wanted.rounds) throw new Error('round after round the fault hits nothing');
    const start = p.history.now();
    const r = await fault(wanted.seed + tries, tally.runs);
    blame(tally, r.verdict.violations);
    const refused = p.history.count('refused', start);
    const again = await askAgain(p.history, p.client, p.service.address);
    blame(tally, asked?.(again) ?? []);
    blame(tally, (await p.checks.look(p.history, 'after asking again')).violations);
    wanted.said?.({ ...r, verdict: r.verdict.figures, ...again, summary: p.history.summary(start) });
    if (r.void) tally.voidRounds++;
    else {
      tally.runs++;
      tally.acknowledged += r.acknowledged;
      tally.unknown += r.unknown;
      tally.refused += refused;
      if (r.recoveryMs !== undefined) tally.recoveryMs.push(r.recoveryMs);
    }
  }
  blame(tally, await checkReaders(p));
  return tally;
}
