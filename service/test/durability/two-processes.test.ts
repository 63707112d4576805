// Two service processes on one database: equal requests to both, conflicts over one transaction, and the loss of one
// process.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase } from '../support/app.ts';
import { upTo } from '../support/depth.ts';
import { scenario as contention } from './scenarios/contention.ts';
import { scenario } from './scenarios/two-processes.ts';
import type { Ground } from './support/ground.ts';
import type { Client, History, Party, Sent } from './support/history.ts';
import { type Pair, pairOnSharedServer } from './support/scenes.ts';
import { type ServiceProcess, Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';
import { newRef, payIn, sale } from './support/storm.ts';

const stage = new Stage();
/** One database, one story: the scenarios below go on with what the tests before them recorded. */
let pair: Pair;
let ground: Ground;
let client: Client;
let history: History;

beforeAll(async () => {
  pair = await pairOnSharedServer(stage, { database: makeDatabase }, 4);
  ({ ground, client, history } = pair.place);
});
afterAll(() => stage.end());

const both = (i: number) => (pair.processes[i % 2] as ServiceProcess).address;
const count = (all: readonly Sent[], wanted: (s: Sent) => boolean) => all.filter(wanted).length;

async function expectSound(): Promise<void> {
  expect((await pair.place.checks.look(history, 'after asking again')).violations).toEqual([]);
}

describe('equal requests at the same time', () => {
  it.each(['verifyTransaction', 'deposit'] as const)(
    'makes one record of 100 equal requests of %s and answers all of them alike',
    async (operation) => {
      const party = ground.clients[0] as Party;
      for (let round = 0; round < 2; round++) {
        const body = operation === 'deposit' ? payIn(newRef(), 75.25, round) : sale(newRef(), 75.25);
        const all = await Promise.all(
          Array.from({ length: 100 }, (_, i) => history.send(client, both(i), party, operation, body)),
        );
        expect(new Set(all.map((s) => `${s.status} ${s.text}`)).size).toBe(1);
        expect(all[0]?.status).toBe(200);
        expect(count(all, (s) => !s.replayed)).toBe(1);
      }
      await expectSound();
    },
  );

  it('makes one record where the spelling of the request differs and its meaning does not', async () => {
    const party = ground.clients[0] as Party;
    const body = sale(newRef(), 20);
    const turned = Object.fromEntries(Object.entries(body).reverse()) as typeof body;
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        history.send(client, both(i), party, 'verifyTransaction', i % 3 === 0 ? turned : body),
      ),
    );
    expect(new Set(all.map((s) => `${s.status} ${s.text}`)).size).toBe(1);
    expect(count(all, (s) => s.status === 200 && !s.replayed)).toBe(1);
    await expectSound();
  });

  it('keeps every version of a ref that two bodies contend for, in one line', async () => {
    const party = ground.clients[1] as Party;
    const ref = newRef();
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        history.send(client, both(i >> 1), party, 'verifyTransaction', sale(ref, i % 2 === 0 ? 31.5 : 47.25)),
      ),
    );
    expect(count(all, (s) => s.status === 200)).toBe(40);
    expect(new Set(all.map((s) => s.content.transactionId)).size).toBe(1);
    await expectSound();
  });

  it('keeps the refs of different clients apart', async () => {
    const body = sale(newRef(), 64);
    const all = await Promise.all(
      ground.clients.flatMap((party) =>
        [0, 1, 2, 3].map((i) => history.send(client, both(i), party, 'verifyTransaction', body)),
      ),
    );
    expect(new Set(all.map((s) => s.content.transactionId)).size).toBe(ground.clients.length);
    await expectSound();
  });
});

describe('contending changes of one transaction', () => {
  const approved = async (party: Party, amount: number) => {
    const body = sale(newRef(), amount);
    const made = await history.send(client, both(0), party, 'verifyTransaction', body);
    expect(made.content?.status).toBe('APPROVED');
    return body.ref;
  };

  it('lets one of many chargebacks win, and either a decline or a chargeback, never both', async () => {
    await holds(contention, 1, { pair });
  });

  it('charges back what the transaction was at that moment when it is verified anew meanwhile', async () => {
    const party = ground.clients[3] as Party;
    const refs = await Promise.all(Array.from({ length: 40 }, (_, i) => approved(party, 100 + i)));
    await Promise.all(
      refs.flatMap((ref, i) => [
        history.send(client, both(i), party, 'verifyTransaction', sale(ref, 300 + i)),
        history.send(client, both(i + 1), party, 'chargeBack', { ref }),
      ]),
    );
    await expectSound();
  });
});

describe('the loss of one process', () => {
  it('leaves one record of every ref sent to both when one of them is killed', async () => {
    await holds(scenario, upTo(1, 2), { pair });
  });
});
