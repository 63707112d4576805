// What lists can be asked: how many rows there are, in which order, which accounts may not trade for now, why transactions
// were declined, and which keys nobody uses (0156).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { countRows, mostCounted } from '../../src/modules/kernel/counting.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, placeHold, setStanding } from '../support/guarantees.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let shop: Account;
let barred: Account;
let n = 0;

const sale = (key: string, over: Record<string, unknown> = {}) => {
  const totalAmount = (over.totalAmount as number | undefined) ?? 100;
  const body = { ref: `q-${++n}`, currency: 'NGN', countryCode: 'NG', paymentMethods: { card: totalAmount } };
  return t.post('/v1/transaction/verifyTransaction', { ...body, transactionFee: 0, ...over, totalAmount }, key);
};
const amounts = [50, 1_000_000.01, 300, 1_000_000, 300, 7];

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
  [shop, barred] = await Promise.all([t.makeClient(psp), t.makeClient(psp)]);
  for (const totalAmount of amounts) contentOf(await sale(shop.apiKey, { totalAmount }));
  contentOf(await sale(shop.apiKey, { totalAmount: 20, currency: 'KES', countryCode: 'KE' }));
});
afterAll(() => t.stop());

const list = async (query: string, key = psp.apiKey, path = '/v1/transaction') =>
  contentOf(await t.get(`${path}?${query}`, key));

describe('a currency to look for', () => {
  it('is taken in any case, and refused where it can be none, instead of finding nothing', async () => {
    expect((await list('count=true&currency=kes')).total.rows).toBe(1);
    for (const path of ['/v1/transaction', '/v1/wager', '/v1/settlement/outstanding'])
      for (const currency of ['[]', 'N.N', '%20NGN', '%E2%82%A6'])
        expectRefusal(await t.get(`${path}?currency=${currency}`, psp.apiKey), 400, 'QUERY_INVALID', /'currency'/);
  });
});

describe('the number of rows', () => {
  it('is that of the filters, whatever the page', async () => {
    const first = await list('count=true&currency=NGN&limit=2');
    expect([first.items.length, first.total]).toEqual([2, { rows: 6, more: false }]);
    const second = await list(`count=true&currency=NGN&limit=2&cursor=${first.nextCursor}`);
    expect(second.total).toEqual({ rows: 6, more: false });
    expect((await list('count=true&amountFrom=1000000')).total.rows).toBe(2);
    expect((await list('count=true&ref=none')).total).toEqual({ rows: 0, more: false });
    expect((await list('limit=2')).total).toBeUndefined();
  });

  it('counts nothing of another client or PSP', async () => {
    expect((await list('count=true', barred.apiKey)).total.rows).toBe(0);
    expect((await list('count=true', (await t.makePsp()).apiKey)).total.rows).toBe(0);
  });

  it('is that of the JSON, for every list that counts', async () => {
    const counting = operations.filter((o) => 'count' in (o.query?.properties ?? {}) && !o.path.includes(':'));
    expect(counting.length).toBeGreaterThan(9);
    const view = { name: 'Revenue Authority', countryCode: 'NG', dayFrom: '2026-01-01', until: '2099-12-31T00:00:00Z' };
    const authority = contentOf(await t.post('/v1/admin/authority', { ...view, reason: 'audit' }, operator.apiKey));
    for (const o of counting) {
      const key = o.audience.includes('psp') ? psp.apiKey : operator.apiKey;
      const whose = 'authorityId' in (o.query?.properties ?? {}) ? `&authorityId=${authority.authorityId}` : '';
      // The log of requests grows meanwhile, a little after each request.
      await expect
        .poll(async () => {
          const { items, nextCursor, total } = await list(`count=true&limit=200${whose}`, key, o.path);
          return [o.id, nextCursor, total.more, total.rows - items.length];
        })
        .toEqual([o.id, null, false, 0]);
    }
  });

  it('stops at its bound, and is not known if it takes too long', async () => {
    const { services } = t.app;
    const many = (rows: number) =>
      countRows(services, (db, limit) =>
        db.query('SELECT 1 AS id FROM generate_series(1, $1::int) LIMIT $2', [rows, limit]),
      );
    expect(await many(mostCounted)).toEqual({ rows: mostCounted, more: false });
    expect(await many(mostCounted + 5)).toEqual({ rows: mostCounted, more: true });
    expect(await countRows(services, (db) => db.query('SELECT pg_sleep(60)'))).toBeUndefined();
  });
});

describe('the order of transactions', () => {
  const amountsBy = async (query: string) => {
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`${query}&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.items.map((i: { totalAmount: number }) => i.totalAmount));
      cursor = page.nextCursor;
    }
    return seen;
  };

  it('is by time, or by amount over all pages, equal amounts included', async () => {
    expect(await amountsBy('currency=NGN')).toEqual([...amounts].reverse());
    expect(await amountsBy('currency=NGN&sort=time')).toEqual(amounts);
    expect(await amountsBy('currency=NGN&sort=amount')).toEqual([7, 50, 300, 300, 1_000_000, 1_000_000.01]);
    expect(await amountsBy('currency=NGN&sort=-amount')).toEqual([1_000_000.01, 1_000_000, 300, 300, 50, 7]);
    expect(await amountsBy('currency=NGN&sort=-amount&dayFrom=2026-11-20&dayTo=2026-11-22')).toEqual(
      await amountsBy('currency=NGN&sort=-amount'),
    );
  });

  it('by amount needs one currency', async () => {
    expectRefusal(await t.get('/v1/transaction?sort=amount', psp.apiKey), 400, 'QUERY_INVALID', /currency/);
    expectRefusal(await t.get('/v1/transaction?sort=size', psp.apiKey), 400, 'QUERY_INVALID');
  });
});

describe('accounts that may not trade for now', () => {
  it('are found in one list over all PSPs: suspended or on a blocking hold', async () => {
    const others = await t.makePsp('Other Pay');
    const [suspended, remarked, closed, later] = (await Promise.all(
      Array.from({ length: 4 }, () => t.makeClient(others, { countryCode: 'KE' })),
    )) as [Account, Account, Account, Account];
    await setStanding(t, suspended, { operationalStanding: 'SUSPENDED' });
    await setStanding(t, closed, { operationalStanding: 'CLOSED' });
    await placeHold(t, barred, {});
    await placeHold(t, remarked, { blocking: false });
    await placeHold(t, later, { from: new Date(t.now() + 86_400_000).toISOString() });
    const ids = async (query: string, key = operator.apiKey, path = '/v1/admin/account') =>
      (await list(query, key, path)).items.map((a: { clientId: string }) => a.clientId).sort();
    expect(await ids('kind=client&restricted=true')).toEqual([suspended.id, barred.id].sort());
    expect(await ids('kind=client&restricted=true&countryCode=ke')).toEqual([suspended.id]);
    expect(await ids('restricted=true', psp.apiKey, '/v1/client')).toEqual([barred.id]);
    expect(
      (await list('kind=client&restricted=true&count=true', operator.apiKey, '/v1/admin/account')).total.rows,
    ).toBe(2);
  });
});

describe('declined transactions', () => {
  it('are found by what they were declined for', async () => {
    const suspended = await t.makeClient(psp);
    await setStanding(t, suspended, { operationalStanding: 'SUSPENDED' });
    const byStanding = contentOf(await sale(suspended.apiKey)).transactionId;
    const byHold = contentOf(await sale(barred.apiKey)).transactionId;
    const taken = contentOf(await sale(shop.apiKey, { ref: 'taken-back' })).transactionId;
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'taken-back' }, shop.apiKey));
    const of = async (cause: string) =>
      (await list(`declinedFor=${cause}`)).items.map((i: { transactionId: string }) => i.transactionId);
    expect(await of('STANDING')).toEqual([byStanding]);
    expect(await of('HOLD')).toEqual([byHold]);
    expect(await of('WITHDRAWN')).toEqual([taken]);
    expect(await of('LEVEL')).toEqual([]);
  });
});

describe('the keys of all accounts', () => {
  /** A key of a PSP, or of its client. */
  const makeKey = async (of: Account, name: string, client?: Account, expiresAt?: string) =>
    contentOf(
      await t.post(
        '/v1/key',
        { name, ...(expiresAt ? { expiresAt } : {}) },
        of.apiKey,
        client ? { 'x-client-id': client.id } : {},
      ),
    );
  const named = async (query: string, key: string) =>
    (await list(query, key, '/v1/key/all')).items.map((k: { name: string }) => k.name);

  it('are those of the PSP and its clients, those unused for 90 days found by one filter', async () => {
    const own = await t.makePsp('Key Pay');
    const client = await t.makeClient(own, { registeredName: 'Key Shop' });
    await makeKey(own, 'old', client);
    t.advance(91 * 86_400_000);
    const fresh = await makeKey(own, 'fresh', client);
    expect((await t.get('/v1/client/verifyClientStatus', fresh.apiKey)).status).toBe(200);
    await t.app.services.keys.flushUse();
    const page = await list('state=WORKING&unusedDays=90', own.apiKey, '/v1/key/all');
    const rows = page.items.map((k: Record<string, unknown>) => [k.name, k.accountId, k.accountName, k.lastUsedAt]);
    expect(rows).toContainEqual(['old', client.id, 'Key Shop', null]);
    expect(rows.map(([name]: string[]) => name)).not.toContain('fresh');
    expect(JSON.stringify(page)).not.toContain('asy_');
    expect(await named('', own.apiKey)).toContain('fresh');
    expect(await named(`clientId=${own.id}`, own.apiKey)).not.toContain('fresh');
  });

  it('are listed over all PSPs for an operator only, and never for a client', async () => {
    const one = await t.makePsp('First Keys');
    await makeKey(one, 'of the first');
    const two = await t.makePsp('Second Keys');
    await makeKey(two, 'of the second');
    expect(await named('limit=200', operator.apiKey)).toEqual(
      expect.arrayContaining(['of the first', 'of the second']),
    );
    expect(await named('', one.apiKey)).not.toContain('of the second');
    expectRefusal(await t.get(`/v1/key/all?clientId=${two.id}`, one.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get('/v1/key/all', shop.apiKey), 403, 'AUDIENCE');
    expect((await list('count=true', operator.apiKey, '/v1/key/all')).total.rows).toBe(
      (await named('limit=200', operator.apiKey)).length,
    );
  });

  it('that ended are told from those that work', async () => {
    const own = await t.makePsp('Ended Keys');
    const soon = new Date(t.now() + 60_000).toISOString();
    const made = await makeKey(own, 'short', undefined, soon);
    contentOf(await t.post(`/v1/key/${made.keyId}/revoke`, { reason: 'not needed' }, own.apiKey));
    await makeKey(own, 'expires', undefined, soon);
    t.advance(120_000);
    expect((await named('state=ENDED', own.apiKey)).sort()).toEqual(['expires', 'short']);
    expect(await named('state=WORKING', own.apiKey)).not.toContain('short');
  });
});
