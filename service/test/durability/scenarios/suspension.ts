// A suspension under heavy load: it applies as soon as it is acknowledged, whichever process received it and whichever
// process is called.
import { until } from '../support/conditions.ts';
import type { Round } from '../support/faults.ts';
import type { Party } from '../support/history.ts';
import { blame, holdRounds } from '../support/rounds.ts';
import { pairOnSharedServer } from '../support/scenes.ts';
import { approvedWhileSuspended, Staff } from '../support/standing.ts';
import { newRef, sale, storm } from '../support/storm.ts';
import { emptyTally, type Scenario } from './scenario.ts';

export const scenario: Scenario = {
  name: 'suspension',
  fault: 'a suspension during a storm',
  done: 'Two processes under load; by turns the client is suspended at one, its PSP at the other, and the client held. Nothing sent after the acknowledgement is approved; reinstated, it is approved again.',
  async run(stage, wanted) {
    const { place, processes: pair } = wanted.pair ?? (await pairOnSharedServer(stage, wanted, 2));
    const { history, client, ground } = place;
    const staff = new Staff(client, ground);
    const wrong = emptyTally();
    const blocks = [
      { hit: ground.clients[0] as Party, how: 'suspension' },
      { hit: ground.psp, how: 'suspension' },
      { hit: ground.clients[1] as Party, how: 'hold' },
    ] as const;
    const tally = await holdRounds(place, wanted, async (seed, n): Promise<Round> => {
      const { hit, how } = blocks[n % blocks.length] as (typeof blocks)[number];
      const [told, other] = n % 2 === 0 ? pair : [pair[1], pair[0]];
      const parties =
        hit === ground.psp
          ? [ground.psp, ...ground.clients]
          : [...ground.clients, ...ground.onBehalf].filter((p) => p.account === hit.account);
      const start = history.now();
      let over = false;
      const load = storm({
        history,
        client,
        parties,
        addresses: () => pair.map((p) => p.address),
        workers: 24,
        max: 3000,
        seed,
        plain: true,
        stop: () => over,
      });
      const answered = (status: string, since: number) =>
        history.all.filter((s) => s.sentAt > since && s.content?.status === status).length;
      await until('approvals', () => answered('APPROVED', start) >= 60);
      const inFlight = history.inFlight;
      const undo = await staff.block(told, hit.account, how);
      const acknowledged = history.now();
      await until('refused approvals', () => answered('DECLINED', acknowledged) >= 100);
      over = true;
      await load;
      for (const s of history.all)
        if (s.sentAt > acknowledged && s.content?.status !== 'DECLINED')
          wrong.violations.push({ check: 'C1', what: `${s.ref}: sent after the suspension and ${s.content?.status}` });
      await undo(other);
      const body = sale(newRef(), 20);
      const again = await history.send(client, told.address, parties[0] as Party, 'verifyTransaction', body);
      if (again.content?.status !== 'APPROVED')
        wrong.violations.push({ check: 'B', what: `${again.ref}: reinstated, and ${again.content?.status}` });
      return {
        inFlight,
        acknowledged: history.count('ok', start),
        unknown: history.count('unknown', start),
        verdict: await place.checks.look(history, 'before asking again'),
        void: inFlight === 0,
        recoveryMs: undefined,
      };
    });
    blame(tally, wrong.violations);
    for (const w of await approvedWhileSuspended(
      ground,
      [ground.psp, ...ground.clients].map((p) => p.account),
    ))
      tally.violations.push({ check: 'C5', what: `approved while suspended, by the journal: ${JSON.stringify(w)}` });
    return tally;
  },
};
