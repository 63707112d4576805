// Rounds of a scenario: each holds the fault once, has everything checked, asks again what was left unknown, and has it
// checked again. What a round found is added up; a void round is held again.
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
 * @param fault holds one round; its number draws the load
 * @param asked judges what asking again brought to light
 * @throws where round after round the fault hits nothing
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
