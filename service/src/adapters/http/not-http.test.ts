// Real connections whose callers send slowly, send nothing, or never read and never close.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/durability/support/conditions.ts';
import { drainedServer } from './drain.ts';
import { clientErrorHandler, patience } from './not-http.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function impatient(): Promise<Server> {
  const server = createServer({ requestTimeout: 100, connectionsCheckingInterval: 20 }, (_, r) => void r.end('never'));
  server.on('clientError', clientErrorHandler);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ends.push(() => server.close());
  return server;
}

/** A caller that keeps its side open whatever it receives. */
function caller(server: Server, words: string): { socket: Socket; text: () => string } {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (b) => (text += b)).on('error', () => undefined);
  socket.write(words);
  ends.push(() => socket.destroy());
  return { socket, text: () => text };
}

const open = (server: Server) =>
  new Promise<number>((resolve, reject) => server.getConnections((e, n) => (e ? reject(e) : resolve(n))));

describe('a connection whose request does not come', () => {
  it.each([
    ['headers that never end', 'POST / HTTP/1.1\r\nhost: a\r\nx-slow: '],
    ['a body that never ends', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 500\r\n\r\n{'],
  ])('is answered 408 and closed though its caller keeps it open: %s', async (_, words) => {
    const server = await impatient();
    server.removeAllListeners('request');
    const { text } = caller(server, words);
    await until('it is answered', () => text().includes('\r\n\r\n'));
    expect(text()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(text()).toContain('x-error-code: REQUEST_TIMEOUT');
    await until('it is closed', async () => (await open(server)) === 0);
  });

  it('holds none of five hundred that never read and never go', async () => {
    const server = await impatient();
    for (let i = 0; i < 500; i++) caller(server, 'GET / HTTP/1.1\r\nhost: a\r\nx-slow: ').socket.pause();
    await until('all have come', async () => (await open(server)) > 0);
    await until('all are closed', async () => (await open(server)) === 0);
  });
});

it('is looked for so often that a request may take little longer than it is allowed', () => {
  expect(patience.connectionsCheckingInterval).toBeLessThanOrEqual(patience.requestTimeout / 10);
});

it('tells what is not HTTP from what is late', async () => {
  const server = await impatient();
  const { text } = caller(server, 'HELLO\r\n\r\n');
  await until('it is answered', () => text().includes('\r\n\r\n'));
  expect(text()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  await until('it is closed', async () => (await open(server)) === 0);
});

it.each([
  [
    '417 Expectation Failed',
    "may be '100-continue' only",
    'POST / HTTP/1.1\r\nhost: a\r\nexpect: odd\r\ncontent-length: 2\r\n\r\n',
  ],
  ['400 Bad Request', "needs the header 'host'", 'GET / HTTP/1.1\r\n\r\n'],
])('says in the usual envelope what is wrong, and closes: %s, it %s', async (status, says, words) => {
  const server = drainedServer({}, (_, r) => void r.end('answered'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ends.push(() => server.close());
  const { text } = caller(server, words);
  await until('it is answered', () => text().includes('"success"'));
  expect(text()).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n`));
  expect(text()).toContain('x-error-code: BODY_MALFORMED');
  expect(text()).toContain(says);
  await until('it is closed', async () => (await open(server)) === 0);
});

it('answers HTTP/1.0 without a host, which knows none', async () => {
  const server = drainedServer({}, (_, r) => void r.end('answered'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ends.push(() => server.close());
  const { text } = caller(server, 'GET / HTTP/1.0\r\n\r\n');
  await until('it is answered', () => text().includes('answered'));
});
