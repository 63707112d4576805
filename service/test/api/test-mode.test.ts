// Test mode: keys whose records are separate from live ones, and refs that force each outcome. A live key reaches none
// of it.

import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { entryCount, rowCount } from '../support/journal.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let live: Account;
/** Key of the PSP's account for tests, and that account. */
let test: { apiKey: string; clientId: string; keyId: string };
let n = 0;

const issue = async (account: string, body: object = {}) =>
  t.post(`/v1/admin/account/${account}/key`, { name: 'integration', mode: 'test', ...body }, operator.apiKey);
const ref = (prefix: string) => `${prefix}${++n}`;
const example = (id: string) => operations.find((o) => o.id === id) as (typeof operations)[number];
/** The operations that take a ref of the caller's for something new, as their examples call them. */
const submissions = [
  'verifyTransaction',
  'cryptoDeposit',
  'cryptoWithdrawal',
  'deposit',
  'withdrawal',
  'submitBasket',
  'captureWager',
  'capturePayout',
];
const decided = submissions.slice(0, 5);
const submit = (id: string, r: string, key: string, more: object = {}, init?: RequestInit) => {
  const { path, example: body } = example(id);
  const whole = { ...(body as object), ref: r, ...more };
  return init
    ? t.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify(whole),
        ...init,
      })
    : t.post(path, whole, key);
};
const verify = (r: string, key: string, init?: RequestInit) => submit('verifyTransaction', r, key, {}, init);
const transactions = async (key: string) => contentOf(await t.get('/v1/transaction?limit=200', key)).items;

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp('Marina Pay', 'KE');
  live = await t.makeClient(psp);
  test = contentOf(await issue(psp.id));
  for (const key of [psp.apiKey, test.apiKey]) contentOf(await submit('captureWager', 'bet-1001', key));
});
afterAll(() => t?.stop());

describe('a test key', () => {
  it('says of itself what it is, and belongs to an account for tests that names the live one', async () => {
    expect(test).toMatchObject({ apiKey: expect.stringMatching(/^asytest_/), mode: 'test' });
    expect(test.clientId).not.toBe(psp.id);
    const shown = contentOf(await t.get('/v1/client/verifyClientStatus', test.apiKey));
    expect(shown).toMatchObject({ clientId: test.clientId, registeredName: 'Marina Pay', acceptable: true });
    expect(contentOf(await issue(psp.id, { mode: 'live' }))).toMatchObject({ mode: 'live', clientId: psp.id });
  });

  it('of the same account is one of the same account for tests, also when asked for at the same moment', async () => {
    const other = await t.makePsp('Sahel Pay');
    const made = await Promise.all([1, 2, 3, 4].map(async () => contentOf(await issue(other.id))));
    expect(new Set(made.map((k) => k.clientId)).size).toBe(1);
    expect(new Set(made.map((k) => k.keyId)).size).toBe(4);
    expect(contentOf(await issue(made[0].clientId)).clientId).toBe(made[0].clientId);
  });

  it('of a client is one of its account for tests under that of its PSP', async () => {
    const key = contentOf(await issue(live.id));
    expect(key.clientId).not.toBe(live.id);
    const shown = contentOf(await t.get(`/v1/client/${key.clientId}`, test.apiKey));
    expect(shown).toMatchObject({ test: true, testOf: live.id, classification: 'ECOMM_LOCAL', countryCode: 'NG' });
    const r = await verify(ref('order-'), key.apiKey);
    expect(contentOf(r).status).toBe('APPROVED');
    expect((await transactions(key.apiKey)).map((x: { clientId: string }) => x.clientId)).toEqual([key.clientId]);
  });

  it('gives no live key, and says so to whoever asks for one', async () => {
    const why = /^the field 'mode' cannot be 'live' for an account for tests; ask with a key of the live account/;
    const own = await t.post('/v1/key', { name: 'till', mode: 'live' }, test.apiKey);
    expectRefusal(own, 400, 'FIELD_INVALID', why);
    expectRefusal(await issue(test.clientId, { mode: 'live' }), 400, 'FIELD_INVALID', why);
    expect(contentOf(await t.post('/v1/key', { name: 'till' }, test.apiKey)).mode).toBe('test');
  });

  it('is had for PSPs and clients only, and by staff only', async () => {
    expectRefusal(await issue(operator.id), 400, 'FIELD_INVALID', "the field 'mode' cannot be 'test' for an operator");
    const own = await t.post(`/v1/admin/account/${psp.id}/key`, { name: 'x', mode: 'test' }, psp.apiKey);
    expectRefusal(own, 403, 'AUDIENCE');
  });

  it('is refused where its prefix is changed, in either direction, and is never taken in an address', async () => {
    const renamed = (key: string, prefix: string) => {
      const [, id, ...rest] = key.split('_');
      const secret = rest.slice(0, -1).join('_');
      const sum = crc32(`${prefix}_${id}_${secret}`).toString(16).padStart(8, '0');
      return `${prefix}_${id}_${secret}_${sum}`;
    };
    for (const key of [renamed(test.apiKey, 'asy'), renamed(psp.apiKey, 'asytest')])
      expectRefusal(await t.get('/v1/client/verifyClientStatus', key), 401, 'KEY_INVALID');
    expect((await t.get('/v1/client/verifyClientStatus', renamed(test.apiKey, 'asytest'))).status).toBe(200);
    expectRefusal(await t.get(`/v1/transaction?ref=${test.apiKey}`, test.apiKey), 400, 'KEY_IN_URL');
  });

  it('is answered with x-assay-mode: test, refusals too; a live key never is', async () => {
    const mode = async (key: string, path = '/v1/transaction') => (await t.get(path, key)).headers.get('x-assay-mode');
    expect(await mode(test.apiKey)).toBe('test');
    expect(await mode(test.apiKey, '/v1/transaction/verifyTransactionStatus?transactionId=x')).toBe('test');
    expect(await mode(test.apiKey, '/v1/admin/account')).toBe('test');
    expect(await mode(psp.apiKey)).toBeNull();
  });
});

describe('what is recorded with a test key', () => {
  it('is not seen, found, changed or taken for a repetition with the live key, nor the other way round', async () => {
    const r = ref('order-');
    const [one, two] = [contentOf(await verify(r, test.apiKey)), contentOf(await verify(r, psp.apiKey))];
    expect(one.transactionId).not.toBe(two.transactionId);
    for (const [key, own, foreign] of [
      [test.apiKey, one, two],
      [psp.apiKey, two, one],
    ] as const) {
      const ids = (await transactions(key)).map((x: { transactionId: string }) => x.transactionId);
      expect([ids.includes(own.transactionId), ids.includes(foreign.transactionId)]).toEqual([true, false]);
      const path = `/v1/transaction/verifyTransactionStatus?transactionId=${foreign.transactionId}`;
      expectRefusal(await t.get(path, key), 404, 'NOT_FOUND');
    }
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: r }, test.apiKey));
    const after = (await transactions(psp.apiKey)).find((x: { ref: string }) => x.ref === r);
    expect([after.status, after.chargeback]).toEqual(['APPROVED', null]);
  });

  it('includes clients: one registered with it has test keys and is not among the live ones', async () => {
    const client = await t.makeClient({ ...psp, apiKey: test.apiKey }, { registrationNumber: 'RC-1' });
    expect(client.apiKey).toMatch(/^asytest_/);
    expect(contentOf(await verify(ref('decline-'), client.apiKey)).status).toBe('DECLINED');
    expectRefusal(await t.get(`/v1/client/${client.id}`, psp.apiKey), 404, 'NOT_FOUND');
    const lists = await Promise.all([psp.apiKey, test.apiKey].map((key) => t.get('/v1/client', key)));
    const [mine, tests] = lists.map((l) => contentOf(l).items as { clientId: string; test?: true }[]);
    expect(mine?.map((c) => [c.clientId, c.test])).toEqual([[live.id, undefined]]);
    expect(tests?.find((c) => c.clientId === client.id)).toMatchObject({ test: true });
    const rotated = await t.post(`/v1/admin/account/${client.id}/key`, { name: 'second' }, operator.apiKey);
    expect(contentOf(rotated)).toMatchObject({ mode: 'test', apiKey: expect.stringMatching(/^asytest_/) });
  });

  it('is marked in the lists of staff, who can ask for either', async () => {
    const list = async (query: string) =>
      contentOf(await t.get(`/v1/admin/account?limit=200${query}`, operator.apiKey)).items as {
        clientId: string;
        test?: true;
        testOf?: string;
      }[];
    const all = await list('');
    expect(all.find((a) => a.clientId === test.clientId)).toMatchObject({ test: true, testOf: psp.id });
    expect(all.find((a) => a.clientId === psp.id)).not.toHaveProperty('test');
    const [lives, tests] = [await list('&mode=live'), await list('&mode=test')];
    expect(lives.some((a) => a.test)).toBe(false);
    expect(tests.every((a) => a.test)).toBe(true);
    expect([...lives, ...tests].map((a) => a.clientId).sort()).toEqual(all.map((a) => a.clientId).sort());
  });

  it("is priced as the live PSP's transactions are", async () => {
    const fee = {
      feeId: 'MARINA-VERIFY',
      pspId: psp.id,
      operations: ['verifyTransaction'],
      percent: '0.05',
      validFrom: '2026-01-01',
      reason: 'agreed',
    };
    contentOf(await t.post('/v1/admin/fee', fee, operator.apiKey));
    const r = ref('order-');
    const [one, two] = [contentOf(await verify(r, test.apiKey)), contentOf(await verify(r, psp.apiKey))];
    expect({ ...one, transactionId: '' }).toEqual({ ...two, transactionId: '' });
  });

  it('is left alone by what staff do to the live account', async () => {
    const [own, tests] = [await t.makePsp('Kilima Pay'), 'asytest'];
    const key = contentOf(await issue(own.id)).apiKey;
    expect(key.startsWith(tests)).toBe(true);
    const suspend = { operationalStanding: 'SUSPENDED', reason: 'licence lapsed' };
    contentOf(await t.post(`/v1/admin/account/${own.id}/standing`, suspend, operator.apiKey));
    expect(contentOf(await verify(ref('order-'), own.apiKey)).status).toBe('DECLINED');
    expect(contentOf(await verify(ref('order-'), key)).status).toBe('APPROVED');
  });
});

describe('a ref of a test key', () => {
  it.each(decided)('that begins with decline- makes of %s a recorded decline with its reason', async (id) => {
    for (const prefix of ['decline-', 'slow-1-decline-']) {
      const r = ref(prefix);
      const answer = contentOf(await submit(id, r, test.apiKey));
      expect(answer.status).toBe('DECLINED');
      const held = (await transactions(test.apiKey)).find((x: { ref: string }) => x.ref === r);
      expect(held).toMatchObject({ status: 'DECLINED', reason: "test mode: the ref begins with 'decline-'" });
      const again = await submit(id, r, test.apiKey);
      expect(contentOf(again)).toEqual(answer);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    }
  });

  it.each(submissions)('forces each error of %s, and nothing is recorded', async (id) => {
    const rows = await Promise.all(['transactions', 'baskets', 'wagers', 'payouts'].map((x) => rowCount(t, x)));
    const entries = await entryCount(t);
    const errors = t.logged.filter((l) => l.includes('"level":50')).length;
    for (const [prefix, status, code, retry] of [
      ['error-429-', 429, 'RATE_LIMITED', '1'],
      ['error-500-', 500, 'INTERNAL', null],
      ['error-503-', 503, 'OVERLOADED', '1'],
      ['slow-1-error-503-', 503, 'OVERLOADED', '1'],
    ] as const) {
      const r = await submit(id, ref(prefix), test.apiKey);
      expectRefusal(r, status, code);
      expect([r.headers.get('retry-after'), r.headers.get('x-assay-mode')]).toEqual([retry, 'test']);
    }
    expectRefusal(await submit(id, ref('error-418-'), test.apiKey), 400, 'FIELD_INVALID', /429, 500, 503/);
    expectRefusal(await submit(id, ref('slow-30001-'), test.apiKey), 400, 'FIELD_INVALID', /at most 30000/);
    expect(await entryCount(t)).toBe(entries);
    expect(await Promise.all(['transactions', 'baskets', 'wagers', 'payouts'].map((x) => rowCount(t, x)))).toEqual(
      rows,
    );
    expect(t.logged.filter((l) => l.includes('"level":50')).length).toBe(errors);
  });

  it.each(submissions)(
    'that begins with slow- has %s recorded first and the answer held back, a repeat not',
    async (id) => {
      const r = ref('slow-30000-');
      const entries = await entryCount(t);
      const patience = new AbortController();
      const held = submit(id, r, test.apiKey, {}, { signal: patience.signal }).then(
        () => 'answered',
        () => 'gave up',
      );
      // What is recorded is seen before the answer is there; asked again it comes at once, as a repetition.
      await expect.poll(() => entryCount(t), { timeout: 120_000 }).toBeGreaterThan(entries);
      const again = await submit(id, r, test.apiKey);
      contentOf(again);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      patience.abort();
      expect(await held).toBe('gave up');
    },
  );

  it('is counted apart where it made a call fail or wait, and said of the refusal in the log', async () => {
    const counted = async (route: string, status: number) => {
      const series = `assay_http_request_seconds_count{route="${route}",method="POST",status="${status}"} `;
      const { text } = await t.get('/metrics');
      return Number(
        text
          .split('\n')
          .find((l) => l.startsWith(series))
          ?.slice(series.length) ?? 0,
      );
    };
    const { path } = example('verifyTransaction');
    const all = () =>
      Promise.all([counted(path, 200), counted('forced', 200), counted(path, 503), counted('forced', 503)]);
    const before = await all();
    const slow = ref('slow-1-');
    contentOf(await verify(slow, test.apiKey));
    contentOf(await verify(slow, test.apiKey));
    contentOf(await verify(ref('decline-'), test.apiKey));
    const { headers } = await verify(ref('error-503-'), test.apiKey);
    // The repeat and the decline were answered at once, as a live key's are.
    expect((await all()).map((n, i) => n - (before[i] as number))).toEqual([2, 1, 0, 1]);
    const lineOf = (id: unknown) => JSON.parse(t.logged.find((l) => l.includes(`"${id}"`)) as string);
    expect(lineOf(headers.get('x-request-id'))).toMatchObject({ status: 503, code: 'OVERLOADED', forced: true });
    const real = await t.post(path, { ref: 'error-503-1' }, test.apiKey);
    expect(lineOf(real.headers.get('x-request-id'))).not.toHaveProperty('forced');
  });

  it('is read after the body was: what is malformed is said first', async () => {
    const r = await t.post(example('verifyTransaction').path, { ref: 'error-503-1' }, test.apiKey);
    expectRefusal(r, 400, 'FIELD_REQUIRED', "the field 'totalAmount' is required");
  });
});

describe('a ref of a live key', () => {
  it.each(submissions)('forces nothing of %s, whatever it begins with', async (id) => {
    for (const prefix of [
      'decline-',
      'error-500-',
      'error-503-',
      'error-429-',
      'error-418-',
      'slow-30000-',
      'slow-30001-',
    ]) {
      const r = ref(prefix);
      const answer = await submit(id, r, psp.apiKey);
      const content = contentOf(answer);
      expect(answer.headers.get('x-assay-mode')).toBeNull();
      if (decided.includes(id)) expect([prefix, content.status]).toEqual([prefix, 'APPROVED']);
    }
  });
});

describe('stopping the service', () => {
  it('answers those who wait for a slow reply, and waits for none of them', async () => {
    const own = await makeTestApp();
    try {
      const [staff, pay] = [await own.makeOperator(), await own.makePsp()];
      const key = await own.post(`/v1/admin/account/${pay.id}/key`, { name: 'x', mode: 'test' }, staff.apiKey);
      const before = await entryCount(own);
      const slow = own.post(
        example('verifyTransaction').path,
        { ...(example('verifyTransaction').example as object), ref: 'slow-30000-1' },
        contentOf(key).apiKey,
      );
      await expect.poll(() => entryCount(own), { timeout: 120_000 }).toBeGreaterThan(before);
      const patience = new AbortController();
      const gone = own.raw('/captureWager', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': contentOf(key).apiKey },
        body: JSON.stringify({ ...(example('captureWager').example as object), ref: 'slow-30000-2' }),
        signal: patience.signal,
      });
      await expect.poll(() => rowCount(own, 'wagers'), { timeout: 120_000 }).toBe(1);
      patience.abort();
      await expect(gone).rejects.toThrow('aborted');
      const stopped = own.app.stop();
      expect(contentOf(await slow).status).toBe('APPROVED');
      await stopped;
    } finally {
      await own.database.drop();
    }
  });
});
