// An invalid row in a batch: text that the database cannot store, an unknown state, a missing value, and a value that
// cannot be encoded. It fails alone; the others in its batch are recorded.

import { batchPlace, handMade, queued, whileHeld } from '../support/batches.ts';
import { Checks } from '../support/checks.ts';
import { blame } from '../support/rounds.ts';
import { newRef, payIn, sale } from '../support/storm.ts';
import { emptyTally, type Scenario } from './scenario.ts';

export const poisons: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
  ['text with a NUL (22021)', { original: 'a\u0000b' }, /invalid byte sequence/],
  ['a state that does not exist (23514)', { status: 'LOST' }, /violates check constraint/],
  ['a value that is missing (23502)', { amount: null }, /violates not-null constraint/],
  ['a value that cannot be written down', { amount: 10 }, /is not a function/],
];

export const scenario: Scenario = {
  name: 'poison-rows',
  fault: 'poison rows in a batch',
  done: 'Three rows the database refuses, by turns of four kinds, in one batch with 31 sound commands; only these fail.',
  async run(stage, wanted) {
    const tally = emptyTally();
    const database = await wanted.database();
    // Taken down in the opposite order.
    stage.defer(() => database.drop());
    const p = await batchPlace(stage, {}, database);
    const checks = new Checks(database.admin);
    for (; tally.runs < wanted.rounds && tally.violations.length === 0; tally.runs++) {
      const [what, spoil, reason] = poisons[tally.runs % poisons.length] as (typeof poisons)[number];
      const say = (wrong: string) => tally.violations.push({ check: 'B', what: `${what}: ${wrong}` });
      const { committer } = p.t.app.services;
      const bad = [newRef('bad'), newRef('bad'), newRef('bad')];
      const hand = newRef('hand');
      const since = p.history.now();
      const { first, result } = await whileHeld(p, async () => {
        const good = Array.from({ length: 30 }, (_, i) => {
          const amount = 20 + i;
          const [operation, body] =
            i % 3 === 0
              ? (['deposit', payIn(newRef(), amount, i)] as const)
              : (['verifyTransaction', sale(newRef(), amount)] as const);
          return p.history.send(p.client, p.t.address, p.party, operation, body);
        });
        await queued(p, 30);
        const outcomes = [handMade(p, hand), ...bad.map((ref) => handMade(p, ref, spoil))].map((c) =>
          committer.submit(c).then(
            (reply) => reply,
            (error: Error) => error,
          ),
        );
        await queued(p, 34);
        return { good: Promise.all(good), outcomes: Promise.all(outcomes) };
      });
      for (const s of [first, ...(await result.good)])
        if (s.content?.status !== 'APPROVED') say(`a sound request beside it was answered ${s.status} ${s.code}`);
      const [made, ...spoiled] = await result.outcomes;
      if (made !== hand) say(`a sound command beside it ended as ${made}`);
      for (const e of spoiled) if (!(e instanceof Error && reason.test(e.message))) say(`it ended as ${e}`);
      const rows = async (table: string, refs: readonly string[]) =>
        (await database.admin.query(`SELECT 1 FROM ${table} WHERE ref = ANY ($1)`, [refs])).length;
      if ((await rows('baskets', [hand])) !== 1) say('the sound command left no record');
      if ((await rows('baskets', bad)) + (await rows('refs', bad)) !== 0) say('it left something behind');
      tally.acknowledged += p.history.count('ok', since);
      tally.refused += bad.length;
      blame(tally, (await checks.look(p.history, 'after asking again')).violations);
    }
    return tally;
  },
};
