// Requests that two programs could parse differently are refused, and replies tell browsers not to guess their type.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { enter, invite, trySignIn } from '../support/people.ts';

let t: TestApp;
let psp: Account;
beforeAll(async () => {
  t = await makeTestApp({ env: { BASE_URL: 'https://api.example.com' } });
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

/** Sends headers as they stand, twice the same one too. */
const send = (headers: string[]): Promise<[number, string | undefined]> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(t.address);
    const body = '{"graceHours":0}';
    const all = ['host', hostname, 'content-length', String(body.length), ...headers];
    const r = request({ hostname, port, path: '/v1/client/rotateSecret', method: 'POST', headers: all }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve([answer.statusCode ?? 0, answer.headers['x-error-code'] as string | undefined]));
    });
    r.once('error', reject);
    r.end(body);
  });
const json = ['content-type', 'application/json'];

describe('a request', () => {
  it('is taken with one key, also where both headers carry it', async () => {
    expect(await send([...json, 'x-api-key', psp.apiKey])).toEqual([200, undefined]);
    const both = ['x-api-key', psp.apiKey, 'authorization', `Bearer ${psp.apiKey}`];
    expect(await send([...json, ...both])).toEqual([200, undefined]);
  });

  it('with two keys, or a header twice that decides how it is read, is refused', async () => {
    const key = ['x-api-key', psp.apiKey];
    const other = (await t.makePsp()).apiKey;
    for (const headers of [
      [...json, ...key, 'authorization', `Bearer ${other}`],
      [...json, ...key, ...key],
      [...json, ...key, 'content-type', 'text/plain'],
      [...json, ...key, 'x-client-id', psp.id, 'x-client-id', psp.id],
    ])
      expect(await send(headers), headers.join()).toEqual([400, 'QUERY_INVALID']);
  });

  it('that says its body is packed is refused, and one that says it is not is taken', async () => {
    const key = ['x-api-key', psp.apiKey];
    expect(await send([...json, ...key, 'content-encoding', 'gzip'])).toEqual([415, 'CONTENT_TYPE']);
    expect(await send([...json, ...key, 'content-encoding', 'identity'])).toEqual([200, undefined]);
  });
});

describe('an answer', () => {
  it('is not to be guessed at by a browser, and keeps it on TLS where that is the public address', async () => {
    for (const key of [psp.apiKey, undefined]) {
      const { headers } = await t.get('/v1/client/verifyClientStatus', key);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    }
  });
});

describe('a refusal', () => {
  it('is logged with the network it was sent from, and no single address', async () => {
    await t.get('/v1/client/verifyClientStatus', 'asy_wrong');
    const line = t.logged.find((l) => l.includes('KEY_INVALID')) as string;
    expect(JSON.parse(line)).toMatchObject({ msg: 'refused', network: '127.0.0.0/24' });
    expect(t.logged.join('')).not.toContain('127.0.0.1"');
  });
});

describe('a one-time password', () => {
  it('opens for 72 hours, and after that no more than a wrong one', async () => {
    const [soon, late] = [await invite(t, psp, 'auditor'), await invite(t, psp, 'auditor')];
    t.advance(72 * 3_600_000 - 1);
    contentOf(await trySignIn(t, soon));
    t.advance(1);
    const gone = await trySignIn(t, late);
    const wrong = await trySignIn(t, { ...late, password: 'wrong' });
    expect([gone.status, gone.text]).toEqual([401, wrong.text]);
  });
});

describe('a password of one’s own', () => {
  it('is not one that anybody would try first', async () => {
    const ada = await enter(t, psp, 'auditor');
    for (const newPassword of ['password1234', 'abcdefghijkl', '123456789012', 'qwertyuiop12']) {
      const r = await ada.post('/v1/session/password', { currentPassword: ada.password, newPassword });
      expect([r.status, r.headers.get('x-error-code')]).toEqual([400, 'FIELD_INVALID']);
    }
  });
});
