// Bursts on an otherwise idle service with default settings: equal requests at the same time, many different ones at
// the same time, and a database that pauses for a moment. No request is refused, and each is recorded once. On a slow
// machine, requests that exceed the longest wait get an error that says so and are sent again.
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { settingRows } from '../../src/setting-rows.ts';
import { until } from '../durability/support/conditions.ts';
import { sale } from '../durability/support/storm.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { upTo } from '../support/depth.ts';
import { expectJournalComplete } from '../support/journal.ts';

/** What the tests' own service sets otherwise, as shipped; but not how long a database may be silent that others hold too. */
const shipped = Object.fromEntries(
  settingRows
    .filter(({ name }) => /^(RATE_|QUEUE_|BATCH_|DATABASE_POOL)/.test(name))
    .map((row) => [row.name, row.default]),
);

let t: TestApp;
let psp: Account;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  t = await makeTestApp({ env: { ...shipped, LOG_LEVEL: 'warn' } });
  psp = await t.makePsp();
});
afterAll(async () => {
  agent.destroy();
  await t.stop();
});

/** Who asks may be told that nothing was recorded once it waited so long, and no sooner (0073). */
const patienceMs = Number(shipped.QUEUE_AGE_MS);

interface Answered {
  readonly status: number;
  readonly code: string;
  readonly replayed: boolean;
  readonly text: string;
}

/** Asks until it is answered, for as long as each refusal is one that a slow machine may give. */
async function send(path: string, body: unknown, key: string, of?: Account): Promise<Answered> {
  for (;;) {
    const sent = performance.now();
    const answered = await sendOnce(path, body, key, of);
    if (answered.code !== 'OVERLOADED' || performance.now() - sent < patienceMs) return answered;
  }
}

/** On as many connections as there are requests. */
function sendOnce(path: string, body: unknown, key: string, of?: Account): Promise<Answered> {
  const bytes = Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const q = request(`${t.address}${path}`, {
      method: 'POST',
      agent,
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        'content-length': bytes.length,
        ...(of ? { 'x-client-id': of.id } : {}),
      },
    });
    q.on('error', reject);
    q.on('response', (r) => {
      let text = '';
      r.setEncoding('utf8');
      r.on('data', (d) => (text += d));
      r.on('end', () =>
        resolve({
          status: r.statusCode ?? 0,
          code: `${r.headers['x-error-code'] ?? ''}`,
          replayed: r.headers['idempotency-replayed'] === 'true',
          text,
        }),
      );
    });
    q.end(bytes);
  });
}

const times = (n: number, what: (i: number) => Promise<Answered>) =>
  Promise.all(Array.from({ length: n }, (_, i) => what(i)));
const tally = (all: readonly Answered[]) => {
  const by: Record<string, number> = {};
  for (const a of all) by[a.status] = (by[a.status] ?? 0) + 1;
  return by;
};
/** For who reads that somebody was refused. */
const refusalIn = (all: readonly Answered[]) => all.find((a) => a.status === 503)?.text;
const entries = async (client: Account, kind: string) =>
  (await t.database.admin.query('SELECT 1 FROM journal WHERE account_id = $1 AND kind = $2', [client.uuid, kind]))
    .length;

const exampleOf = (id: string) => {
  const o = operations.find((x) => x.id === id);
  return { path: o?.path as string, body: o?.example as Record<string, unknown> };
};
const done = async (
  id: string,
  over: Record<string, unknown>,
  key: string,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> => {
  const { path, body } = exampleOf(id);
  const r = await t.post(path, { ...body, ...over }, key, headers);
  expect(r.status, r.text).toBe(200);
  return r.body.content;
};

/** What has to be there first, and the kind of entry that is written once. */
interface Case {
  readonly kind: string;
  /** Status of all but the first, where they are told otherwise that it is done. */
  readonly again?: number;
  readonly before?: (key: string, of: Account) => Promise<Record<string, unknown>>;
}
const cases: Readonly<Record<string, Case>> = {
  verifyTransaction: { kind: 'transaction.created' },
  deposit: { kind: 'transaction.created' },
  withdrawal: { kind: 'transaction.created' },
  cryptoDeposit: { kind: 'transaction.created' },
  cryptoWithdrawal: { kind: 'transaction.created' },
  submitBasket: { kind: 'basket.created' },
  captureWager: { kind: 'wager.created' },
  capturePayout: {
    kind: 'payout.created',
    before: async (key) => {
      await done('captureWager', { ref: 'once' }, key);
      return { wagerReference: 'once' };
    },
  },
  declineTransaction: {
    kind: 'transaction.updated',
    before: async (key) => done('verifyTransaction', { ref: 'once' }, key).then(() => ({})),
  },
  chargeBack: {
    kind: 'chargeback.created',
    again: 409,
    before: async (key) => done('verifyTransaction', { ref: 'once' }, key).then(() => ({})),
  },
  netChargeback: {
    kind: 'chargeback.netted',
    before: async (key, of) => {
      await done('verifyTransaction', { ref: 'once' }, key);
      const { chargebackId } = await done('chargeBack', { ref: 'once' }, psp.apiKey, { 'x-client-id': of.id });
      t.advance(1000);
      const { transactionId } = await done('verifyTransaction', { ref: 'later' }, key);
      return { chargebackId, transactionId, vatAmount: 1, merchantAmount: undefined };
    },
  },
};

/** The queue is the same for all: one operation fills it in each run, and every one in `npm run check:deep`. */
const atOnce = (id: string) => (id === 'verifyTransaction' ? 300 : upTo(60, 300));

describe('many equal requests at once', () => {
  // Entries of lists have refs of their own, which are no refs of records.
  const withRef = operations.filter(
    (o) => o.tag !== 'Lists' && 'ref' in ((o.body as { properties?: object } | undefined)?.properties ?? {}),
  );
  it('are tried of every operation that takes a ref', () => {
    expect(Object.keys(cases).toSorted()).toEqual(withRef.map((o) => o.id).toSorted());
  });

  it.each(Object.entries(cases))(
    'of %s make one record, and nobody is refused',
    async (id, { kind, again = 200, before }) => {
      const client = await t.makeClient(psp);
      const over = await before?.(client.apiKey, client);
      const { path, body } = exampleOf(id);
      const was = await entries(client, kind);
      // Only a PSP files and nets chargebacks.
      const [key, of] = ['chargeBack', 'netChargeback'].includes(id)
        ? [psp.apiKey, client]
        : [client.apiKey, undefined];
      const n = atOnce(id);
      const all = await times(n, () => send(path, { ...body, ...over, ref: 'once' }, key, of));
      expect(tally(all), refusalIn(all)).toEqual(again === 200 ? { 200: n } : { 200: 1, [again]: n - 1 });
      expect(await entries(client, kind)).toBe(was + 1);
      expect(all.filter((a) => a.status === 200 && !a.replayed)).toHaveLength(1);
      expect(new Set(all.map((a) => `${a.status} ${a.text}`)).size).toBe(again === 200 ? 1 : 2);
    },
  );

  it('of a record by its own number make one record, and nobody is refused', async () => {
    const client = await t.makeClient(psp);
    const { path, body } = exampleOf('recordCDR');
    const n = atOnce('recordCDR');
    const all = await times(n, () => send(path, { ...body, cdr_id: 'once' }, client.apiKey));
    expect(tally(all), refusalIn(all)).toEqual({ 200: n });
    expect(await entries(client, 'cdr.recorded')).toBe(1);
  });

  it('of one registration make one client, and everybody is told so', async () => {
    const { path, body } = exampleOf('registerClient');
    const all = await times(atOnce('registerClient'), () =>
      send(path, { ...body, registrationNumber: 'once' }, psp.apiKey),
    );
    expect(all.filter((a) => a.status >= 429)).toEqual([]);
    const [made] = await t.database.admin.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM accounts WHERE registration_number = 'once'",
    );
    expect(made?.n).toBe(1);
  });

  it('and others of other operations on the same ref leave one life of it, and nobody is refused', async () => {
    const client = await t.makeClient(psp);
    const ids = ['verifyTransaction', 'declineTransaction', 'chargeBack', 'deposit'];
    await done('verifyTransaction', { ref: 'mix' }, client.apiKey);
    const all = await times(300, (i) => {
      const { path, body } = exampleOf(ids[i % ids.length] as string);
      return send(path, { ...body, ref: 'mix' }, psp.apiKey, client);
    });
    expect(all.filter((a) => a.status >= 429)).toEqual([]);
    const rows = await t.database.admin.query<{ revision: number }>(
      "SELECT revision FROM transactions WHERE account_id = $1 AND ref = 'mix'",
      [client.uuid],
    );
    expect(rows).toHaveLength(1);
    const written = (await entries(client, 'transaction.created')) + (await entries(client, 'transaction.updated'));
    expect(rows[0]?.revision).toBeLessThanOrEqual(written);
    await expectJournalComplete(t);
  });
});

describe('requests at once', () => {
  it('of 100 different bodies with one ref are 100 revisions of one record', async () => {
    const client = await t.makeClient(psp);
    const all = await times(100, (i) =>
      send('/v1/transaction/verifyTransaction', sale('revised', 20 + i), client.apiKey),
    );
    expect(tally(all), refusalIn(all)).toEqual({ 200: 100 });
    const [row] = await t.database.admin.query('SELECT revision FROM transactions WHERE account_id = $1', [
      client.uuid,
    ]);
    expect(row?.revision).toBe(100);
  });

  it('a thousand different ones are all answered, and once more, and so are as many keys used for the first time', async () => {
    const client = await t.makeClient(psp);
    for (const round of ['a', 'b']) {
      const all = await times(1000, (i) =>
        send('/v1/transaction/verifyTransaction', sale(`${round}-${i}`, 20), client.apiKey),
      );
      expect(tally(all), refusalIn(all)).toEqual({ 200: 1000 });
    }
    expect(await entries(client, 'transaction.created')).toBe(2000);
    const keys: string[] = [];
    while (keys.length < 200)
      keys.push(...(await Promise.all(Array.from({ length: 20 }, () => t.makeClient(psp)))).map((c) => c.apiKey));
    const all = await times(1000, (i) =>
      send('/v1/transaction/verifyTransaction', sale(`k-${i}`, 20), keys[i % keys.length] as string),
    );
    expect(tally(all), refusalIn(all)).toEqual({ 200: 1000 });
  });

  it('are all answered where the database stands still for 450 ms, ten times', async () => {
    const client = await t.makeClient(psp);
    for (let stall = 0; stall < 10; stall++) {
      const standing = t.database.admin.withClient(async (c) => {
        // Not one table after the other, holding some while it waits: whoever has them in another order would be a deadlock.
        await until('all tables are locked at once', async () => {
          await c.query('BEGIN');
          return await c
            .query('LOCK TABLE accounts, api_keys, refs, journal IN ACCESS EXCLUSIVE MODE NOWAIT')
            .then(() => true)
            .catch(() => c.query('ROLLBACK').then(() => false));
        });
        await c.query('SELECT pg_sleep(0.45)');
        await c.query('ROLLBACK');
      });
      const all = await times(60, (i) =>
        send('/v1/transaction/verifyTransaction', sale(`s-${stall}-${i}`, 20), client.apiKey),
      );
      await standing;
      expect(tally(all), refusalIn(all)).toEqual({ 200: 60 });
    }
    expect(await entries(client, 'transaction.created')).toBe(600);
  });
});
