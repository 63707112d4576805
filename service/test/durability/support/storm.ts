// Load of many clients at the same time: new transactions, repetitions, declines and chargebacks, chosen by a seeded
// random generator so that a run can be repeated. Limited by a count, and can be stopped.
import { setTimeout as pause } from 'node:timers/promises';
import { chanceOf } from '../../../src/core/chance.ts';
import type { Client, History, Party, Sent } from './history.ts';

/** A random generator with a seed: numbers from 0 (inclusive) to 1 (exclusive). */
export const dice = (seed: number): (() => number) => chanceOf([seed, 0, 0, 0]).next;

export interface Storm {
  readonly history: History;
  readonly client: Client;
  readonly parties: readonly Party[];
  /** Addresses to send to, in turn. */
  readonly addresses: () => readonly string[];
  readonly workers: number;
  /** Most requests. */
  readonly max: number;
  readonly seed: number;
  /** Whether to stop before `max`. */
  readonly stop?: () => boolean;
  /** Sends only new transactions. */
  readonly plain?: boolean;
  /** Sends no declines: a verification repeated after a decline approves the transaction, as it should. */
  readonly steady?: boolean;
}

let made = 0;
export const newRef = (kind = 'r'): string => `${kind}-${process.pid}-${++made}`;

export const sale = (ref: string, amount: number) => ({
  ref,
  totalAmount: amount,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: amount },
  transactionFee: 1.5,
});

/** Deposits have personal data. They have few customers, so that processes use the same person's key. */
export const payIn = (ref: string, amount: number, person: number) => ({
  ref,
  totalAmount: amount,
  currency: 'NGN',
  customer: { email: `person-${person}@example.com` },
  countryCode: 'NG',
  transactionFee: 2,
});

/** Sends until `max` requests are sent or `stop` returns true; resolves when each was answered or failed. */
export async function storm(o: Storm): Promise<void> {
  const random = dice(o.seed);
  let sent = 0;
  const ended = () => sent >= o.max || o.stop?.() === true;
  const amount = () => Math.round(1000 + random() * 900_000) / 100;
  const worker = async (n: number) => {
    let back = 10;
    for (let turn = n; !ended(); turn++) {
      const party = o.parties[Math.floor(random() * o.parties.length)] as Party;
      const at = () => {
        const list = o.addresses();
        return list[turn % list.length] as string;
      };
      const send = (...a: Parameters<History['send']> extends [unknown, unknown, unknown, ...infer R] ? R : never) => {
        sent++;
        return o.history.send(o.client, at(), party, ...a);
      };
      const ref = newRef();
      const first: Sent =
        !o.plain && random() < 0.2
          ? await send('deposit', payIn(ref, amount(), Math.floor(random() * 40)))
          : await send('verifyTransaction', sale(ref, amount()));
      if (first.outcome !== 'ok') {
        // Waits longer after each failure, as a client would.
        await pause(back);
        back = Math.min(back * 2, 400);
        continue;
      }
      back = 10;
      if (o.plain || ended()) continue;
      const x = random();
      if (x < 0.1) await send(first.operation, first.body as { ref: string });
      else if (x < 0.2 && !o.steady) await send('declineTransaction', { ref });
      else if (x < 0.35) {
        const back = await send('chargeBack', { ref });
        if (back.outcome === 'ok' && x < 0.25 && !ended()) await send('declineTransaction', { ref });
        else if (back.outcome === 'ok' && x < 0.3 && !ended()) await send('chargeBack', { ref });
      }
    }
  };
  await Promise.all(Array.from({ length: o.workers }, (_, n) => worker(n)));
}

/**
 * Repeats every request with an unknown outcome until it is known, as its sender should.
 * @returns the number of these requests, and how many of them had been recorded before
 */
export async function askAgain(
  history: History,
  client: Client,
  address: string,
): Promise<{ asked: number; hadBeenRecorded: number }> {
  // A temporary refusal does not tell whether the earlier request was recorded.
  const tells = (s: Sent) => s.outcome === 'ok' || (s.status >= 400 && s.status < 500 && s.status !== 429);
  const known = new Set(history.all.filter(tells).map((s) => `${s.operation}|${s.party.account}|${s.ref}`));
  const open = new Map(
    history.all
      .filter((s) => s.outcome === 'unknown')
      .map((s) => [`${s.operation}|${s.party.account}|${s.ref}`, s] as const)
      .filter(([key]) => !known.has(key)),
  );
  const queue = [...open.values()];
  const asked = queue.length;
  let hadBeenRecorded = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let s = queue.pop(); s; s = queue.pop()) {
        for (let attempt = 0; ; attempt++) {
          const again = await history.send(client, address, s.party, s.operation, s.body as { ref: string });
          if (tells(again)) {
            const second = s.operation === 'chargeBack' && again.code === 'ALREADY_CHARGED_BACK';
            if (attempt === 0 && (again.replayed || second)) hadBeenRecorded++;
            break;
          }
          if (attempt > 200) throw new Error(`never answered: ${again.status} ${again.code}`);
          await pause(50);
        }
      }
    }),
  );
  return { asked, hadBeenRecorded };
}
