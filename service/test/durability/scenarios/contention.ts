// Conflicts over one transaction: chargebacks at the same time, of which one wins, and a decline against a chargeback.
import type { Round } from '../support/faults.ts';
import type { Party, Sent } from '../support/history.ts';
import { blame, holdRounds } from '../support/rounds.ts';
import { pairOnSharedServer, type SharedPlace } from '../support/scenes.ts';
import { newRef, sale } from '../support/storm.ts';
import { emptyTally, type Scenario } from './scenario.ts';

export const scenario: Scenario = {
  name: 'contention',
  fault: 'concurrent chargebacks and declines of one transaction',
  done: 'Of ten transactions a round 24 chargebacks each are filed at once at two processes, by the client and by its PSP: one wins. Of 40 others a decline and a chargeback at once: one wins.',
  async run(stage, wanted) {
    const { place, processes: both } = wanted.pair ?? (await pairOnSharedServer(stage, wanted, 2));
    const [hotly, once] = wanted.form === 'short' ? [4, 16] : [10, 40];
    const wrong = emptyTally();
    const tally = await holdRounds(place, wanted, async (): Promise<Round> => {
      const since = place.history.now();
      let contended = 0;
      for (let i = 0; i < hotly; i++) {
        const ref = await approved(place, 90 + i);
        const all = await Promise.all(
          Array.from({ length: 24 }, (_, n) => send(place, both[n % 2]?.address, 'chargeBack', ref, n % 3 === 0)),
        );
        const [won, lost] = [all.filter((s) => s.status === 200), all.filter((s) => s.code === 'ALREADY_CHARGED_BACK')];
        if (won.length !== 1 || lost.length !== 23)
          wrong.violations.push({ check: 'C4', what: `${ref}: ${won.length} of 24 chargebacks won` });
        contended += lost.length;
      }
      const refs = await Promise.all(Array.from({ length: once }, (_, i) => approved(place, 40 + i)));
      await Promise.all(
        refs.map(async (ref, i) => {
          const [a, b] = (await Promise.all(
            (['declineTransaction', 'chargeBack'] as const).map((o, j) =>
              send(place, both[(i + j) % 2]?.address, o, ref),
            ),
          )) as [Sent, Sent];
          if ([a.status, b.status].sort().join() !== '200,409')
            wrong.violations.push({ check: 'C4', what: `${ref}: the decline ${a.status}, the chargeback ${b.status}` });
        }),
      );
      return {
        inFlight: 24,
        acknowledged: place.history.count('ok', since),
        unknown: place.history.count('unknown', since),
        verdict: await place.checks.look(place.history, 'before asking again'),
        void: contended === 0,
        recoveryMs: undefined,
      };
    });
    blame(tally, wrong.violations);
    return tally;
  },
};

async function approved(p: SharedPlace, amount: number): Promise<string> {
  const body = sale(newRef(), amount);
  const made = await p.history.send(
    p.client,
    p.service.address,
    p.ground.clients[0] as Party,
    'verifyTransaction',
    body,
  );
  if (made.content?.status !== 'APPROVED') throw new Error(`not approved: ${made.status} ${made.text}`);
  return body.ref;
}

const send = (
  p: SharedPlace,
  address: string | undefined,
  operation: 'chargeBack' | 'declineTransaction',
  ref: string,
  onBehalf = false,
) =>
  p.history.send(
    p.client,
    address as string,
    (onBehalf ? p.ground.onBehalf[0] : p.ground.clients[0]) as Party,
    operation,
    { ref },
  );
