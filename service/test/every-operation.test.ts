// The rules common to all operations, checked for each: authentication, envelope, errors, sizes and rate limits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/adapters/http/operations.ts';
import { statusOf } from '../src/adapters/http/status.ts';
import { refusalCodes } from '../src/core/refusal.ts';
import type { Operation } from '../src/modules/kernel/operation.ts';
import { type Account, makeTestApp, type TestApp } from './support/app.ts';

const keyed = operations.filter((o) => o.access === undefined);
/** The specification's own operations that take a body. */
const bodied = operations.filter((o) => o.spec !== undefined && o.body !== undefined);

describe('every operation', () => {
  let t: TestApp;
  let psp: Account;
  let client: Account;
  let operator: Account;
  const filled = (o: Operation) => o.path.replace(/:\w+/g, 'x_01h455vb4pex5vsknk084sn02q');
  const call = (o: Operation, key?: string, headers: Record<string, string> = {}) =>
    o.method === 'GET' ? t.get(filled(o), key, headers) : t.post(filled(o), {}, key, headers);

  beforeAll(async () => {
    t = await makeTestApp({ env: { BODY_LIMIT: '2048', BASKET_BODY_LIMIT: '8192' } });
    psp = await t.makePsp();
    [client, operator] = [await t.makeClient(psp), await t.makeOperator()];
  });
  afterAll(() => t.stop());

  // Spec 5.1, 7.1
  it.each(keyed.map((o) => [o.id, o] as const))('%s asks for x-api-key before anything else', async (_id, o) => {
    const r = await call(o);
    expect([r.status, r.headers.get('x-error-code')]).toEqual([401, 'KEY_MISSING']);
    expect(r.body).toEqual({ success: false, message: 'the header x-api-key is required' });
  });

  // A filter that was dropped would answer with more than was asked for.
  it.each(keyed.map((o) => [o.id, o] as const))('%s refuses a query parameter it does not know', async (_id, o) => {
    const [kind] = o.audience;
    const caller = kind === 'operator' ? operator : kind === 'psp' ? psp : client;
    const path = `${filled(o)}?noSuchFilter=1`;
    const r = o.method === 'GET' ? await t.get(path, caller.apiKey) : await t.post(path, {}, caller.apiKey);
    expect([r.status, r.headers.get('x-error-code')], r.text).toEqual([400, 'QUERY_INVALID']);
    expect(r.body.message).toMatch(/^there is no query parameter 'noSuchFilter'; this operation has [\w, ]+$/);
  });

  // Spec 2.1, 9.3
  it('answers success in the envelope, with its request id and version', async () => {
    const r = await t.get('/v1/client/verifyClientStatus', psp.apiKey);
    expect(r.status).toBe(200);
    expect(Object.keys(r.body)).toEqual(['success', 'message', 'content']);
    expect([r.body.success, typeof r.body.message, typeof r.body.content]).toEqual([true, 'string', 'object']);
    expect(r.headers.get('x-api-version')).toMatch(/^1\.\d+$/);
    expect(r.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  // Spec 7.1
  it.each(bodied.map((o) => [o.id, o] as const))(
    '%s names the first missing field exactly as the specification words it',
    async (_id, o) => {
      const r = await t.post(o.path, {}, psp.apiKey);
      const [first] = o.body?.required ?? [];
      expect([r.status, r.text]).toEqual([400, `{"success":false,"message":"the field '${first}' is required"}`]);
      expect(r.headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  // Spec 7.4
  it('says an unknown address, a wrong method and a wrong type apart, by status and code', async () => {
    const said = async (r: ReturnType<TestApp['get']>) => [(await r).status, (await r).headers.get('x-error-code')];
    expect(await said(t.get('/v1/nothing', psp.apiKey))).toEqual([404, 'NO_ROUTE']);
    expect(await said(t.get('/captureWager', psp.apiKey))).toEqual([405, 'METHOD']);
    expect(await said(t.post('/captureWager', '{}', psp.apiKey, { 'content-type': 'text/plain' }))).toEqual([
      415,
      'CONTENT_TYPE',
    ]);
    expect(await said(t.post('/captureWager', '{', psp.apiKey))).toEqual([400, 'BODY_MALFORMED']);
    for (const [kind, meaning] of Object.values(refusalCodes))
      expect([statusOf[kind] >= 400 && statusOf[kind] < 600, meaning.endsWith('.')]).toEqual([true, true]);
  });

  // Spec 8.2
  it('bounds the size of a body, with more room for a basket', async () => {
    const body = (bytes: number) => ({ ref: 'x'.repeat(bytes) });
    const codeOf = async (path: string, bytes: number) =>
      (await t.post(path, body(bytes), psp.apiKey)).headers.get('x-error-code');
    expect(await codeOf('/captureWager', 3000)).toBe('BODY_TOO_LARGE');
    expect(await codeOf('/v1/basket/submitBasket', 3000)).not.toBe('BODY_TOO_LARGE');
    expect(await codeOf('/v1/basket/submitBasket', 9000)).toBe('BODY_TOO_LARGE');
  });
});

// Spec 8.2
describe('the rate of a key', () => {
  it('is bounded: past the burst 429 with Retry-After, another key undisturbed, and time fills it again', async () => {
    const t = await makeTestApp({ env: { RATE_BURST: '3', RATE_PER_SECOND: '1' } });
    try {
      const [one, two] = [await t.makePsp('One'), await t.makePsp('Two')];
      const ask = async (a: Account) => (await t.get('/v1/client/verifyClientStatus', a.apiKey)).status;
      expect([await ask(one), await ask(one), await ask(one)]).toEqual([200, 200, 200]);
      const r = await t.get('/v1/client/verifyClientStatus', one.apiKey);
      expect([r.status, r.headers.get('x-error-code')]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(r.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await ask(two)).toBe(200);
      t.advance(1000);
      expect(await ask(one)).toBe(200);
    } finally {
      await t.stop();
    }
  });
});
