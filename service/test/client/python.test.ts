// The Python client against the service: every operation with a reply of the type it promises, digit by digit; refusals as
// exceptions; repetition with the same ref; pages; webhooks. The same calls as those of the TypeScript client.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Assay, CallOptions, OperationId } from '@assay/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { calls } from './calls.ts';
import { type PythonProcess, startPython } from './python-process.ts';
import { differences, documentedIds } from './shape.ts';
import { callerOf, makeWorld, type World } from './world.ts';

let w: World;
let python: PythonProcess;
beforeAll(async () => {
  python = await startPython();
  w = await makeWorld();
});
afterAll(async () => {
  python?.stop();
  await w?.t.stop();
});

const servers: Server[] = [];
afterEach(async () => {
  for (const s of servers.splice(0)) {
    s.closeAllConnections();
    await new Promise((closed) => s.close(closed));
  }
});
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const call = (operation: string, given: object, more: object = {}) =>
  python.ask({ do: 'call', base: w.t.address, key: w.clientAccount.apiKey, operation, given, ...more });

/** Every number of a JSON text as it is written there. */
const exactly = (text: string): unknown =>
  JSON.parse(text, ((_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? `number ${source}` : value) as (key: string, value: unknown) => unknown);

it('both clients say the tag of what they read, and change only what still has it', async () => {
  const webhookId = w.webhookId;
  const types = (...eventTypes: string[]) => ({
    webhookId,
    eventTypes: eventTypes as never,
  });
  const { etag } = await w.client.reply('getWebhook', { webhookId });
  const { etag: inPython } = await call('getWebhook', { webhookId });
  expect([etag, inPython]).toEqual([expect.stringMatching(/^"[\w-]{22}"$/), etag]);
  const changed = await call('setEventTypes', types('transaction.created'), { options: { if_match: etag } });
  expect(changed.etag).toMatch(/^"[\w-]{22}"$/);
  await expect(w.client.setEventTypes(types('transaction.updated'), { ifMatch: etag })).rejects.toMatchObject({
    code: 'PRECONDITION',
    status: 412,
  });
  const late = await call('setEventTypes', types('transaction.updated'), { options: { if_match: etag } });
  expect(late.error).toMatchObject({ code: 'PRECONDITION', status: 412 });
  await w.client.setEventTypes(types('*'), { ifMatch: changed.etag });
});

const optionsOf = ({ clientId, pspId, expand }: CallOptions = {}) => ({
  ...(clientId === undefined ? {} : { client_id: clientId }),
  ...(pspId === undefined ? {} : { psp_id: pspId }),
  ...(expand === undefined ? {} : { expand: [expand].flat().join(',') }),
});

describe('the Python client', () => {
  it('has a method with types that resolve for each operation, and for no other', async () => {
    const { operations, without } = await python.ask({ do: 'described' });
    expect(without).toEqual([]);
    expect(operations.sort()).toEqual(documentedIds().sort());
  });

  it.each(Object.keys(calls) as OperationId[])('%s succeeds, and its reply is of the type it promises', async (id) => {
    const make = calls[id] as (w: World) => Promise<readonly [Assay, object?, CallOptions?]>;
    const [by, given = {}, options] = await make(w);
    const more = { ...callerOf(by), options: optionsOf(options) };
    const said = await until(`${id} answers`, async () => {
      const answer = await call(id, given, more);
      return answer.error?.code === 'NOT_SEALED' ? undefined : answer;
    });
    expect(said.error ?? said.mistake ?? said.noReply).toBeUndefined();
    expect(said.wrong).toEqual([]);
    expect(said.requestId).toMatch(/^[0-9a-f-]{36}$/);
    if (said.bytes !== null) return expect(said.bytes).toBeGreaterThan(0);
    const content = JSON.parse(said.content);
    expect(differences(id, content)).toEqual([]);
    if (typeof content === 'string') return expect(content).toBe(said.text);
    // Nothing is lost between the text of the reply and what Python holds: not a digit, not a zero at the end.
    const sent = exactly(said.text) as { content?: unknown; success?: unknown };
    expect(exactly(said.content)).toEqual('success' in sent ? sent.content : sent);
  });
});

describe('a list as a file', () => {
  it('is what the service writes, with the filters of the list, and never a part of it', async () => {
    const { file } = await call('listOwnKeys', {}, { csv: true });
    const { text } = await w.t.get('/v1/key', w.clientAccount.apiKey, { accept: 'text/csv' });
    expect(file).toBe(text);
    const base = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('Key\r\nkey_1\r\n', () => response.destroy());
    });
    expect((await call('listOwnKeys', {}, { csv: true, base, options: { retries: 0 } })).noReply).toContain(
      'broke off',
    );
    expect((await call('verifyTransaction', w.example('verifyTransaction'), { csv: true })).mistake).toContain(
      'no list',
    );
  });
});

describe('refusals', () => {
  const sale = () => ({ ...w.example('verifyTransaction') });

  it('are exceptions with code, status, kind, field, message and request id', async () => {
    const { currency: _, ...without } = sale();
    const { error } = await call('verifyTransaction', { ...without, currency: 'XXX' });
    expect(error).toMatchObject({ status: 400, kind: 'invalid', field: 'currency' });
    expect(error.message).toContain('currency');
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    // The calls above have put holds on the world's PSP.
    const { apiKey: key } = await w.t.makePsp('Sound PSP');
    const body = sale();
    expect(JSON.parse((await call('verifyTransaction', body, { key })).content).status).toBe('APPROVED');
    expect((await call('verifyTransaction', body, { key })).replayed).toBe(true);
    const { ref } = body as { ref: string };
    const other = await call('deposit', { ...w.example('deposit'), ref }, { key });
    expect(other.error).toMatchObject({ code: 'REF_CONFLICT', status: 409, kind: 'conflict' });
    const gone = await call('getTransaction', { transactionId: 'txn_01h455vb4pex5vsknk084sn02q' });
    expect(gone.error).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    const stranger = await call('verifyTransaction', sale(), { key: 'asy_wrong' });
    expect(stranger.error).toMatchObject({ status: 401, kind: 'unauthenticated' });
  });

  it('by the client itself come before anything is sent', async () => {
    const { said } = await python.ask({ do: 'floats', base: 'http://127.0.0.1:9' });
    expect(said).toEqual([
      "vatAmount: 107.5 is a float, which is not exact; give Decimal('12.50') or '12.50'",
      "vatAmount: 'NaN' is no decimal number; write it like 12.50",
      "vatAmount: 'Infinity' is no decimal number; write it like 12.50",
      "vatAmount: '12,50' is no decimal number; write it like 12.50",
      "vatAmount: '' is no decimal number; write it like 12.50",
    ]);
    expect((await call('getTransaction', { transactionId: '' })).mistake).toContain('needs transactionId');
    expect((await call('verifyTransaction', {}, {})).mistake).toContain('ref');
  });
});

describe('repetition', () => {
  it('sends the same ref and body again where the outcome is unknown, and records it once', async () => {
    const bodies: string[] = [];
    const base = await serve(async (request, response) => {
      const body = await bodyOf(request);
      bodies.push(body);
      const path = request.url as string;
      const answer = await w.t.post(path, body, w.clientAccount.apiKey);
      // The first answer is lost; the second is a gateway's, though the service has answered.
      if (bodies.length === 1) return response.destroy();
      if (bodies.length === 2) return response.writeHead(503, { 'retry-after': '7' }).end('<h1>503</h1>');
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
    });
    const given = w.example('verifyTransaction') as { ref: string };
    const said = await call('verifyTransaction', given, { base });
    expect(JSON.parse(said.content).ref).toBe(given.ref);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies).toHaveLength(3);
    expect(said.slept[0]).toBeLessThan(1);
    expect(said.slept[1]).toBeGreaterThanOrEqual(7);
    const { items } = await w.client.listTransactions({ ref: given.ref });
    expect(items).toHaveLength(1);
  });

  it('never sends twice what would be done twice, and gives up on the rest after three more', async () => {
    let count = 0;
    const base = await serve((_, response) => {
      count++;
      response.writeHead(503, { 'x-error-code': 'OVERLOADED' }).end('{"success":false,"message":"busy"}');
    });
    const once = await call('subscribeToClient', { webhookUrl: 'https://hooks.example.com/p' }, { base });
    expect([once.error.code, count]).toEqual(['OVERLOADED', 1]);
    expect((await call('listTransactions', {}, { base })).error.status).toBe(503);
    expect(count).toBe(5);
  });

  it('waits for what a gateway asks, in seconds or until a date, also where it limits the rate itself', async () => {
    const asked = ['3', 'Fri, 01 Jan 2100 00:00:00 GMT', 'soon'];
    let n = 0;
    const base = await serve((_, response) =>
      response.writeHead(429, { 'retry-after': asked[n++] ?? '0' }).end('slower'),
    );
    const { slept, error } = await call('listTransactions', {}, { base });
    expect([error.status, n]).toEqual([429, 4]);
    expect(slept.map((s: number) => Math.floor(s))).toEqual([3, 60, 0]);
  });

  it('says that no reply came: nobody listens, or too late', async () => {
    const none = await call('listTransactions', {}, { base: 'http://127.0.0.1:9', options: { retries: 0 } });
    expect([none.noReply, none.timedOut]).toEqual([expect.stringContaining('no reply'), false]);
    const base = await serve(() => undefined);
    const late = await call('listTransactions', {}, { base, options: { retries: 0, timeout_s: 1 } });
    expect([late.noReply, late.timedOut]).toEqual([expect.stringContaining('no reply within 1 s'), true]);
  });

  it('follows no redirect, since the key would go along', async () => {
    const paths: string[] = [];
    const base = await serve((request, response) => {
      paths.push(request.url as string);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const said = await call('listTransactions', {}, { base });
    expect(said.error.message).toContain('redirected to /elsewhere');
    expect(paths).toEqual(['/v1/transaction']);
  });
});

describe('connections', () => {
  it('are kept between calls that may be repeated, each of which is sent once', async () => {
    const ports = new Set<number | undefined>();
    let count = 0;
    const base = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      count++;
      const nextCursor = count < 5 ? `"c${count}"` : 'null';
      response.end(`{"success":true,"message":"","content":{"items":[1],"nextCursor":${nextCursor}}}`);
    });
    const { items } = await call('listTransactions', {}, { base, pages: true });
    expect([JSON.parse(items).length, count, ports.size]).toEqual([5, 5, 1]);
  });
});

describe('amounts', () => {
  it('are sent digit by digit and read digit by digit', async () => {
    const bodies: string[] = [];
    const base = await serve(async (request, response) => {
      bodies.push(await bodyOf(request));
      response.end('{"success":true,"message":"","content":{"a":123456789012345678.910,"b":[0.10,1],"revision":3}}');
    });
    const given = { ...w.example('verifyTransaction'), totalAmount: '98765432109876543.210' };
    const said = await call('verifyTransaction', given, { base });
    expect(bodies[0]).toContain('"totalAmount": 98765432109876543.210');
    expect(said.content).toBe('{"a": 123456789012345678.910, "b": [0.10, 1], "revision": 3}');
  });
});

it('pages go through a whole list', async () => {
  for (let i = 0; i < 3; i++) await w.sale();
  const { items } = await call('list_transactions', { limit: 2 }, { pages: true, operation: 'listTransactions' });
  const { length } = JSON.parse(items);
  const seen: unknown[] = [];
  for await (const t of w.client.pages('listTransactions')) seen.push(t);
  expect(length).toBe(seen.length);
  expect(length).toBeGreaterThan(3);
});

describe('webhooks', () => {
  interface Vector {
    readonly what: string;
    readonly secrets: Readonly<Record<string, string | boolean>>;
    readonly timestamp: number;
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
  }
  const page = join(import.meta.dirname, '../../../docs/reference/webhook-vectors.json');
  const { vectors } = JSON.parse(readFileSync(page, 'utf8')) as { vectors: Vector[] };
  const check = (v: Vector, more: object = {}) =>
    python.ask({
      ...{ do: 'webhook', body: v.body, headers: v.headers, form: 'standard', now: String(v.timestamp) },
      secret: Object.values(v.secrets).filter((s) => typeof s === 'string'),
      ...more,
    });

  it.each(vectors)('are accepted as sent, in both forms: $what', async (v) => {
    for (const form of ['standard', 'x-signature'])
      expect(exactly((await check(v, { form })).event)).toEqual(exactly(v.body));
  });

  it('are not checked against a secret that is none, with which anybody can sign', async () => {
    const [v] = vectors as [Vector];
    const sign = (text: string) => createHmac('sha256', '').update(text);
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(v.timestamp),
      'webhook-signature': `v1,${sign(`evt_1.${v.timestamp}.${v.body}`).digest('base64')}`,
      'x-signature': sign(v.body).digest('hex'),
    };
    for (const form of ['standard', 'x-signature'])
      for (const secret of ['', 'whsec_', [`whsec_${Buffer.alloc(24, 1).toString('base64')}`, '']])
        expect(await check(v, { form, headers, secret })).toEqual({ mistake: 'a secret is empty' });
  });

  it.each(vectors)('are refused when altered, by another secret, or late: $what', async (v) => {
    for (const form of ['standard', 'x-signature']) {
      expect((await check(v, { form, body: `${v.body} ` })).refused).toContain('forged or was altered');
      const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
      expect((await check(v, { form, secret: other })).refused).toContain('forged or was altered');
      expect((await check(v, { form, headers: {} })).refused).toBeDefined();
    }
    for (const byS of [-301, 301])
      expect((await check(v, { now: String(v.timestamp + byS) })).refused).toContain('away from the clock');
  });
});
