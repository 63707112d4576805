// The log of requests: whoever integrates finds what was called and why it was refused, and nobody finds what was sent. It is
// bounded for each PSP, apart from what is decided, and goes after its time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldNamed } from '../../src/adapters/http/noted-requests.ts';
import { operations } from '../../src/adapters/http/operations.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { clearPast } from '../../src/modules/subjects/retention.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp } from '../support/app.ts';
import { expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let sibling: Account;
let stranger: Account;
let operator: Account;
let refs = 0;
const path = '/v1/request';
const reading = '/v1/transaction?limit=1';
const minute = 60_000;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  sibling = await t.makeClient(psp);
  stranger = await t.makePsp();
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

interface Row {
  readonly requestId: string | null;
  readonly requests: number;
  readonly [name: string]: unknown;
}

const verifyPath = '/v1/transaction/verifyTransaction';
const order = (over: Record<string, unknown> = {}) => ({
  ref: `logged-${++refs}`,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
  ...over,
});
const verify = (key: string, over = {}, headers = {}, app = t) => app.post(verifyPath, order(over), key, headers);
const keyIdOf = ({ apiKey }: { apiKey: string }) => `key_${apiKey.split('_')[1]}`;
const idOf = (answer: { headers: Headers }) => answer.headers.get('x-request-id') as string;
const rows = async (key: string, query = '', headers = {}, app = t): Promise<Row[]> => {
  const answer = await app.get(`${path}?limit=200${query}`, key, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.content.items;
};
const logged = (id: string, app = t) =>
  until(
    'the request is logged',
    async () => (await app.database.admin.query('SELECT 1 FROM request_log WHERE id = $1', [id])).length === 1,
  );
/** The id of an answer, once its request is logged. */
const loggedId = async (answer: { headers: Headers }, app = t): Promise<string> => {
  await logged(idOf(answer), app);
  return idOf(answer);
};

describe('a request', () => {
  it('is found with what a refusal named, when, by which key, and nothing of what was sent', async () => {
    const body = {
      ref: 'order-1042',
      totalAmount: '107,50',
      customer: { email: 'jane.roe@example.com', name: 'Jane Roe' },
    };
    const refused = await verify(client.apiKey, body);
    expectRefusal(refused, 400, 'FIELD_INVALID');
    const requestId = await loggedId(refused);
    const [row] = await rows(psp.apiKey, '&code=FIELD_INVALID&outcome=REFUSED');
    expect(row).toEqual({
      requestId,
      at: new Date(t.now()).toISOString(),
      requests: 1,
      keyId: keyIdOf(client),
      keyName: 'first key',
      clientId: client.id,
      method: 'POST',
      route: verifyPath,
      status: 400,
      code: 'FIELD_INVALID',
      meaning: 'A field has the wrong type, form or range.',
      field: 'totalAmount',
      ref: 'order-1042',
      ms: expect.any(Number),
    });
    const [inFrench] = await rows(psp.apiKey, `&requestId=${requestId}`, { 'accept-language': 'fr' });
    expect(inFrench?.meaning).toBe('Un champ a un type, une forme ou une valeur qui ne convient pas.');
    const [stored] = await t.database.admin.query('SELECT r::text AS text FROM request_log r WHERE id = $1', [
      requestId,
    ]);
    for (const part of ['jane', 'Jane', '107,50', client.apiKey.split('_').slice(2, -1).join('_'), '127.0.0.1'])
      expect(stored?.text).not.toContain(part);
  });

  it('that was answered, not found, malformed, forbidden or not permitted is found as well', async () => {
    const readOnly = (await t.post('/v1/key', { name: 'reads', scopes: ['read'] }, psp.apiKey)).body.content;
    const made = [
      [await verify(client.apiKey), 200, null, verifyPath],
      [await t.get('/v1/client/cli_00000000000000000000000000', psp.apiKey), 404, 'NOT_FOUND', '/v1/client/:clientId'],
      [await t.post(verifyPath, '{"ref":', psp.apiKey), 400, 'BODY_MALFORMED', verifyPath],
      [await t.get('/v1/admin/account', psp.apiKey), 403, 'AUDIENCE', '/v1/admin/account'],
      [await verify(readOnly.apiKey), 403, 'SCOPE', verifyPath],
      [await t.get(`${path}?page=2`, psp.apiKey), 400, 'QUERY_INVALID', path],
    ] as const;
    for (const [answer, status, code, route] of made) {
      expect(answer.status).toBe(status);
      const [row] = await rows(psp.apiKey, `&requestId=${await loggedId(answer)}`);
      expect(row).toMatchObject({ status, code, route, requests: 1 });
    }
  });

  it('is filtered by status, key, route, method, ref and time, paged, counted and written to a file', async () => {
    t.advance(minute);
    const from = new Date(t.now()).toISOString();
    const first = await loggedId(await verify(client.apiKey, { ref: 'only-this' }));
    await loggedId(await verify(sibling.apiKey, { currency: 'NON' }));
    const last = await loggedId(await t.get(reading, sibling.apiKey));
    t.advance(minute);
    const to = new Date(t.now()).toISOString();
    const found = async (query: string) =>
      (await rows(psp.apiKey, `&from=${from}&to=${to}${query}`)).filter((r) => r.route !== path);
    expect((await found('')).map((r) => r.status)).toEqual([200, 400, 200]);
    expect((await found('&ref=only-this')).map((r) => r.requestId)).toEqual([first]);
    expect((await found('&method=GET')).map((r) => r.requestId)).toEqual([last]);
    expect((await found(`&route=${verifyPath}`)).length).toBe(2);
    expect((await found('&status=400')).map((r) => r.code)).toEqual(['UNKNOWN_CURRENCY']);
    expect((await found('&outcome=ANSWERED')).length).toBe(2);
    expect((await found(`&keyId=${keyIdOf(sibling)}`)).length).toBe(2);
    expect((await found(`&clientId=${client.id}`)).map((r) => r.requestId)).toEqual([first]);
    const page = (await t.get(`${path}?limit=2&from=${from}&to=${to}&count=true`, psp.apiKey)).body.content;
    expect(page.items.length).toBe(2);
    expect(page.total.rows).toBeGreaterThanOrEqual(3);
    const next = (await t.get(`${path}?limit=2&from=${from}&to=${to}&cursor=${page.nextCursor}`, psp.apiKey)).body
      .content;
    expect(next.items[0].requestId < page.items[1].requestId).toBe(true);
    const file = await t.get(`${path}?from=${from}&to=${to}`, psp.apiKey, { accept: 'text/csv' });
    expect(file.headers.get('content-type')).toContain('text/csv');
    expect(file.text).toContain('UNKNOWN_CURRENCY');
    for (const query of ['requestId=abc', 'cursor=txn_1', 'status=9', 'outcome=LOST'])
      expectRefusal(await t.get(`${path}?${query}`, psp.apiKey), 400, 'QUERY_INVALID');
    expectRefusal(await t.get(`${path}?keyId=key_1`, psp.apiKey), 404, 'NOT_FOUND');
  });

  it('is found by the search with the id of its answer', async () => {
    const requestId = await loggedId(await verify(client.apiKey, { currency: 'NON' }));
    const search = async (key: string, q: string) => (await t.post('/v1/search', { q }, key)).body.content.items;
    for (const key of [psp.apiKey, client.apiKey, operator.apiKey])
      expect(await search(key, ` ${requestId.toUpperCase()} `)).toMatchObject([
        {
          kind: 'request',
          id: requestId,
          title: `POST ${verifyPath}`,
          status: 'UNKNOWN_CURRENCY',
          clientId: client.id,
        },
      ]);
    for (const key of [stranger.apiKey, sibling.apiKey]) expect(await search(key, requestId)).toEqual([]);
  });

  it('names a field only as far as the operation declares it', () => {
    const named = (id: string, sentence: string) =>
      fieldNamed(operations.find((o) => o.id === id) as Operation, sentence);
    expect(named('submitBasket', "the field 'items[3].price' must be a number, not text")).toBe('items[3].price');
    expect(named('verifyTransaction', "the field 'paymentMethods.jane@example.com' must be zero or more")).toBe(
      'paymentMethods',
    );
    expect(named('verifyTransaction', "the field 'jane@example.com' is required")).toBeUndefined();
    expect(named('listRequests', "the query parameter 'status' must be a whole number")).toBe('status');
    expect(named('listRequests', "there is no query parameter 'jane'; this operation has none")).toBeUndefined();
  });
});

describe('the log', () => {
  it('of a client has the calls of its own keys, of a PSP those of all its clients, of staff those of the PSP named', async () => {
    const own = await loggedId(await verify(client.apiKey));
    const byPsp = await loggedId(await verify(psp.apiKey, {}, { 'x-client-id': client.id }));
    const theirs = await loggedId(await verify(sibling.apiKey));
    const others = await loggedId(await t.get(reading, stranger.apiKey));
    const seen = async (key: string, headers = {}) => (await rows(key, '', headers)).map((r) => r.requestId);
    const ids = [own, byPsp, theirs, others];
    const see = async (key: string, headers = {}) => {
      const all = await seen(key, headers);
      return ids.filter((id) => all.includes(id));
    };
    expect(await see(client.apiKey)).toEqual([own]);
    expect(await see(psp.apiKey)).toEqual([own, byPsp, theirs]);
    expect(await see(psp.apiKey, { 'x-client-id': client.id })).toEqual([own, byPsp]);
    expect(await see(stranger.apiKey)).toEqual([others]);
    expect(await see(operator.apiKey, { 'x-psp-id': psp.id })).toEqual([own, byPsp, theirs]);
    expectRefusal(await t.get(path, operator.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get(`${path}?clientId=${sibling.id}`, client.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get(`${path}?clientId=${client.id}`, stranger.apiKey), 404, 'NOT_FOUND');
    expect(await rows(client.apiKey, `&requestId=${theirs}`)).toEqual([]);
    expect(await rows(client.apiKey, `&keyId=${keyIdOf(sibling)}`)).toEqual([]);
  });

  it('has what test keys called apart', async () => {
    const { apiKey } = (await t.post('/v1/key', { name: 'trial', mode: 'test' }, client.apiKey)).body.content;
    const id = await loggedId(await t.get(reading, apiKey));
    for (const by of [psp.apiKey, client.apiKey]) {
      expect((await rows(by)).filter((r) => r.requestId === id)).toEqual([]);
      expect((await rows(by, '&mode=test')).map((r) => r.requestId)).toEqual([id]);
      expect(await rows(by, `&requestId=${id}`)).toMatchObject([{ keyName: 'trial' }]);
      const found = await t.post('/v1/search', { q: id }, by);
      expect(found.body.content.items).toMatchObject([{ kind: 'request', id }]);
    }
    expect((await rows(apiKey)).filter((r) => r.requestId === id)).toHaveLength(1);
    expectRefusal(await t.get(`${path}?mode=test`, stranger.apiKey), 404, 'NOT_FOUND');
  });

  it('has nothing of staff, nor of callers that nobody knows', async () => {
    const answers = [
      await t.get('/v1/transaction', operator.apiKey, { 'x-psp-id': psp.id }),
      await t.get('/v1/transaction'),
      await t.get('/v1/transaction', `${psp.apiKey.slice(0, -8)}00000000`),
    ];
    await loggedId(await t.get('/v1/transaction', psp.apiKey));
    for (const answer of answers)
      expect(await t.database.admin.query('SELECT 1 FROM request_log WHERE id = $1', [idOf(answer)])).toEqual([]);
  });

  it('goes after its days, and not before', async () => {
    const id = await loggedId(await verify(client.apiKey));
    const stays = async () => (await t.database.admin.query('SELECT 1 FROM request_log WHERE id = $1', [id])).length;
    t.advance(7 * 86_400_000);
    await clearPast(t.app.services);
    expect(await stays()).toBe(1);
    t.advance(1000);
    await clearPast(t.app.services);
    expect(await stays()).toBe(0);
  });
});

describe('a flood', () => {
  it('by one key takes no room of other keys and PSPs, and what is not kept is counted', async () => {
    const f = await makeTestApp({ env: { REQUEST_LOG_PER_MINUTE: '16' } });
    try {
      const [house, other] = [await f.makePsp(), await f.makePsp()];
      const [loud, quiet] = [await f.makeClient(house), await f.makeClient(house)];
      f.advance(minute);
      for (let i = 0; i < 30; i++) {
        await f.get(reading, loud.apiKey);
        await verify(loud.apiKey, { currency: 'NON' }, {}, f);
      }
      const kept = [
        await loggedId(await f.get(reading, quiet.apiKey), f),
        await loggedId(await verify(quiet.apiKey, { currency: 'NON' }, {}, f), f),
        await loggedId(await f.get(reading, other.apiKey), f),
      ];
      f.advance(minute);
      await until('the rest is written', async () => {
        const [rest] = await f.database.admin.query('SELECT count(*)::int AS n FROM request_log WHERE NOT single');
        return rest?.n === 2;
      });
      const ofLoud = (await rows(house.apiKey, `&keyId=${keyIdOf(loud)}`, {}, f)).map((r) => [
        r.status,
        r.requestId === null,
        r.requests,
      ]);
      const single = (status: number) => ofLoud.filter(([s, several]) => s === status && !several).length;
      expect([single(200), single(400)]).toEqual([4, 4]);
      expect(ofLoud.filter(([, several]) => several)).toEqual(
        expect.arrayContaining([
          [200, true, 26],
          [400, true, 26],
        ]),
      );
      expect((await rows(house.apiKey, `&keyId=${keyIdOf(quiet)}`, {}, f)).map((r) => r.requestId)).toEqual(
        kept.slice(0, 2).toReversed(),
      );
      expect((await rows(other.apiKey, '&method=GET', {}, f)).map((r) => r.requestId)).toContain(kept[2]);
    } finally {
      await f.stop();
    }
  });

  it('at several processes is kept within the bound of one, and all of it is counted', async () => {
    const database = await makeDatabase();
    const env = { REQUEST_LOG_PER_MINUTE: '16', ASSAY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
    const apps = [await makeTestApp({ database, env }), await makeTestApp({ database, env })] as const;
    try {
      const house = await apps[0].makePsp();
      const loud = await apps[0].makeClient(house);
      const quiet = await apps[0].makeClient(house);
      for (const f of apps) f.advance(minute);
      for (const { apiKey } of [loud, quiet, house])
        await Promise.all(
          apps.map(async (f) => {
            for (let i = 0; i < 10; i++) await f.get(reading, apiKey);
          }),
        );
      for (const f of apps) f.advance(minute);
      const counted = () =>
        database.admin.query<{ key: string; single: boolean; requests: number }>(
          `SELECT key_id AS key, single, sum(requests)::int AS requests FROM request_log
           WHERE psp_id = $1 AND route = '/v1/transaction' GROUP BY 1, 2 ORDER BY 1, 2`,
          [house.uuid],
        );
      await until('all are written', async () => {
        const all = (await counted()).reduce((sum, r) => sum + r.requests, 0);
        return all === 60;
      });
      const singles = (await counted()).filter((r) => r.single);
      expect(singles.reduce((sum, r) => sum + r.requests, 0)).toBeLessThanOrEqual(8);
      expect(Math.max(...singles.map((r) => r.requests))).toBe(4);
    } finally {
      for (const f of apps) await f.stop();
      await database.drop();
    }
  });

  it('that the database cannot take waits within bounds, and what is dropped is measured', async () => {
    const f = await makeTestApp({ env: { REQUEST_LOG_PER_MINUTE: '4' } });
    const dropped = async () =>
      Number(/^assay_request_log_dropped_total (\d+)/m.exec((await f.get('/metrics')).text)?.[1]);
    try {
      const house = await f.makePsp();
      const { admin } = f.database;
      await loggedId(await f.get(reading, house.apiKey), f);
      expect(await dropped()).toBe(0);
      await admin.query('ALTER TABLE request_log RENAME TO away');
      // One of each kind a minute, of which 160 may wait.
      for (let i = 0; i < 100; i++) {
        f.advance(minute);
        expect((await f.get(reading, house.apiKey)).status).toBe(200);
        expect((await f.get('/v1/client/none', house.apiKey)).status).toBe(404);
      }
      await until('some are dropped', async () => (await dropped()) > 0);
      await until('writing was tried', () => f.logged.some((line) => line.includes('requests not logged yet')));
      await admin.query('ALTER TABLE away RENAME TO request_log');
      const last = await f.get(reading, house.apiKey);
      await until('the others are written', async () => {
        const [n] = await admin.query('SELECT count(*)::int AS n FROM request_log');
        return (n?.n as number) > 160;
      });
      expect(last.status).toBe(200);
    } finally {
      await f.stop();
    }
  });

  it('is not logged where no days are set', async () => {
    const database = await makeDatabase();
    const f = await makeTestApp({ database, env: { REQUEST_LOG_DAYS: '0' } });
    const house = await f.makePsp();
    await f.get(reading, house.apiKey);
    expect(await rows(house.apiKey, '', {}, f)).toEqual([]);
    // What waits is written when the service stops.
    await f.stop();
    expect(await database.admin.query('SELECT 1 FROM request_log')).toEqual([]);
    await database.drop();
  });
});
