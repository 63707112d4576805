// Requests that two programs could parse differently are refused, and replies tell browsers not to guess their type.
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
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
      // RFC 9112, 3.2: more than one is answered with 400.
      [...json, ...key, 'host', 'elsewhere.example'],
    ])
      expect(await send(headers), headers.join()).toEqual([400, 'QUERY_INVALID']);
  });

  it('that says its body is packed is refused, and one that says it is not is taken', async () => {
    const key = ['x-api-key', psp.apiKey];
    expect(await send([...json, ...key, 'content-encoding', 'gzip'])).toEqual([415, 'CONTENT_TYPE']);
    expect(await send([...json, ...key, 'content-encoding', 'identity'])).toEqual([200, undefined]);
  });

  it('whose body is packed on its way is refused, and one in pieces is taken', async () => {
    const { hostname, port } = new URL(t.address);
    const sent = async (coding: string): Promise<string> => {
      const body = '{"graceHours":0}';
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /v1/client/rotateSecret HTTP/1.1\r\nhost: x\r\nx-api-key: ${psp.apiKey}\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: ${coding}\r\n\r\n10\r\n${body}\r\n0\r\n\r\n`,
      );
      return (await text(socket)).slice(0, 12);
    };
    expect([await sent('chunked'), await sent('Chunked'), await sent('gzip, chunked')]).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 415',
    ]);
  });

  it('that names a client for what holds for all of the PSP is refused, and changes nothing', async () => {
    const client = await t.makeClient(psp);
    const named = { 'x-client-id': client.id };
    const address = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
    const hold = { address, reason: 'a theft' };
    const list = { name: 'own.csv', list: 'OWN', text: 'Ref,Type,Name\nB-1,PERSON,Adam Example\n' };
    const entry = { ref: 'B-2', names: ['Eve Example'] };
    const calls: [string, unknown][] = [
      ['/v1/risk-policy', { declining: [], reason: 'none' }],
      ['/v1/wallet-hold', hold],
      ['/v1/wallet-hold/wlh_01m8f3gxade0tvqsy8kbh2fk5t/release', { reason: 'none' }],
      ['/v1/lists', list],
      ['/v1/lists/OWN/entries', entry],
      ['/v1/lists/OWN/remove', { ref: 'B-2' }],
      ['/v1/subject/erase', { subjects: ['email:ada@example.com'], reason: 'asked' }],
    ];
    for (const [path, body] of calls) {
      const answer = await t.post(path, body, psp.apiKey, named);
      expect([path, answer.status, answer.headers.get('x-error-code')]).toEqual([path, 400, 'QUERY_INVALID']);
      expect(answer.body.message).toContain("leave out the header 'x-client-id'");
    }
    expect(contentOf(await t.get('/v1/wallet-hold', psp.apiKey)).items).toEqual([]);
    // The PSP itself may be named.
    expect((await t.post('/v1/wallet-hold', hold, psp.apiKey, { 'x-client-id': psp.id })).status).toBe(200);
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
