// Addresses that are paused, disabled or failing: pending deliveries are stored and released in order, the owner is
// warned, and nothing happens silently.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import type { Account, TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { told, uuidOf } from '../support/journal.ts';
import { answers, type Behaviour, type Receiver } from '../support/receivers.ts';
import {
  bodyOf,
  deliveryOf,
  makeDeliveringApp,
  Receivers,
  sell,
  statesAt,
  subscribed,
  tried,
} from './support/scene.ts';

const receivers = new Receivers();
let t: TestApp;
let psp: Account;
beforeAll(async () => {
  t = await makeDeliveringApp();
  psp = await t.makePsp();
});
afterAll(async () => {
  await t?.stop();
  await receivers.stop();
});

interface Scene {
  readonly client: Account;
  readonly r: Receiver;
  readonly webhook: string;
}

async function scene(app = t, owner = psp): Promise<Scene> {
  const client = await app.makeClient(owner);
  const r = await receivers.start();
  return { client, r, webhook: await subscribed(app, client, r) };
}
const ask = async ({ client, webhook }: Scene, what: string, app = t) =>
  contentOf(await app.post(`/v1/webhook/${webhook}/${what}`, {}, client.apiKey));
const shown = async ({ client, webhook }: Scene) => contentOf(await t.get(`/v1/webhook/${webhook}`, client.apiKey));
const flagsOf = async (a: Account) => contentOf(await t.get('/v1/client/verifyClientStatus', a.apiKey)).flags;
const set = (webhook: string, state: string) =>
  t.database.admin.query('UPDATE webhooks SET state = $2 WHERE id = $1', [uuidOf(webhook), state]);
const transactionsAt = (r: Receiver) => r.received.map((x) => bodyOf(x).data.transactionId).filter(Boolean);
const entriesAbout = (a: Account) => told(t, a.id);
const hour = 3_600_000;

describe('a paused address', () => {
  it('has what happens meanwhile held, and released in the order in which it happened', async () => {
    // With one slot there is one attempt at a time, so that the order is that of the claims.
    const narrow = await makeDeliveringApp({ env: { WEBHOOK_CONCURRENCY: '1' } });
    try {
      const s = await scene(narrow, await narrow.makePsp());
      await ask(s, 'pause', narrow);
      const sold: string[] = [];
      for (let i = 0; i < 20; i++) sold.push(await sell(narrow, s.client));
      await until(
        'all is held',
        // The pause itself is the first of them.
        async () => (await statesAt(narrow, s.webhook)).filter((x) => x === 'held').length >= 21,
      );
      expect(transactionsAt(s.r)).toEqual([]);
      narrow.advance(hour);
      await ask(s, 'resume', narrow);
      const late = await sell(narrow, s.client);
      await until('all came', () => transactionsAt(s.r).length >= 21);
      expect(transactionsAt(s.r)).toEqual([...sold, late]);
    } finally {
      await narrow.stop();
    }
  });

  it('has what was under way held as well, if it fails', async () => {
    const s = await scene();
    const waiting: ServerResponse[] = [];
    s.r.behave((_, response) => void waiting.push(response));
    const id = await sell(t, s.client);
    const response = await until('it is under way', () => waiting[0]);
    await ask(s, 'pause');
    response.writeHead(500).end();
    expect(await tried(t, s.webhook, id)).toMatchObject({ state: 'held', inMs: undefined, attempts: 1 });
    s.r.behave(answers(200));
    await ask(s, 'resume');
    expect(await tried(t, s.webhook, id, 2)).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it('is told of nothing twice where it is paused and resumed again and again', async () => {
    const s = await scene();
    const sold: string[] = [];
    for (let i = 0; i < 10; i++) {
      await ask(s, i % 2 === 0 ? 'pause' : 'resume');
      sold.push(await sell(t, s.client));
    }
    await until('all came', () => sold.every((id) => transactionsAt(s.r).includes(id)));
    await until('all is settled', async () => (await statesAt(t, s.webhook)).every((x) => x === 'delivered'));
    const ids = s.r.received.map((x) => bodyOf(x).id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is set right where a process ended between pausing it and holding what waits, or resuming and releasing', async () => {
    const s = await scene();
    s.r.behave(answers(500));
    const id = await sell(t, s.client);
    await tried(t, s.webhook, id);
    await set(s.webhook, 'PAUSED');
    await until('it is held', async () => (await statesAt(t, s.webhook)).includes('held'));
    s.r.behave(answers(200));
    await set(s.webhook, 'ACTIVE');
    expect(await tried(t, s.webhook, id, 2)).toMatchObject({ state: 'delivered' });
  });
});

describe('a deleted address', () => {
  const settled = (s: Scene) =>
    until('nothing of it is open', async () =>
      (await statesAt(t, s.webhook)).every((x) => x === 'delivered' || x === 'cancelled'),
    );

  it('has what was held for it cancelled and kept on record, and is sent nothing of it', async () => {
    const s = await scene();
    await ask(s, 'pause');
    const id = await sell(t, s.client);
    await until('it is held', async () => (await deliveryOf(t, s.webhook, id))?.state === 'held');
    await ask(s, 'delete');
    await settled(s);
    expect(await deliveryOf(t, s.webhook, id)).toMatchObject({ state: 'cancelled', inMs: undefined, attempts: 0 });
    const other = await scene();
    await sell(t, other.client);
    await until('another is told', () => transactionsAt(other.r).length > 0);
    expect(transactionsAt(s.r)).toEqual([]);
  });

  it('has what was under way cancelled as well, if it fails', async () => {
    const s = await scene();
    const waiting: ServerResponse[] = [];
    s.r.behave((_, response) => void waiting.push(response));
    const id = await sell(t, s.client);
    const response = await until('it is under way', () => waiting[0]);
    await ask(s, 'delete');
    response.writeHead(500).end();
    await settled(s);
    expect(await deliveryOf(t, s.webhook, id)).toMatchObject({ state: 'cancelled', attempts: 1 });
  });

  it('has an end made to what a process left that ended between deleting it and cancelling', async () => {
    const s = await scene();
    await ask(s, 'pause');
    const id = await sell(t, s.client);
    await until('it is held', async () => (await deliveryOf(t, s.webhook, id))?.state === 'held');
    await set(s.webhook, 'DELETED');
    await settled(s);
    expect(await deliveryOf(t, s.webhook, id)).toMatchObject({ state: 'cancelled' });
  });
});

describe('an address that answers 410', () => {
  it('is disabled at once, with a reason in the journal; what waits is kept until it is resumed', async () => {
    const s = await scene();
    s.r.behave(answers(410));
    const first = await sell(t, s.client);
    await until('it is disabled', async () => (await shown(s)).state === 'DISABLED');
    expect(await shown(s)).toMatchObject({ stateReason: 'disabled: the receiver answered 410 Gone' });
    expect(await tried(t, s.webhook, first)).toMatchObject({ state: 'held', log: [{ status: 410, reason: 'GONE' }] });
    expect(await flagsOf(s.client)).toEqual([
      {
        id: s.webhook,
        code: 'WEBHOOK_DISABLED',
        reason: `${s.r.url}: disabled: the receiver answered 410 Gone`,
        blocking: false,
        since: new Date(t.now()).toISOString(),
        until: null,
      },
    ]);
    const entry = (await entriesAbout(s.client)).at(-1)?.body;
    expect(entry).toMatchObject({
      type: 'client.updated',
      actor: { by: 'webhook delivery' },
      evidence: { webhookId: s.webhook, state: 'DISABLED', reason: 'disabled: the receiver answered 410 Gone' },
    });
    const second = await sell(t, s.client);
    await until('it is held', async () => (await statesAt(t, s.webhook)).filter((x) => x === 'held').length >= 3);
    expect(transactionsAt(s.r)).toEqual([first]);
    s.r.behave(answers(200));
    await ask(s, 'resume');
    expect(await flagsOf(s.client)).toEqual([]);
    await until('all came', () => transactionsAt(s.r).length >= 3);
    expect(transactionsAt(s.r).sort()).toEqual([first, first, second].sort());
  });
});

describe('an address that keeps failing', () => {
  /** Moves the clock and has something happen that the address does not take. */
  async function fails(s: Scene, hours: number): Promise<void> {
    t.advance(hours * hour);
    await tried(t, s.webhook, await sell(t, s.client));
  }
  const reasons = async (a: Account) =>
    (await entriesAbout(a)).map((e) => e.body.evidence?.reason).filter((x) => /^(failing|disabled|answers)/.test(x));

  it('is warned about after 24, 72 and 96 hours and disabled after 120, each told in the journal', async () => {
    const s = await scene();
    s.r.behave(answers(500));
    await fails(s, 0);
    await fails(s, 23);
    expect((await shown(s)).stateReason).toBeNull();
    const since = '2026-';
    const first = new Date(t.now() - 23 * hour).toISOString();
    expect(await flagsOf(s.client)).toEqual([]);
    for (const [step, hours] of [
      [1, 24],
      [48, 72],
      [24, 96],
    ] as const) {
      await fails(s, step);
      await until(`warned after ${hours} hours`, async () =>
        (await shown(s)).stateReason?.startsWith(`failing for ${hours} hours`),
      );
      expect((await shown(s)).stateReason).toContain(`no answer of 200 since ${since}`);
      expect((await shown(s)).state).toBe('ACTIVE');
      // One flag, of the last warning; it says why, and keeps nobody from trading.
      const status = contentOf(await t.get('/v1/client/verifyClientStatus', s.client.apiKey));
      expect(status).toMatchObject({
        acceptable: true,
        flags: [{ id: s.webhook, code: 'WEBHOOK_FAILING', since: first }],
      });
      expect(status.flags).toHaveLength(1);
      expect(status.flags[0].reason).toContain(`${s.r.url}: failing for ${hours} hours`);
    }
    t.advance(24 * hour);
    await sell(t, s.client);
    await until('it is disabled', async () => (await shown(s)).state === 'DISABLED');
    expect(await flagsOf(s.client)).toMatchObject([{ id: s.webhook, code: 'WEBHOOK_DISABLED' }]);
    expect(await flagsOf(psp)).toEqual([]);
    expect((await reasons(s.client)).map((x) => x.slice(0, 20))).toEqual([
      'failing for 24 hours',
      'failing for 72 hours',
      'failing for 96 hours',
      'disabled: no answer ',
    ]);
    await until('what waits is kept', async () =>
      (await statesAt(t, s.webhook)).every((x) => x === 'held' || x === 'delivered'),
    );
    // Resumed, it has a new chance: failures of before count no more.
    t.advance(hour);
    await ask(s, 'resume');
    const health = await until('it fails again', async () => {
      const [h] = await t.database.admin.query('SELECT * FROM webhook_health WHERE webhook_id = $1', [
        uuidOf(s.webhook),
      ]);
      return h?.failing_since ? h : undefined;
    });
    expect(health).toMatchObject({ failing_since: new Date(t.now()).toISOString(), warned_hours: 0 });
    expect((await shown(s)).state).toBe('ACTIVE');
  });

  it('is no longer flagged once it answers again', async () => {
    const s = await scene();
    s.r.behave(answers(500));
    await fails(s, 0);
    await fails(s, 25);
    await until('it is warned about', async () => (await shown(s)).stateReason?.startsWith('failing for 24 hours'));
    expect(await flagsOf(s.client)).toMatchObject([{ id: s.webhook, code: 'WEBHOOK_FAILING' }]);
    s.r.behave(answers(200));
    await sell(t, s.client);
    t.advance(hour);
    await until('it is well', async () => (await shown(s)).stateReason === null);
    expect(await flagsOf(s.client)).toEqual([]);
    expect((await reasons(s.client)).map((x) => x.slice(0, 20))).toEqual(['failing for 24 hours', 'answers again']);
  });
});

describe('a behaviour that changes while it is asked', () => {
  it('is told apart by attempt', async () => {
    const s = await scene();
    const statuses = [500, 429, 200];
    const next: Behaviour = (q, response, socket) => answers(statuses.shift() ?? 200)(q, response, socket);
    s.r.behave(next);
    const id = await sell(t, s.client);
    for (let i = 1; i < 3; i++) t.advance((await tried(t, s.webhook, id, i)).inMs ?? 0);
    expect((await tried(t, s.webhook, id, 3)).log.map((a) => a.reason)).toEqual(['HTTP_NOT_200', 'RATE_LIMITED', 'OK']);
  });
});
