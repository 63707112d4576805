// Requests to an unknown path get a reply that names the path that was probably meant; they are never handled as that
// path.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let client: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

const ask = (method: string, path: string) =>
  t.raw(path, { method, headers: { 'x-api-key': psp.apiKey, 'content-type': 'application/json' } });

describe('an address that is not served', () => {
  it.each<[string, string, string | undefined]>([
    ['POST', '/v1/transaction/verifytransaction', 'POST /v1/transaction/verifyTransaction'],
    ['GET', '/v1/transaction/verifytransactionstatus', 'GET /v1/transaction/verifyTransactionStatus'],
    ['GET', '/v1/transaction/verifyLater', undefined],
    ['POST', '/v1/transaction/verifyTransacton', 'POST /v1/transaction/verifyTransaction'],
    ['POST', '/v1/transaction/verifyTransaction/', 'POST /v1/transaction/verifyTransaction'],
    ['POST', '//v1//transaction/verifyTransaction', 'POST /v1/transaction/verifyTransaction'],
    ['POST', '/v2/transaction/verifyTransaction', 'POST /v1/transaction/verifyTransaction'],
    ['GET', '/v1/transaction/', 'GET /v1/transaction'],
    ['GET', '/v1/transactions', 'GET /v1/transaction'],
    ['POST', '/CAPTUREWAGER', 'POST /captureWager'],
    ['GET', '/capturewager', 'POST /captureWager'],
    ['GET', '/V1/client', 'GET /v1/client'],
    ['POST', '/v1/client/abc/Update/', 'POST /v1/client/abc/update'],
    ['GET', '/v1/Transaction/abc', 'GET /v1/transaction/abc'],
  ])('%s %s is answered with the address that was meant', async (method, path, meant) => {
    const r = await ask(method, path);
    // An identifier that is nothing like an address is looked for and not found.
    if (meant === undefined) expectRefusal(r, 404, 'NOT_FOUND');
    else expectRefusal(r, 404, 'NO_ROUTE', `no such address: ${method} ${path}; did you mean ${meant}?`);
  });

  it('is recognized for every operation in lower case and with a slash at its end', async () => {
    for (const o of operations) {
      const path = o.path.replace(/:[A-Za-z]+/g, client.id);
      for (const wrong of [path.toLowerCase(), `${path}/`]) {
        if (wrong === path || path.length > 98) continue;
        const r = await ask(o.method, wrong);
        expectRefusal(r, 404, 'NO_ROUTE', `no such address: ${o.method} ${wrong}; did you mean ${o.method} ${path}?`);
      }
    }
  });

  it('is answered alike without a key, and a known one only with it', async () => {
    const path = '/v1/transaction/verifytransactionstatus';
    const hint = `no such address: GET ${path}; did you mean GET /v1/transaction/verifyTransactionStatus?`;
    expectRefusal(await t.get(path), 404, 'NO_ROUTE', hint);
    expectRefusal(await t.get('/v1/client/abc'), 401, 'KEY_MISSING');
  });

  it('is not found where an id in it is longer than any, in the form of every other refusal', async () => {
    for (const o of operations.filter(
      (x) => x.path.includes(':') && x.access === undefined && x.audience.includes('psp'),
    ))
      for (const id of ['a'.repeat(101), 'a'.repeat(5000), `${'%F0%9F%98%80'.repeat(60)}`]) {
        const [first, ...more] = o.path.split(/:[A-Za-z]+/);
        const path = `${first}${more.map((part) => `${id}${part}`).join('')}`;
        const r = await (o.method === 'GET'
          ? t.get(path, psp.apiKey)
          : t.post(path, o.body ? (o.example ?? {}) : undefined, psp.apiKey));
        expect([404, 400, 403], `${o.id} ${r.text}`).toContain(r.status);
        expectRefusal(r, r.status, r.headers.get('x-error-code') as string);
      }
  });

  it('is refused where what follows the question mark does not decode, and would be read as another text', async () => {
    for (const query of ['ref=%zz', 'ref=%ff', 'ref=a%', 'ref=%C3', 'ref=%ED%A0%80'])
      expectRefusal(await t.get(`/v1/transaction?${query}`, psp.apiKey), 400, 'QUERY_INVALID', /percent-encoding/);
    expect((await t.get('/v1/transaction?ref=%C3%A9+b', psp.apiKey)).status).toBe(200);
  });

  it('is not found where it does not decode, in the form of every other refusal', async () => {
    for (const path of ['/v1/transaction/%', '/v1/client/%zz', '/v1/asset/%E0%A4%A?symbol=BTC', '/%'])
      expectRefusal(
        await t.get(path, psp.apiKey),
        404,
        path.includes('/v1/asset') || path === '/%' ? 'NO_ROUTE' : 'NOT_FOUND',
      );
  });

  it('never hides a record: every client is read under its own identifier', async () => {
    expect(contentOf(await t.get(`/v1/client/${client.id}`, psp.apiKey)).clientId).toBe(client.id);
  });
});
