// The gate before the body: what the headers tell is answered while the caller still holds back the body, and bodies on
// their way are bounded. Callers are plain sockets.
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { upTo } from '../support/depth.ts';

let t: TestApp;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await t?.stop();
});

interface Caller {
  readonly socket: Socket;
  readonly closed: () => boolean;
  /** Status and code of each answer so far, `100` among them. */
  readonly answers: () => string[];
  send(text: string): void;
}

function caller(): Caller {
  const socket = connect(Number(new URL(t.address).port), '127.0.0.1');
  open.push(socket);
  let text = '';
  let closed = false;
  socket.on('data', (b) => (text += b)).on('error', () => undefined);
  socket.once('close', () => (closed = true));
  return {
    socket,
    closed: () => closed,
    answers: () =>
      text
        .split(/(?=HTTP\/1\.1 \d)/)
        .filter((a) => a.includes('\r\n\r\n'))
        .map((a) => `${a.slice(9, 12)} ${/^x-error-code: (\w+)/m.exec(a)?.[1] ?? ''}`.trim()),
    send: (more) => void socket.write(more),
  };
}

const baskets = '/v1/basket/submitBasket';
const verify = '/v1/transaction/verifyTransaction';

const head = (path: string, bytes: number | 'chunked', key?: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${key ? `x-api-key: ${key}\r\n` : ''}${more}${
    bytes === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${bytes}`
  }\r\n\r\n`;

let sales = 0;
const sale = () =>
  JSON.stringify({
    ref: `gate-${++sales}`,
    totalAmount: 20,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 20 },
    transactionFee: 1,
  });
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

const answered = (c: Caller, expected: string[]) =>
  until(`answered ${expected.join()}, not ${c.answers().join()}`, () => c.answers().length === expected.length).then(
    () => expect(c.answers()).toEqual(expected),
  );

const bodyBytes = async () => Number(/^assay_request_body_bytes (\d+)$/m.exec((await t.get('/metrics')).text)?.[1]);

const mega = 1 << 20;

describe('a caller without a key', () => {
  it('is answered while the body is held back, many at once, and nothing of it is kept', async () => {
    t = await makeTestApp();
    const callers = Array.from({ length: upTo(60, 300) }, caller);
    for (const c of callers) c.send(head(baskets, mega) + ' '.repeat(200_000));
    for (const c of callers) await answered(c, ['401 KEY_MISSING']);
    expect(await bodyBytes()).toBe(0);
    // Whoever does not end the body is not waited for.
    for (const c of callers.slice(1)) await until('the connection is closed', c.closed);
  });

  it('may go on over the same connection once the body has ended', async () => {
    t = await makeTestApp();
    const { apiKey } = await t.makeClient(await t.makePsp());
    const c = caller();
    c.send(head(baskets, 60_000, 'asy_wrong'));
    await answered(c, ['401 KEY_INVALID']);
    const body = sale();
    c.send(' '.repeat(60_000) + head(verify, body.length, apiKey) + body);
    await answered(c, ['401 KEY_INVALID', '200']);
  });

  it('gets the answer to a long body though it sends all of it first, and the next over another connection', async () => {
    t = await makeTestApp();
    const { apiKey } = await t.makeClient(await t.makePsp());
    for (const size of [100_000, mega])
      for (let i = 0; i < 5; i++) {
        expect((await t.post(baskets, { note: 'x'.repeat(size - 20) }, 'asy_wrong')).status).toBe(401);
        expect((await t.post(verify, JSON.parse(sale()), apiKey)).status).toBe(200);
      }
  });

  it.each([
    ['an unknown address', '/v1/nothing', '404 NO_ROUTE'],
    ['an address of another method', '/v1/overview', '405 METHOD'],
    ['a sign-in of more than 4 KiB', '/v1/session', '413 BODY_TOO_LARGE'],
  ])('gets the answer before the body: %s', async (_, path, answer) => {
    t = await makeTestApp();
    const c = caller();
    c.send(head(path, 4097));
    await answered(c, [answer]);
  });

  it('that streams a sign-in without an end is answered at 4 KiB', async () => {
    t = await makeTestApp();
    const c = caller();
    c.send(head('/v1/session', 'chunked') + chunk('x'.repeat(4097)));
    await answered(c, ['413 BODY_TOO_LARGE']);
  });
});

describe('a caller with a key', () => {
  it('is told by the headers alone what would be refused', async () => {
    t = await makeTestApp();
    const psp = await t.makePsp();
    const { apiKey } = await t.makeClient(psp);
    for (const [answer, words] of [
      ['403 AUDIENCE', head('/v1/admin/psp', 50_000, apiKey)],
      ['400 QUERY_INVALID', head(verify, 50_000, psp.apiKey, 'x-client-id: nobody\r\n')],
      ['415 CONTENT_TYPE', head(verify, 50_000, apiKey).replace('application/json', 'text/plain')],
      ['413 BODY_TOO_LARGE', head(verify, mega, apiKey)],
    ] as const) {
      const c = caller();
      c.send(words);
      await answered(c, [answer]);
    }
  });

  it('may send slowly, in chunks, or ask first', async () => {
    t = await makeTestApp();
    const { apiKey } = await t.makeClient(await t.makePsp());
    const [slow, chunked, asks] = [caller(), caller(), caller()];
    const body = sale().padEnd(9000);
    slow.send(head(verify, body.length, apiKey));
    const other = sale();
    chunked.send(head(verify, 'chunked', apiKey) + chunk(other.slice(0, 5)));
    const third = sale();
    asks.send(head(verify, third.length, apiKey, 'expect: 100-continue\r\n'));
    await until('what is on its way is counted', async () => (await bodyBytes()) === 9000 + 262_144);
    await answered(asks, ['100']);
    for (let i = 0; i < body.length; i += 3000) {
      slow.send(body.slice(i, i + 3000));
      await t.get('/health/live');
    }
    chunked.send(`${chunk(other.slice(5))}0\r\n\r\n`);
    asks.send(third);
    await answered(slow, ['200']);
    await answered(chunked, ['200']);
    await answered(asks, ['100', '200']);
    expect(await bodyBytes()).toBe(0);
  });

  it('who asks first is not told to go on where the answer is no', async () => {
    t = await makeTestApp();
    const c = caller();
    c.send(head(verify, 50_000, 'asy_wrong', 'expect: 100-continue\r\n'));
    await answered(c, ['401 KEY_INVALID']);
  });

  it('pays for a large body as for several requests, with a declared length or without', async () => {
    t = await makeTestApp({ env: { RATE_BURST: '9', RATE_PER_SECOND: '1' } });
    const psp = await t.makePsp();
    const body = sale().padEnd(8 * 4096);
    for (const words of [
      (key: string) => head(verify, body.length, key) + body,
      (key: string) => `${head(verify, 'chunked', key) + chunk(body)}0\r\n\r\n`,
    ]) {
      const { apiKey } = await t.makeClient(psp);
      const c = caller();
      c.send(words(apiKey));
      await until('it is answered', () => c.answers().length === 1);
      expect((await t.get('/v1/client/verifyClientStatus', apiKey)).status).toBe(429);
      t.advance(1000);
      expect((await t.get('/v1/client/verifyClientStatus', apiKey)).status).toBe(200);
    }
  });
});

describe('bodies on their way', () => {
  it('are bounded for a key and in all, and what ends or leaves makes room', async () => {
    t = await makeTestApp({ env: { BODY_BUDGET: '1000000' } });
    const psp = await t.makePsp();
    const keys: string[] = [];
    for (let i = 0; i < 6; i++) keys.push((await t.makeClient(psp)).apiKey);
    const holding = keys.slice(0, 4).map((key) => {
      const c = caller();
      c.send(`${head(verify, 240_000, key)}{`);
      return c;
    });
    await until('four keys hold their share', async () => (await bodyBytes()) === 960_000);
    const refused = [caller(), caller()] as const;
    refused[0].send(head(verify, 20_000, keys[0]));
    await answered(refused[0], ['429 RATE_LIMITED']);
    refused[1].send(head(verify, 50_000, keys[4]));
    await answered(refused[1], ['503 OVERLOADED']);
    // A small body finds room at all times.
    expect((await t.post(verify, sale(), keys[4])).status).toBe(200);
    holding[0]?.socket.destroy();
    holding[1]?.send(' '.repeat(239_999));
    await answered(holding[1] as Caller, ['400 BODY_MALFORMED']);
    await until('what is gone is returned', async () => (await bodyBytes()) === 480_000);
    const body = sale().padEnd(50_000);
    expect((await t.post(verify, body, keys[5])).status).toBe(200);
  });
});

describe("a caller's address", () => {
  /** The last of so many tries to sign in with nothing, whose limit is 100 for a network. */
  async function lastOf(tries: number, forwarded: (i: number) => string) {
    let status = 0;
    for (let i = 0; i < tries; i++)
      status = (await t.post('/v1/session', {}, undefined, { 'x-forwarded-for': forwarded(i) })).status;
    return status;
  }

  it('is the one that a trusted proxy has added, whatever else the header says', async () => {
    t = await makeTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } });
    expect(await lastOf(100, (i) => `192.0.2.${i}, 203.0.113.9, 10.1.1.1`)).toBe(400);
    expect(await lastOf(1, () => '203.0.113.9')).toBe(429);
    // Some proxies name the port as well.
    expect(await lastOf(1, () => '203.0.113.9:51034')).toBe(429);
    expect(await lastOf(1, () => '198.51.100.8:51034')).toBe(400);
    // Another is not kept out, and all of an IPv6 network are one.
    expect(await lastOf(1, () => '203.0.113.9, 198.51.100.7')).toBe(400);
    expect(await lastOf(101, (i) => `2001:db8::${i.toString(16)}`)).toBe(429);
    expect(await lastOf(1, () => '2001:db8:0:1::1')).toBe(400);
  });

  it('is that of the connection where no proxy is trusted', async () => {
    t = await makeTestApp();
    expect(await lastOf(101, (i) => `192.0.2.${i}`)).toBe(429);
  });
});

describe('large bodies', () => {
  it('of several keys are all answered, though they take turns', async () => {
    t = await makeTestApp();
    const psp = await t.makePsp();
    const keys = [(await t.makeClient(psp)).apiKey, (await t.makeClient(psp)).apiKey];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => t.post(verify, sale().padEnd(20_000, i % 3 ? ' ' : 'x'), keys[i % 2])),
    );
    expect(answers.map((r) => r.status)).toEqual(Array.from({ length: 12 }, (_, i) => (i % 3 ? 200 : 400)));
    expect(await bodyBytes()).toBe(0);
  });
});

describe('connections', () => {
  it('are closed past the most there may be, and one that ends makes room', async () => {
    t = await makeTestApp({ env: { MAX_CONNECTIONS: '16' } });
    const held = Array.from({ length: 16 }, caller);
    const asks = (c: Caller) => c.send('GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n');
    for (const c of held) asks(c);
    for (const c of held) await answered(c, ['200']);
    const late = caller();
    await until('it is closed', late.closed);
    expect(late.answers()).toEqual([]);
    held[0]?.socket.destroy();
    await until('there is room', async () => {
      const c = caller();
      asks(c);
      await until('it is answered or closed', () => c.closed() || c.answers().length > 0);
      return c.answers().length > 0;
    });
  });
});
