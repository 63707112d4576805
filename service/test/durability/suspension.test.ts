// A suspension applies as soon as it is acknowledged, whichever process received it and whichever process is called.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase } from '../support/app.ts';
import { scenario } from './scenarios/suspension.ts';
import { Checks } from './support/checks.ts';
import type { Ground } from './support/ground.ts';
import { type Client, History, type Party } from './support/history.ts';
import { type Pair, pairOnSharedServer } from './support/scenes.ts';
import { type ServiceProcess, Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';
import { approvedWhileSuspended, Staff } from './support/standing.ts';
import { newRef, sale, storm } from './support/storm.ts';

const stage = new Stage();
let pair: Pair;
let client: Client;
let ground: Ground;
let one: ServiceProcess;
let two: ServiceProcess;

beforeAll(async () => {
  pair = await pairOnSharedServer(stage, { database: makeDatabase }, 3);
  ({ client, ground } = pair.place);
  [one, two] = pair.processes;
});
afterAll(() => stage.end());

const staff = () => new Staff(client, ground);
const suspend = (p: ServiceProcess, account: string) => staff().suspend(p, account);
const reinstate = (p: ServiceProcess, account: string) => staff().reinstate(p, account);

const statusOf = (content: { status?: string } | undefined) => content?.status;

describe('a suspension during a storm', () => {
  it('lets nothing be approved that is sent after it was acknowledged: of a client, of its PSP, or by a hold', async () => {
    await holds(scenario, 3, { pair });
  });

  it('holds for a basket that the PSP verifies, at a process that had seen the client active', async () => {
    const party = ground.clients[2] as Party;
    const basket = async () => {
      const r = await client.call(
        one.address,
        'POST',
        '/v1/basket/submitBasket',
        { 'x-api-key': party.apiKey },
        JSON.stringify({
          ...sale(newRef('cart'), 50),
          transactionFee: undefined,
          items: [{ sku: 'A', title: 'A', description: 'A', quantity: 1, price: 50, subTotal: 50 }],
        }),
      );
      expect(r.status, r.text).toBe(200);
      return JSON.parse(r.text).content.transactionId as string;
    };
    const verify = async (transactionID: string) => {
      const r = await client.call(
        two.address,
        'POST',
        '/v1/transaction/verifyTransaction',
        { 'x-api-key': ground.psp.apiKey },
        JSON.stringify({ ...sale(newRef(), 50), transactionID }),
      );
      return { status: r.status, code: r.headers['x-error-code'], verdict: statusOf(JSON.parse(r.text).content) };
    };
    const [first, second, third] = [await basket(), await basket(), await basket()];
    expect(await verify(first)).toEqual({ status: 200, code: undefined, verdict: 'APPROVED' });
    await suspend(one, party.account);
    expect(await verify(second)).toEqual({ status: 200, code: undefined, verdict: 'DECLINED' });
    await reinstate(one, party.account);
    expect(await verify(third)).toEqual({ status: 200, code: undefined, verdict: 'APPROVED' });
  });

  it('takes changes of standing from two processes at once, each one recorded', async () => {
    const party = ground.clients[2] as Party;
    const before = await ground.db.query('SELECT version FROM accounts WHERE id = $1', [party.account]);
    const history = new History();
    let over = false;
    const load = storm({
      history,
      client,
      parties: [party, ground.onBehalf[2] as Party],
      addresses: () => [one.address, two.address],
      workers: 8,
      max: 1500,
      seed: 77,
      plain: true,
      stop: () => over,
    });
    // Each holds the clients and the PSP for reading while it changes one of them: a quarrel PostgreSQL ends.
    await Promise.all(
      [one, two].flatMap((p, i) =>
        [party.account, ground.psp.account].map(async (account, j) => {
          for (let n = 0; n < 6; n++) await ((n + i + j) % 2 === 0 ? suspend : reinstate)(p, account);
        }),
      ),
    );
    for (const account of [party.account, ground.psp.account]) await reinstate(one, account);
    over = true;
    await load;
    const after = await ground.db.query('SELECT version FROM accounts WHERE id = $1', [party.account]);
    expect(after[0]?.version).toBe((before[0]?.version as number) + 13);
    expect(history.all.filter((s) => s.outcome !== 'ok')).toEqual([]);
    const [d] = await ground.db.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    stage.report('changes from two processes', { deadlocks: d?.deadlocks }, history.summary());
    expect(await approvedWhileSuspended(ground, [party.account])).toEqual([]);
    const { violations } = await new Checks(ground.db).look(history, 'after asking again');
    expect(violations.filter((v) => !v.what.endsWith('a record nobody asked for'))).toEqual([]);
  });
});
