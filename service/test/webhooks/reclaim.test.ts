// Deliveries that the database assigns to a process that no longer works on them are reclaimed at once: the clocks of
// these tests stand still, so no lease expires and nothing becomes due by waiting.
import { afterAll, describe, expect, it } from 'vitest';
import { CommitProxy } from '../durability/support/commit-proxy.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeDatabase, type TestApp, type TestDatabase } from '../support/app.ts';
import { answers, hangs, type Receiver } from '../support/receivers.ts';
import { deliveryOf, makeDeliveringApp, Receivers, sell, subscribed, tried } from './support/scene.ts';

const day = 86_400_000;
const receivers = new Receivers();
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await receivers.stop();
});

const env = { ASSAY_MASTER_KEY: '5b'.repeat(32) };
async function ground(): Promise<TestDatabase> {
  const database = await makeDatabase();
  ends.push(() => database.drop());
  return database;
}
async function start(database: TestDatabase, over: Record<string, string> = {}): Promise<TestApp> {
  const t = await makeDeliveringApp({ database, env: { ...env, ...over } });
  ends.push(() => t.stop());
  return t;
}
async function listener(t: TestApp): Promise<{ client: Account; r: Receiver; webhook: string }> {
  const client = await t.makeClient(await t.makePsp());
  const r = await receivers.start();
  return { client, r, webhook: await subscribed(t, client, r) };
}

describe('a claim whose answer was lost', () => {
  it.each(['before', 'after'] as const)(
    'is given up when its connection is cut %s it reaches the database',
    async (fate) => {
      const database = await ground();
      const proxy = await CommitProxy.start(database.url, 'webhook_claim');
      ends.push(() => proxy.stop());
      const t = await start({ ...database, url: proxy.url });
      const { client, webhook } = await listener(t);
      let cuts = 0;
      proxy.decide(() => (cuts++ < 3 ? fate : 'pass'));
      const sold = await Promise.all(Array.from({ length: 20 }, () => sell(t, client)));
      for (const id of sold) expect(await tried(t, webhook, id)).toMatchObject({ state: 'delivered', attempts: 1 });
      expect(proxy.counts[fate]).toBe(3);
    },
  );
});

describe('a clock that was 40 days ahead and is set right', () => {
  it('does not put off an attempt that failed meanwhile', async () => {
    const t = await start(await ground());
    const { client, r, webhook } = await listener(t);
    t.setClock(40 * day);
    r.behave(answers(500));
    const id = await sell(t, client);
    await tried(t, webhook, id);
    r.behave(answers(200));
    t.setClock(-40 * day);
    t.advance(60_000);
    expect(await tried(t, webhook, id, 2)).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it('does not put off what another process made or claimed under it', async () => {
    const database = await ground();
    const ahead = await start(database);
    const { client, r, webhook } = await listener(ahead);
    const second = await listener(ahead);
    r.behave(hangs);
    ahead.setClock(40 * day);
    const claimed = await sell(ahead, client);
    await until('it is under way', async () => (await deliveryOf(ahead, webhook, claimed))?.state === 'delivering');
    // One that is never begun: its receiver's other slots are taken by what hangs.
    second.r.behave(hangs);
    const made = await Promise.all(Array.from({ length: 120 }, () => sell(ahead, second.client)));
    await until('they are announced', async () => {
      const states = await Promise.all(made.map((id) => deliveryOf(ahead, second.webhook, id)));
      return states.every((d) => d !== undefined);
    });
    r.behave(answers(200));
    second.r.behave(answers(200));
    const right = await start(database);
    expect(await tried(right, webhook, claimed)).toMatchObject({ state: 'delivered', attempts: 1 });
    for (const id of made) expect(await tried(right, second.webhook, id)).toMatchObject({ state: 'delivered' });
  });

  it('leaves alone what waits as its schedule says', async () => {
    const t = await start(await ground());
    const { client, r, webhook } = await listener(t);
    r.behave(answers(503, '', { 'retry-after': '86400' }));
    const id = await sell(t, client);
    const d = await tried(t, webhook, id);
    expect(d.inMs).toBeGreaterThanOrEqual(day);
    r.behave(answers(200));
    const other = await start({ ...t.database });
    other.advance(60_000);
    await tried(other, webhook, await sell(other, client));
    expect(await deliveryOf(t, webhook, id)).toEqual(d);
  });
});
