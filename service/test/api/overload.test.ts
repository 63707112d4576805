// Overload: a flood of requests is refused early with 503 or 429 only, keys that send little are served meanwhile, and
// refused requests are not recorded. The tests cause it by holding back commits.
import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';
import { enter } from '../support/people.ts';

let t: TestApp;
let database: TestDatabase;
let stopped: Promise<void> | undefined;
/** The PSP of all requests. */
let everyones: string;
const agent = new Agent({ keepAlive: true, maxSockets: 400 });
afterEach(async () => {
  await (stopped ?? t.stop());
  stopped = undefined;
  await database.drop();
});

interface Answered {
  readonly ref: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

let made = 0;
/** On a connection of its own, of which the test's usual way to send has too few. */
function sale(key: string): Promise<Answered> {
  const ref = `overload-${++made}`;
  const body = JSON.stringify({
    ref,
    totalAmount: 20,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 20 },
    transactionFee: 1,
  });
  return new Promise((resolve, reject) => {
    const q = request(`${t.address}/v1/transaction/verifyTransaction`, {
      method: 'POST',
      agent,
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length },
    });
    q.on('error', reject);
    q.on('response', (r) => {
      let text = '';
      r.setEncoding('utf8');
      r.on('data', (d) => (text += d));
      r.on('end', () => resolve({ ref, status: r.statusCode ?? 0, headers: r.headers, text }));
    });
    q.end(body);
  });
}

/** Sends at once, and tells how many have been answered. */
function flood(key: string, count: number): { answered: Answered[]; all: Promise<Answered[]> } {
  const answered: Answered[] = [];
  const all = Promise.all(
    Array.from({ length: count }, async () => {
      const a = await sale(key);
      answered.push(a);
      return a;
    }),
  );
  return { answered, all };
}

/** Lets no commit end while `work` goes on. */
function whileCommitsWait<T>(work: () => Promise<T>): Promise<T> {
  return t.database.admin.withClient(async (c) => {
    await c.query('BEGIN');
    try {
      // Each commit numbers its entries from the head of its PSP's journal.
      await c.query('SELECT 1 FROM journal_heads WHERE psp_id = $1 FOR UPDATE', [everyones]);
      return await work();
    } finally {
      await c.query('ROLLBACK');
    }
  });
}

async function inHand(): Promise<number> {
  const { text } = await t.get('/metrics');
  return Number(/^assay_requests_in_hand (\d+)$/m.exec(text)?.[1]);
}

const recorded = async () =>
  (await t.database.admin.query("SELECT ref FROM transactions WHERE ref LIKE 'overload-%'")).map((r) => r.ref);

/** 40 requests in hand, and twice as many kept for shares; none is turned away for its age while a slow machine holds commits. */
const env = { QUEUE_LIMIT: '120', QUEUE_AGE_MS: '60000' };

async function begin(over: Record<string, string> = {}): Promise<{ loud: Account; quiet: Account }> {
  database = await makeDatabase();
  t = await makeTestApp({ database, env: { ...env, ...over } });
  const psp = await t.makePsp();
  everyones = psp.uuid;
  const [loud, quiet] = [await t.makeClient(psp), await t.makeClient(psp)];
  // A key has a share once it has been found good.
  for (const { apiKey } of [loud, quiet]) expect((await sale(apiKey)).status).toBe(200);
  return { loud, quiet };
}

describe('overload', () => {
  it('is answered with 503 before the body is read, while another key is served, and ends with its cause', async () => {
    const { loud, quiet } = await begin();
    const before = (await recorded()).length;
    const { refused, rest } = await whileCommitsWait(async () => {
      const f = flood(loud.apiKey, 300);
      await until('most of the flood is refused', () => f.answered.length >= 300 - 3 * 40);
      await until('the rest is in hand', async () => (await inHand()) === 300 - f.answered.length);
      const refused = [...f.answered];
      const full = await inHand();
      const q = flood(quiet.apiKey, 15);
      await until('the other key is let in', async () => (await inHand()) === full + 15);
      expect(q.answered).toEqual([]);
      expect((await t.get('/health/live')).status).toBe(200);
      return { refused, rest: { f, q } };
    });
    for (const r of refused) {
      expect([r.status, r.headers['x-error-code'], r.headers['retry-after']]).toEqual([503, 'OVERLOADED', '1']);
      expect(JSON.parse(r.text)).toEqual({
        success: false,
        message: 'the service is busy; nothing was recorded. Try again shortly',
      });
    }
    expect(new Set(refused.map((r) => r.headers['x-request-id'])).size).toBe(refused.length);
    const others = await rest.q.all;
    expect(others.map((a) => a.status)).toEqual(others.map(() => 200));
    const all = [...(await rest.f.all), ...others];
    const ok = all.filter((a) => a.status === 200);
    expect(all.length - ok.length).toBe(refused.length);
    // What was refused was not recorded, what was answered was.
    expect((await recorded()).length).toBe(before + ok.length);
    expect(await inHand()).toBe(0);
    const after = await flood(loud.apiKey, 30).all;
    expect(after.map((a) => a.status)).toEqual(after.map(() => 200));
  });

  it('of a key past its rate is answered with 429, of however many requests', async () => {
    // The clock stands still, so no token comes.
    const { loud, quiet } = await begin({ RATE_PER_SECOND: '1', RATE_BURST: '50', QUEUE_LIMIT: '3000' });
    const all = await flood(loud.apiKey, 200).all;
    const limited = all.filter((a) => a.status === 429);
    expect(all.filter((a) => a.status === 200)).toHaveLength(49);
    expect(limited).toHaveLength(151);
    for (const r of limited) {
      expect([r.headers['x-error-code'], r.headers['retry-after']]).toEqual(['RATE_LIMITED', '1']);
      expect([r.headers['ratelimit-limit'], r.headers['ratelimit-remaining']]).toEqual(['50', '0']);
      expect(JSON.parse(r.text).message).toBe('too many requests with this key; slow down');
    }
    expect((await sale(quiet.apiKey)).status).toBe(200);
  });

  it('by keys that are none does not keep a good one out', async () => {
    const { quiet } = await begin();
    const stranger = flood(`${quiet.apiKey.slice(0, -1)}x`, 350);
    const good = await flood(quiet.apiKey, 20).all;
    expect(good.map((a) => a.status)).toEqual(good.map(() => 200));
    const statuses = new Set((await stranger.all).map((a) => a.status));
    expect([...statuses].filter((s) => ![401, 429, 503].includes(s))).toEqual([]);
  });

  it('does not keep the service from stopping: who was let in is served, who was refused is told', async () => {
    const { loud } = await begin();
    const f = await whileCommitsWait(async () => {
      const f = flood(loud.apiKey, 300);
      await until('the flood has come', async () => (await inHand()) >= 40 && f.answered.length > 0);
      stopped = t.stop();
      return f;
    });
    const all = await f.all;
    await stopped;
    const ok = all.filter((a) => a.status === 200);
    expect(ok.length).toBeGreaterThanOrEqual(40);
    expect(all.filter((a) => a.status !== 200).map((a) => a.headers['x-error-code'])).toEqual(
      all.filter((a) => a.status !== 200).map(() => 'OVERLOADED'),
    );
    expect((await recorded()).length).toBe(ok.length + 2);
  });
});

describe('a flood without a key', () => {
  it('keeps no session out at the door that was signed in before, and one that has ended is refused', async () => {
    database = await makeDatabase();
    t = await makeTestApp({ database, env: { QUEUE_LIMIT: '30' } });
    const person = await enter(t, await t.makeOperator(), 'auditor');
    const asked = async () => (await person.get('/v1/session')).status;
    expect(await asked()).toBe(200);
    let refused = 0;
    const strangers = () =>
      Promise.all(
        Array.from({ length: 50 }, async () => {
          if ((await t.get('/v1/transaction')).status === 503) refused++;
        }),
      );
    const statuses: number[] = [];
    await until('strangers are refused at the door', async () => {
      const flood = strangers();
      for (let i = 0; i < 5; i++) statuses.push(await asked());
      await flood;
      return refused > 100 ? refused : undefined;
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
    await person.leave();
    expect(await asked()).toBe(401);
  });
});
