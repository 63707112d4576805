// Deliveries by the behaviour of the receiver (Spec 6.4): each attempt is stored with reason and stage, a failed one is
// retried on schedule, and no delivery waits for another receiver.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import type { Account, TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { answers, type Behaviour, hangs, inTurn, type Receiver, resets } from '../support/receivers.ts';
import {
  bodyOf,
  type Delivery,
  makeDeliveringApp,
  Receivers,
  sell,
  shippedWaitMs,
  statesAt,
  subscribed,
  tried,
} from './support/scene.ts';

const receivers = new Receivers();
let t: TestApp;
let psp: Account;
/** A service whose clock nobody moves, and its attempt that meets silence: it takes as long as its time-out. */
let still: TestApp;
let silence: Promise<Delivery>;
beforeAll(async () => {
  [t, still] = await Promise.all([makeDeliveringApp(), makeDeliveringApp({ answerWithinMs: shippedWaitMs })]);
  psp = await t.makePsp();
  const { client, webhook } = await scene(hangs, still, await still.makePsp());
  silence = tried(still, webhook, await sell(still, client));
  silence.catch(() => undefined);
});
afterAll(async () => {
  await t?.stop();
  await still?.stop();
  await receivers.stop();
});

/** A client with a receiver that knows of its subscription and behaves so from then on. */
async function scene(
  behaviour?: Behaviour,
  by = t,
  of = psp,
): Promise<{ client: Account; r: Receiver; webhook: string }> {
  const client = await by.makeClient(of);
  const r = await receivers.start();
  const webhook = await subscribed(by, client, r);
  if (behaviour) r.behave(behaviour);
  return { client, r, webhook };
}

const minute = 60_000;

describe('the mode', () => {
  it('is in a header of what an account for tests recorded, and of nothing else', async () => {
    const { client, r } = await scene();
    const { apiKey, clientId } = contentOf(
      await t.post('/v1/key', { name: 'integration', mode: 'test' }, client.apiKey),
    );
    const tested = await receivers.start();
    await subscribed(t, { ...client, id: clientId, apiKey }, tested);
    await Promise.all([sell(t, client), sell(t, { ...client, apiKey })]);
    await until('both are told', () => r.received.length >= 2 && tested.received.length >= 2);
    const modes = ({ received }: Receiver) => new Set(received.map((x) => x.headers['x-assay-mode']));
    expect([modes(r), modes(tested)]).toEqual([new Set([undefined]), new Set(['test'])]);
  });
});

describe('an attempt', () => {
  it.each<[string, Behaviour, Record<string, unknown>]>([
    ['200', answers(200, 'thanks'), { status: 200, reason: 'OK', stage: 'answer', response: 'thanks' }],
    ['201', answers(201), { status: 201, reason: 'HTTP_NOT_200', stage: 'answer' }],
    ['204', answers(204), { status: 204, reason: 'HTTP_NOT_200', stage: 'answer' }],
    ['302', answers(302, '', { location: '/elsewhere' }), { status: 302, reason: 'REDIRECT', stage: 'answer' }],
    ['429', answers(429), { status: 429, reason: 'RATE_LIMITED', stage: 'answer' }],
    ['500', answers(500, 'broken'), { status: 500, reason: 'HTTP_NOT_200', stage: 'answer', response: 'broken' }],
    ['a reset', resets, { status: null, reason: 'RESET', stage: 'answer', response: null }],
  ])('that meets %s is written down as that, and delivers only by 200', async (_, behaviour, attempt) => {
    const { client, r, webhook } = await scene(behaviour);
    const id = await sell(t, client);
    const d = await tried(t, webhook, id);
    expect(d.log).toEqual([
      {
        response: '',
        ...attempt,
        attempt: 1,
        duration_ms: expect.any(Number),
        started_at: new Date(t.now()).toISOString(),
      },
    ]);
    expect(d.state).toBe(attempt.reason === 'OK' ? 'delivered' : 'retrying');
    const [least, most] = attempt.reason === 'RATE_LIMITED' ? [minute, 1.1 * minute] : [5_000, 5_500];
    if (d.state === 'retrying') {
      expect(d.inMs).toBeGreaterThanOrEqual(least as number);
      expect(d.inMs).toBeLessThanOrEqual(most as number);
    }
    // A redirect is not followed, and nothing is tried again before its time.
    expect(r.received.slice(1).map((x) => x.path)).toEqual(['/hook']);
  });

  it('that meets nobody is written down as that', async () => {
    const { client, r, webhook } = await scene();
    await r.stop();
    const d = await tried(t, webhook, await sell(t, client));
    expect(d).toMatchObject({ state: 'retrying', log: [{ status: null, reason: 'CONNECT_FAILED', stage: 'connect' }] });
  });

  it('that cannot be signed is not sent, and is made up for once it can', async () => {
    const { client, r, webhook } = await scene();
    const seal = (text: unknown) =>
      t.database.admin.query('UPDATE accounts SET secret_sealed = $2 WHERE id = $1', [client.uuid, text]);
    const [account] = await t.database.admin.query('SELECT secret_sealed FROM accounts WHERE id = $1', [client.uuid]);
    await seal('not what was sealed');
    const id = await sell(t, client);
    expect(await tried(t, webhook, id)).toMatchObject({
      state: 'retrying',
      log: [{ status: null, reason: 'NOT_SIGNED', stage: 'guard' }],
    });
    expect(r.received).toHaveLength(1);
    await seal(account?.secret_sealed);
    t.advance(5_500);
    expect(await tried(t, webhook, id, 2)).toMatchObject({ state: 'delivered' });
  });

  it('waits as long as the receiver asks, up to a day', async () => {
    const { client, webhook } = await scene(answers(503, '', { 'retry-after': '7200' }));
    const d = await tried(t, webhook, await sell(t, client));
    expect(d.inMs).toBeGreaterThanOrEqual(7_200_000);
    expect(d.inMs).toBeLessThanOrEqual(7_920_000);
  });
});

describe('a failed delivery', () => {
  it('is tried again when its time has come, with the same bytes, and is done at the first 200', async () => {
    const { client, r, webhook } = await scene(inTurn(answers(500), answers(204), answers(200)));
    const id = await sell(t, client);
    await tried(t, webhook, id, 1);
    t.advance(5_500);
    const second = await tried(t, webhook, id, 2);
    expect(second.inMs).toBeGreaterThanOrEqual(5 * minute);
    t.advance(5.5 * minute);
    const done = await tried(t, webhook, id, 3);
    expect(done).toMatchObject({ state: 'delivered', inMs: undefined, attempts: 3 });
    expect(done.log.map((a) => [a.attempt, a.status])).toEqual([
      [1, 500],
      [2, 204],
      [3, 200],
    ]);
    const sent = r.received.slice(1);
    expect(new Set(sent.map((x) => x.body)).size).toBe(1);
    expect(new Set(sent.map((x) => x.headers['webhook-id'])).size).toBe(1);
    expect(sent.map((x) => x.headers['x-attempt'])).toEqual(['1', '2', '3']);
    // Each attempt is signed with its own time.
    expect(new Set(sent.map((x) => x.headers['webhook-timestamp'])).size).toBe(3);
  });

  it('is exhausted after ten attempts, kept, and delivered when asked for', async () => {
    const { client, r, webhook } = await scene(answers(500));
    const id = await sell(t, client);
    for (let i = 1; i <= 10; i++) {
      const d = await tried(t, webhook, id, i);
      expect(d.state).toBe(i < 10 ? 'retrying' : 'exhausted');
      t.advance(d.inMs ?? 0);
    }
    t.advance(100 * 3_600_000);
    r.behave(answers(200));
    const { id: delivery } = await tried(t, webhook, id, 10);
    const [wire] = contentOf(await t.get(`/v1/webhook/${webhook}/deliveries?state=exhausted`, client.apiKey)).items;
    contentOf(await t.post(`/v1/webhook/${webhook}/deliveries/${wire.deliveryId}/retry`, {}, client.apiKey));
    expect(await tried(t, webhook, id, 11)).toMatchObject({ id: delivery, state: 'delivered', attempts: 11 });
  });
});

describe('an address that keeps failing', () => {
  /** An address at which nothing is sent for now, and how many requests it got. */
  async function leftAlone() {
    const { client, r, webhook } = await scene(answers(500));
    await Promise.all(Array.from({ length: 30 }, () => sell(t, client)));
    await until(
      'its breaker is open',
      async () => (await statesAt(t, webhook)).filter((s) => s === 'retrying').length >= 10,
    );
    await until('all is on record and nothing in hand', async () => {
      const states = await statesAt(t, webhook);
      return states.length === 31 && !states.includes('delivering');
    });
    const met = r.received.length;
    expect(met).toBeLessThan(31);
    expect((await statesAt(t, webhook)).filter((s) => s === 'pending').length).toBe(31 - met);
    return { client, r, webhook, met };
  }

  it('is left alone after ten failures and probed with one, using up no attempts', async () => {
    const { r, webhook } = await leftAlone();
    r.behave(answers(200));
    t.advance(30_000);
    await until('all is delivered', async () => (await statesAt(t, webhook)).every((s) => s === 'delivered'));
    // The probe went alone: nothing else came until it had been answered.
    expect(new Set(r.received.slice(1).map((x) => bodyOf(x).id)).size).toBe(30);
  });

  it('is tried once when its owner asks for a test, and gets all that waits once it answers', async () => {
    const { client, r, webhook, met } = await leftAlone();
    const ask = async () => contentOf(await t.post(`/v1/webhook/${webhook}/test`, {}, client.apiKey));
    await ask();
    await until('it is tried', () => r.received.length > met);
    await until('nothing is in hand', async () => !(await statesAt(t, webhook)).includes('delivering'));
    t.advance(1_000);
    expect(r.received.length).toBe(met + 1);
    r.behave(answers(200));
    await ask();
    await until('all is delivered, but for what failed', async () =>
      (await statesAt(t, webhook)).every((s) => s === 'delivered' || s === 'retrying'),
    );
    expect((await statesAt(t, webhook)).filter((s) => s === 'delivered').length).toBeGreaterThan(32 - met - 1);
  });
});

describe('the metrics', () => {
  it('count attempts by what came of them and show what waits', async () => {
    const read = async () => {
      const text = await (await fetch(`${t.address}/metrics`)).text();
      return (name: string) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')[1] ?? 0,
        );
    };
    const before = await read();
    const { client, webhook } = await scene(answers(500));
    await tried(t, webhook, await sell(t, client));
    const after = await read();
    const rose = (name: string) => after(name) - before(name);
    // Deliveries of other tests may be tried again meanwhile.
    expect(rose('assay_webhook_attempts_total{reason="OK"}')).toBeGreaterThanOrEqual(1);
    expect(rose('assay_webhook_attempts_total{reason="HTTP_NOT_200"}')).toBeGreaterThanOrEqual(1);
    expect(rose('assay_webhook_attempt_seconds_count')).toBeGreaterThanOrEqual(2);
    expect(rose('assay_webhook_first_attempt_seconds_count')).toBeGreaterThanOrEqual(2);
    for (const name of ['assay_webhook_backlog', 'assay_journal_reader_lag{reader="webhooks"}'])
      await until(`${name} is down to nothing`, async () => (await read())(name) === 0);
  });
});

describe('an attempt nobody answers', () => {
  it('ends at its time-out and is not repeated within a minute', async () => {
    const d = await silence;
    expect(d).toMatchObject({ state: 'retrying', log: [{ status: null, reason: 'TIMEOUT', stage: 'answer' }] });
    expect(d.inMs).toBeGreaterThanOrEqual(minute);
  });
});
