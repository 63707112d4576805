// The client library behind a proxy that redirects, loses replies, or asks for very long waits.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Assay, AssayError } from '@assay/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

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

/** Passes a request on to the service and its answer back, except where `spoil` has done something else. */
async function proxy(spoil: (n: number, response: ServerResponse) => boolean) {
  const passed: string[] = [];
  const address = await serve(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    passed.push(request.url as string);
    const answer = await t.post(request.url as string, Buffer.concat(chunks).toString(), psp.apiKey);
    if (spoil(passed.length, response)) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  });
  return { address, passed };
}

/** The first answer is lost; the second is a gateway's, though the service has answered. */
const spoilTwo = (n: number, response: ServerResponse): boolean => {
  if (n === 1) response.destroy();
  if (n === 2) response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503</h1>');
  return n <= 2;
};

const order = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
});

describe('behind a gateway', () => {
  it.each([301, 302, 303, 307, 308])('no key, body or client is sent to where a %i leads', async (status) => {
    const came: string[] = [];
    const elsewhere = await serve((request, response) => {
      came.push(`${request.method} ${request.url}`);
      response.end('{"success":true,"message":"","content":{}}');
    });
    const address = await serve((_, response) => response.writeHead(status, { location: `${elsewhere}/taken` }).end());
    const assay = new Assay({ baseUrl: address, apiKey: psp.apiKey });
    for (const call of [() => assay.verifyTransaction(order('moved')), () => assay.listTransactions()]) {
      const error = await call().catch((e: unknown) => e);
      expect(error).toBeInstanceOf(AssayError);
      expect(error).toMatchObject({ status, message: expect.stringContaining(`redirected to ${elsewhere}/taken`) });
    }
    expect(came).toEqual([]);
  });

  it('nobody is held for longer than a minute by what an answer asks for', async () => {
    const waits: number[] = [];
    const date = 'Fri, 01 Jan 2100 00:00:00 GMT';
    for (const asked of ['86400', '999999999999', '30', date, 'Wed, 21 Oct 2015 07:28:00 GMT', 'soon']) {
      const address = await serve((_, response) => response.writeHead(503, { 'retry-after': asked }).end());
      const sleep = async (ms: number) => void waits.push(ms);
      const assay = new Assay({ baseUrl: address, apiKey: psp.apiKey, sleep, random: () => 0, retries: 1 });
      const { status, retryAfterS } = await assay.listTransactions().catch((e) => e);
      expect(status).toBe(503);
      if (asked === date) expect(retryAfterS).toBeGreaterThan(86_400 * 365);
      else expect(retryAfterS).toBe(asked === 'soon' ? undefined : asked.includes('2015') ? 0 : Number(asked));
    }
    expect(waits).toEqual([60_000, 60_000, 30_000, 60_000, 100, 100]);
  });

  it('a decline is repeated when its answer was lost, and has declined once', async () => {
    const direct = new Assay({ baseUrl: t.address, apiKey: psp.apiKey });
    const { transactionId } = await direct.verifyTransaction(order('declined-behind-a-gateway'));
    const { address, passed } = await proxy(spoilTwo);
    const assay = new Assay({ baseUrl: address, apiKey: psp.apiKey });
    const reply = await assay.declineTransaction({ ref: 'declined-behind-a-gateway' });
    expect(reply).toEqual({ transactionId, ref: 'declined-behind-a-gateway', status: 'DECLINED' });
    expect(passed).toHaveLength(3);
    expect((await told(t, transactionId)).map((e) => e.kind)).toEqual(['transaction.created', 'transaction.updated']);
  });

  it('a tax quote is repeated when its answer was lost', async () => {
    const { address, passed } = await proxy(spoilTwo);
    const assay = new Assay({ baseUrl: address, apiKey: psp.apiKey });
    const quote = { operation: 'verifyTransaction', totalAmount: 107.5, currency: 'NGN', countryCode: 'NG' } as const;
    expect(await assay.taxQuote(quote)).toEqual(
      await new Assay({ baseUrl: t.address, apiKey: psp.apiKey }).taxQuote(quote),
    );
    expect(passed).toHaveLength(3);
  });

  it('a secret is not made again when the answer was lost', async () => {
    const { address, passed } = await proxy(spoilTwo);
    const assay = new Assay({ baseUrl: address, apiKey: psp.apiKey });
    await expect(assay.rotateSecret({})).rejects.toThrow('no reply');
    expect(passed).toHaveLength(1);
  });
});
