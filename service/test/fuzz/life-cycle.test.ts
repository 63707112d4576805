// The life of a client's records against a model small enough to be read at a glance: whatever order verifications,
// movements, declines, chargebacks, baskets, wagers, payouts and changes of standing and keys come in, service and
// model agree on every answer and, after every step, on every record and on the journal.
//
// `npm run fuzz` plays many more sequences than `npm test` does, and says with which seed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, keyOf } from '../support/audit.ts';
import { expectJournalComplete } from '../support/journal.ts';
import { clientStatus, expectEqual, expectReceipt, list, look, receipt } from './life/looks.ts';
import { chargeBack, decline, move, verify } from './life/submissions.ts';
import { hold, payout, release, replaceKey, setLevel, setStanding, submit, wager, wait } from './life/surroundings.ts';
import {
  type Command,
  type Count,
  fresh,
  type Level,
  movements,
  type Real,
  type Standing,
  type Transaction,
  type Who,
} from './life/world.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const sequences = Number(process.env.FUZZ_SEQUENCES ?? 40);
/** So many are played at once, each on accounts of its own, and so many over one database. */
const lanes = sequences > 100 ? 12 : 6;
const most = 600;
const minutes = 60_000;
/** A short run ends long before; a long one may take a second for each. */
const limit = Math.max(10 * minutes, sequences * 1_000);

/** Answers of every run, however short. */
const reached = [
  'verifyTransaction OK',
  'verifyTransaction REF_CONFLICT',
  'verifyTransaction BASKET_MISMATCH',
  'verifyTransaction ALREADY_CHARGED_BACK',
  'verifyTransaction NOT_RECORDER',
  'declineTransaction OK',
  'declineTransaction ALREADY_CHARGED_BACK',
  'declineTransaction NOT_RECORDER',
  'chargeBack OK',
  'chargeBack NOT_RECORDER',
  'chargeBack STATE_CONFLICT',
  'chargeBack ALREADY_CHARGED_BACK',
  'submitBasket OK',
  'submitBasket REF_CONFLICT',
  'captureWager OK',
  'capturePayout OK',
];

const refs = fc.constantFrom('r1', 'r1', 'r2');
const baskets = fc.constantFrom('b1', 'b1', 'b2');
const amounts = fc.constantFrom(107.5, 107.5, 107.5, 215);
const who = fc.constantFrom<Who>('client', 'client', 'psp');
const verifying = (amount: fc.Arbitrary<number>, named: fc.Arbitrary<string | undefined>) =>
  fc.tuple(refs, amount, named, who, fc.boolean()).map((a) => verify(...a));

/** How often each is drawn: few refs and many changes, so that most lives are long ones. */
const weighed: readonly (readonly [weight: number, fc.Arbitrary<Command>])[] = [
  [3, verifying(fc.constantFrom(107.5, 107.5, 107.5, 215, 1), fc.constantFrom(undefined, undefined, undefined, 'b1'))],
  [5, verifying(amounts, baskets)],
  [2, fc.tuple(fc.constantFrom(...movements), refs, amounts, who).map((a) => move(...a))],
  [3, fc.tuple(refs, who).map((a) => decline(...a))],
  [4, fc.tuple(refs, who).map((a) => chargeBack(...a))],
  [4, fc.tuple(baskets, amounts, fc.constantFrom(false, false, true)).map((a) => submit(...a))],
  [2, fc.tuple(fc.constantFrom('w1', 'w2'), amounts, who).map((a) => wager(...a))],
  [2, fc.tuple(fc.constantFrom('p1', 'p2'), fc.constantFrom('w1', 'w1', 'w2'), amounts, who).map((a) => payout(...a))],
  [
    1,
    fc.tuple(fc.constantFrom<Who>('client', 'psp'), fc.constant<Standing>('SUSPENDED')).map((a) => setStanding(...a)),
  ],
  [2, fc.tuple(fc.constantFrom<Who>('client', 'psp'), fc.constant<Standing>('ACTIVE')).map((a) => setStanding(...a))],
  [1, fc.constantFrom<Level>('UNVERIFIED', 'BASIC', 'ENHANCED', 'ENHANCED').map(setLevel)],
  [1, fc.tuple(fc.constantFrom(1, 60), fc.boolean()).map((a) => hold(...a))],
  [2, fc.nat(7).map(release)],
  [1, fc.constantFrom<Who>('client', 'psp').map(replaceKey)],
  [1, fc.constantFrom(1, 59).map(wait)],
  [1, fc.tuple(refs, who).map((a) => look(...a))],
  [1, fc.tuple(fc.constantFrom('APPROVED', 'DECLINED', 'PENDING'), who).map((a) => list(...a))],
  [1, who.map(clientStatus)],
  [1, refs.map(receipt)],
];
const commands = fc.commands(
  weighed.flatMap(([weight, c]) => Array<fc.Arbitrary<Command>>(weight).fill(c)),
  { maxCommands: 40, size: 'max' },
);

async function settle(t: TestApp, operator: Account, count: Count): Promise<Real> {
  const psp = await t.makePsp();
  const client = await t.makeClient(psp);
  const keys = { psp: psp.apiKey, client: client.apiKey };
  return { t, operator, psp, client, keys, seal: await keyOf(t, psp), count };
}

const noFaults = (t: TestApp) => expect(t.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);

describe(`the life of a client's records (${sequences} sequences, seed ${seed})`, () => {
  it('goes as the model says, step by step', { timeout: limit }, async () => {
    const count: Count = { sequences: 0, steps: 0, requests: 0, answers: new Map() };
    const began = performance.now();
    for (let played = 0; played < sequences; played += most) {
      const t = await makeTestApp({ env: { LOG_LEVEL: 'warn' } });
      try {
        const operator = await t.makeOperator();
        const here = Math.min(most, sequences - played);
        const last: [Real, Transaction][] = [];
        const lane = (n: number) =>
          fc.assert(
            fc.asyncProperty(commands, async (sequence) => {
              const r = await settle(t, operator, count);
              const model = fresh();
              await fc.asyncModelRun(() => ({ model, real: r }), sequence);
              await expectEqual(model, r);
              count.sequences++;
              const [x] = model.transactions.values();
              if (x) last.push([r, x]);
            }),
            { seed: seed + played + n, numRuns: Math.ceil((here - n) / lanes), endOnFailure: false },
          );
        await Promise.all(Array.from({ length: Math.min(lanes, here) }, (_, n) => lane(n)));
        await allSealed(t);
        for (const [r, x] of last) expect(await expectReceipt(r, x)).toBe(true);
        await expectJournalComplete(t);
        noFaults(t);
      } finally {
        await t.stop();
      }
      if (sequences > most)
        console.log(
          JSON.stringify({
            seed,
            ...count,
            answers: Object.fromEntries([...count.answers].sort()),
            seconds: Math.round((performance.now() - began) / 1000),
          }),
        );
    }
    // Who never comes there proves nothing of it.
    expect(reached.filter((answer) => !count.answers.has(answer))).toEqual([]);
    expect(count.sequences).toBeGreaterThanOrEqual(sequences);
    expect(count.steps).toBeGreaterThan(10 * sequences);
  });
});
