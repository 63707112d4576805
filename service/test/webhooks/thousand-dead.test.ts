// A thousand addresses that hang or refuse, and some that work: the working ones are served before most deliveries to
// the dead ones have started, whether the dead addresses are known or new.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import type { Account, TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { hangs } from '../support/receivers.ts';
import { caughtUp, subscribe } from '../support/webhooks.ts';
import { bodyOf, makeDeliveringApp, Receivers, sell, shippedWaitMs, statesAt, subscribed } from './support/scene.ts';

const slots = 64;
const clients = 100;
const addressesEach = 10;
const receivers = new Receivers();
let t: TestApp;
let psp: Account;
/** One hangs; where the other was, every connection is refused. */
let dead: readonly string[];

beforeAll(async () => {
  t = await makeDeliveringApp({ answerWithinMs: shippedWaitMs, env: { WEBHOOK_CONCURRENCY: String(slots) } });
  psp = await t.makePsp();
  const [hanging, refusing] = await Promise.all([receivers.start({ behaviour: hangs }), receivers.start()]);
  await refusing.stop();
  dead = [hanging.url, refusing.url];
});
afterAll(async () => {
  await t?.stop();
  await receivers.stop();
});

/** How many deliveries to these addresses are in this state. */
async function deliveries(urls: readonly string[], state: string): Promise<number> {
  const [r] = await t.database.admin.query(
    `SELECT count(*) AS n FROM webhook_deliveries d JOIN webhooks w ON w.psp_id = d.psp_id AND w.id = d.webhook_id
     WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS u(url) WHERE starts_with(w.url, u.url)) AND d.state = $2`,
    [urls, state],
  );
  return r?.n as number;
}
const notBegun = () => deliveries(dead, 'pending');
const hangingNow = () => deliveries(dead.slice(0, 1), 'delivering');

describe('a thousand dead addresses', () => {
  it('keep no living one waiting, be it known or new', async () => {
    const known = await t.makeClient(psp);
    const r = await receivers.start();
    const webhook = await subscribed(t, known, r);

    const owners = await Promise.all(Array.from({ length: clients }, () => t.makeClient(psp)));
    await Promise.all(
      owners.map(async (owner, i) => {
        // Each subscription is a change of its client, and told to the addresses before it.
        for (let n = 0; n < addressesEach; n++)
          contentOf(
            await t.post(
              '/v1/client/subscribeToClient',
              { webhookUrl: `${dead[n % dead.length]}/${i}/${n}` },
              owner.apiKey,
            ),
          );
      }),
    );
    await caughtUp(t);
    await until('those that hang have all they may have', async () => (await hangingNow()) >= slots / 4);

    // Known to answer: the clock stands, so that those that hang keep what they have, and still all of it comes.
    const sold = await Promise.all(Array.from({ length: 50 }, () => sell(t, known)));
    const told = () => new Set(r.received.map((x) => bodyOf(x).data.transactionId));
    await until('the known one has all', () => sold.every((id) => told().has(id)));
    await until('and all of it is settled', async () => (await statesAt(t, webhook)).every((s) => s === 'delivered'));
    expect(await notBegun()).toBeGreaterThan(10 * slots);
    expect(await hangingNow()).toBeLessThanOrEqual(slots / 2);

    // New: hundreds of the others were never tried either, and those that are being tried hang.
    const fresh = await receivers.start();
    const newcomer = await t.makeClient(psp);
    await subscribe(t, newcomer, fresh.url);
    const more = await Promise.all(Array.from({ length: 20 }, () => sell(t, newcomer)));
    await until('the new one has all', () => {
      t.advance(100);
      const has = new Set(fresh.received.map((x) => bodyOf(x).data.transactionId));
      return more.every((id) => has.has(id));
    });
    expect(await notBegun()).toBeGreaterThan(10 * slots);
  });
});
