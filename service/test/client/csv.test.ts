// A list as a CSV file through the client library: the file as the service writes it, and never a part of it.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Assay, isRefusal, NoReplyError } from '../../../client/src/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let assay: Assay;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  const client = await t.makeClient(psp);
  for (const ref of ['first', 'second'])
    contentOf(
      await t.post(
        '/v1/transaction/verifyTransaction',
        {
          ref,
          totalAmount: 107.5,
          currency: 'NGN',
          countryCode: 'NG',
          paymentMethods: { card: 107.5 },
          transactionFee: 0,
        },
        client.apiKey,
      ),
    );
  assay = new Assay({ baseUrl: t.address, apiKey: psp.apiKey, retries: 0 });
});
afterAll(() => t.stop());

describe('a list as a file', () => {
  it('is what the service writes, with the filters of the list', async () => {
    const { content, headers } = await assay.csv('listTransactions', { ref: 'second' });
    const { text } = await t.get('/v1/transaction?ref=second', psp.apiKey, { accept: 'text/csv' });
    expect(content).toBe(text);
    expect(content.split('\r\n').length).toBe(4);
    expect(headers.get('content-disposition')).toContain('transactions-');
  });

  it('is refused like the list', async () => {
    const misspelt = { statu: 'DECLINED' } as unknown as { status: 'DECLINED' };
    const refused = await assay.csv('listTransactions', misspelt).catch((e: unknown) => e);
    expect(isRefusal(refused, 'QUERY_INVALID')).toBe(true);
  });

  it('throws if the file breaks off', async () => {
    const server: Server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('Transaction id\r\ntxn_1\r\n', () => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const broken = new Assay({ baseUrl, apiKey: psp.apiKey, retries: 0 }).csv('listTransactions');
    await expect(broken).rejects.toBeInstanceOf(NoReplyError);
    server.close();
  });
});
