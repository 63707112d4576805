// The outcome of a webhook request at every kind of receiver, within limits of time and size.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outgoing, type OutgoingOptions } from '../../src/platform/outgoing.ts';
import { until } from '../durability/support/conditions.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import {
  answers,
  type Behaviour,
  breaksOff,
  dripsBody,
  dripsHeaders,
  floods,
  floodsBody,
  floodsHeaders,
  hangs,
  hangsUp,
  inTurn,
  type Receiver,
  resets,
  says,
  startReceiver,
  testCertificate,
} from '../support/receivers.ts';

let plain: Receiver;
let secure: Receiver;
let dns: DnsServer;
let outgoing: Outgoing;
const others: Outgoing[] = [];

/** Another with its own options; closed after the test. */
function another(options: Partial<OutgoingOptions>): Outgoing {
  const one = new Outgoing({ allowHttp: true, allowCidrs: [], dnsServers: [dns.address], ...options });
  others.push(one);
  return one;
}

beforeAll(async () => {
  [plain, secure, dns] = await Promise.all([startReceiver(), startReceiver({ tls: true }), startDnsServer()]);
});
afterAll(() => Promise.all([plain.stop(), secure.stop(), dns.stop()]));
beforeEach(() => {
  plain.behave(answers(200));
  secure.behave(answers(200));
  outgoing = another({ ca: testCertificate });
});
afterEach(() => Promise.all(others.splice(0).map((o) => o.close())));

const send = (url: string, body = '{}') => outgoing.send(url, body, {});

describe('a request', () => {
  it('is a POST of exactly the given bytes with the given headers', async () => {
    const body = '{"amount":10.50,"name":"Ọláwálé 😀"}';
    const outcome = await outgoing.send(`${plain.url}/a?b=c%20d`, body, { 'X-Event': 'New Transaction' });
    expect(outcome).toMatchObject({ status: 200, stage: 'answer', reason: 'OK', response: '', retryAfterS: null });
    const got = plain.received.at(-1);
    expect(got).toMatchObject({ method: 'POST', path: '/hook/a?b=c%20d', body });
    expect(got?.headers).toMatchObject({
      host: `127.0.0.1:${plain.port}`,
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(body)}`,
      'user-agent': 'Assay-Webhooks/1',
      'x-event': 'New Transaction',
    });
  });

  it.each(['a\nX-Sly: 1', 'a\r\n\r\nPOST / HTTP/1.1', 'a\0'])(
    'cannot carry a header of several lines: %j',
    async (text) => {
      const before = plain.connections;
      expect(await outgoing.send(plain.url, '{}', { 'X-Event': text })).toMatchObject({
        status: null,
        stage: 'connect',
      });
      expect(plain.connections).toBe(before);
    },
  );

  it('goes over https to a receiver whose certificate holds for its name', async () => {
    dns.answer('a.hooks.test', ['127.0.0.1']);
    expect(await send(`https://a.hooks.test:${secure.port}/`)).toMatchObject({ status: 200, reason: 'OK' });
    expect(secure.received.at(-1)?.headers.host).toBe(`a.hooks.test:${secure.port}`);
    expect(await send(secure.url)).toMatchObject({ status: 200, reason: 'OK' });
  });

  it('reaches localhost without asking a DNS server', async () => {
    expect(await send(`http://localhost:${plain.port}/`)).toMatchObject({ status: 200 });
    expect(await send(`http://me.localhost:${plain.port}/`)).toMatchObject({ status: 200 });
    expect(dns.asked.filter((n) => n.includes('localhost'))).toEqual([]);
  });

  it('uses a connection again, and many at once where many are sent', async () => {
    const before = plain.connections;
    for (let i = 0; i < 20; i++) await send(plain.url);
    expect(plain.connections - before).toBeLessThan(10);
    plain.behave(inTurn(hangs, answers(200)));
    const slow = another({ totalTimeoutMs: 60_000 });
    const arrived = plain.received.length;
    const first = slow.send(plain.url, '{}', {});
    await until('the first has arrived', () => plain.received.length > arrived);
    expect(await slow.send(plain.url, '{}', {})).toMatchObject({ reason: 'OK' });
    await slow.close();
    expect((await first).status).toBe(null);
  });
});

describe('a status', () => {
  const table: (readonly [number, string])[] = [
    [200, 'OK'],
    ...[201, 202, 204, 206, 400, 401, 404, 408, 500, 502, 503, 599].map((s) => [s, 'HTTP_NOT_200'] as const),
    ...[300, 301, 302, 303, 304, 307, 308].map((s) => [s, 'REDIRECT'] as const),
    [410, 'GONE'],
    [429, 'RATE_LIMITED'],
  ];
  it.each(table)('of %i is %s', async (status, reason) => {
    plain.behave(answers(status, '', { Location: '/elsewhere' }));
    const before = plain.received.length;
    expect(await send(plain.url)).toMatchObject({ status, reason, stage: 'answer' });
    expect(plain.received.length - before).toBe(1);
  });

  it('may come after interim ones', async () => {
    plain.behave(says('HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    expect(await send(plain.url)).toMatchObject({ status: 200, reason: 'OK', response: 'ok' });
  });

  it.each([
    ['120', 120],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-5', null],
    ['soon', null],
    ['1e9', null],
    ['99999999999999999999', null],
    ['2026-01-01', null],
  ])('with Retry-After %s asks for %s seconds', async (text, seconds) => {
    plain.behave(answers(503, '', { 'Retry-After': text }));
    const fixed = another({ clock: () => Date.UTC(2026, 0, 1) });
    expect((await fixed.send(plain.url, '{}', {})).retryAfterS).toBe(seconds);
  });
});

describe('an answer', () => {
  it.each([
    ['a megabyte', floods, 'x'.repeat(8192)],
    ['a body that breaks off', breaksOff, 'half'],
  ] as [string, (status: number) => Behaviour, string][])('of %s counts by its status', async (_, of, response) => {
    plain.behave(of(200));
    expect(await send(plain.url)).toMatchObject({ status: 200, reason: 'OK', stage: 'answer', response });
    plain.behave(of(500));
    expect(await send(plain.url)).toMatchObject({ status: 500, reason: 'HTTP_NOT_200', stage: 'answer', response });
  });

  it('is read no further than 64 KiB, whatever follows and however long there is time', async () => {
    const patient = another({ totalTimeoutMs: 3_600_000 });
    plain.behave(floodsBody(500));
    const outcome = await patient.send(plain.url, '{}', {});
    expect(outcome).toMatchObject({ status: 500, stage: 'answer', response: 'c'.repeat(8192) });
    await until('the connection is cut', () => plain.open === 0);
  });

  it('without end counts by its status when the time is over, and its connection is cut', async () => {
    plain.behave(dripsBody(200));
    const hurried = another({ totalTimeoutMs: 1_000 });
    const outcome = await hurried.send(plain.url, '{}', {});
    expect(outcome).toMatchObject({ status: 200, reason: 'OK', stage: 'answer' });
    expect(outcome.response).toMatch(/^b+$/);
    await until('the connection is cut', () => plain.open === 0);
  });

  it('is kept as text that PostgreSQL takes, cut between characters', async () => {
    plain.behave(answers(400, Buffer.from('a\0b\xff\xfe', 'latin1')));
    expect((await send(plain.url)).response).toBe('a\u{fffd}b\u{fffd}\u{fffd}');
    plain.behave(answers(400, `x${'é'.repeat(8192)}`));
    expect((await send(plain.url)).response).toBe(`x${'é'.repeat(4095)}`);
  });

  it.each([
    ['is no HTTP', says('hello\r\n\r\n'), 'RESPONSE_BROKEN'],
    ['has a broken status line', says('HTTP/1.1 abc OK\r\n\r\n'), 'RESPONSE_BROKEN'],
    ['has headers without end', floodsHeaders, 'RESPONSE_BROKEN'],
    ['is a reset', resets, 'RESET'],
    ['is a closed connection', hangsUp, 'RESET'],
  ] as const)('that %s', async (_, behaviour, reason) => {
    for (const receiver of [plain, secure]) {
      receiver.behave(behaviour);
      expect(await send(receiver.url)).toMatchObject({ status: null, stage: 'answer', reason, response: null });
    }
  });

  it.each([
    ['never comes', hangs],
    ['comes one byte at a time', dripsHeaders],
  ] as const)('that %s is a time-out, and its connection is cut', async (_, behaviour) => {
    const hurried = another({ totalTimeoutMs: 1_000, ca: testCertificate });
    await Promise.all(
      [plain, secure].map(async (receiver) => {
        receiver.behave(behaviour);
        const outcome = await hurried.send(receiver.url, '{}', {});
        expect(outcome).toMatchObject({ status: null, stage: 'answer', reason: 'TIMEOUT', response: null });
        expect(outcome.durationMs).toBeGreaterThanOrEqual(990);
        await until('the connection is closed', () => receiver.open === 0);
      }),
    );
  });
});

describe('a connection', () => {
  let stalled: Server;
  let held: Socket[];
  const address = () => (stalled.address() as { port: number }).port;

  beforeEach(async () => {
    held = [];
    stalled = createServer((socket) => held.push(socket.on('error', () => undefined)));
    await new Promise<void>((listening) => stalled.listen(0, '127.0.0.1', listening));
  });
  afterEach(() => {
    for (const s of held) s.destroy();
    stalled.close();
  });

  it('that nobody accepts fails', async () => {
    const gone = await startReceiver();
    await gone.stop();
    expect(await send(gone.url)).toMatchObject({ status: null, stage: 'connect', reason: 'CONNECT_FAILED' });
    dns.answer('two.hooks.test', ['127.0.0.1', '::1']);
    const url = `https://two.hooks.test:${gone.port}/`;
    expect(await send(url)).toMatchObject({ status: null, stage: 'connect', reason: 'CONNECT_FAILED' });
  });

  it('to a name without an address fails', async () => {
    dns.answer('empty.hooks.test', []);
    for (const name of ['empty', 'unknown'])
      expect(await send(`https://${name}.hooks.test/`)).toMatchObject({ stage: 'connect', reason: 'DNS_FAILED' });
  });

  it('to a name whose server says nothing is a time-out', async () => {
    dns.answer('silent.hooks.test', null);
    const hurried = another({ connectTimeoutMs: 100 });
    expect(await hurried.send('https://silent.hooks.test/', '{}', {})).toMatchObject({
      status: null,
      stage: 'connect',
      reason: 'TIMEOUT',
    });
  });

  it('to a receiver with a certificate that does not hold fails', async () => {
    const strict = another({});
    expect(await strict.send(secure.url, '{}', {})).toMatchObject({ stage: 'connect', reason: 'TLS_FAILED' });
    dns.answer('other.example', ['127.0.0.1']);
    const wrongName = await send(`https://other.example:${secure.port}/`);
    expect(wrongName).toMatchObject({ status: null, stage: 'connect', reason: 'TLS_FAILED' });
    const noTls = await send(plain.url.replace('http:', 'https:'));
    expect(noTls).toMatchObject({ status: null, stage: 'connect', reason: 'TLS_FAILED' });
  });

  it('that never gets its TLS is a time-out', async () => {
    const hurried = another({ connectTimeoutMs: 100, ca: testCertificate });
    const outcome = await hurried.send(`https://127.0.0.1:${address()}/`, '{}', {});
    expect(outcome).toMatchObject({ status: null, stage: 'connect', reason: 'TIMEOUT' });
  });

  it('that comes about after the time is over carries nothing', async () => {
    const late = await startReceiver({ tls: true });
    const hurried = another({ totalTimeoutMs: 200, ca: testCertificate });
    const outcome = await hurried.send(`https://127.0.0.1:${address()}/`, '{}', {});
    expect(outcome).toMatchObject({ status: null, stage: 'connect', reason: 'TIMEOUT' });
    // The handshake goes through from here on.
    const socket = await until('it has connected', () => held[0]);
    const through = connect(late.port, '127.0.0.1');
    socket.pipe(through).pipe(socket);
    await until('the connection is given up', () => late.connections === 1 && late.open === 0);
    expect(late.received).toEqual([]);
    await late.stop();
  });

  it('is cut when the service stops, and its request then has an outcome', async () => {
    plain.behave(hangs);
    const before = plain.received.length;
    const pending = send(plain.url);
    await until('the request has arrived', () => plain.received.length > before);
    await outgoing.close();
    expect(await pending).toMatchObject({ status: null, stage: 'answer', reason: 'RESET' });
    expect(await send(plain.url)).toMatchObject({ status: null, stage: 'connect', reason: 'CONNECT_FAILED' });
  });
});

describe('many requests', () => {
  it('to dead receivers leave nothing behind and do not keep one from a live receiver', async () => {
    secure.behave(hangs);
    const hurried = another({ totalTimeoutMs: 2_000, ca: testCertificate });
    const dead = Promise.all(Array.from({ length: 300 }, () => hurried.send(secure.url, '{}', {})));
    const live = await hurried.send(plain.url, '{}', {});
    expect(live.reason).toBe('OK');
    expect(new Set((await dead).map((o) => o.reason))).toEqual(new Set(['TIMEOUT']));
    await until('all connections to the dead are closed', () => secure.open === 0);
  });
});
