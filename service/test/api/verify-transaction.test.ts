import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';

// Spec 4.1
describe('verifyTransaction', () => {
  let t: TestApp;
  let psp: Account;
  let client: Account;
  const path = '/v1/transaction/verifyTransaction';
  let n = 0;
  const order = (over: Record<string, unknown> = {}) => ({
    ref: `order-${++n}`,
    totalAmount: 107.5,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 107.5 },
    transactionFee: 1.5,
    ...over,
  });

  beforeAll(async () => {
    t = await makeTestApp();
    psp = await t.makePsp();
    client = await t.makeClient(psp);
  });
  afterAll(() => t.stop());

  it('accepts a transaction and answers with a split that sums to the total', async () => {
    const r = await t.post(path, order(), client.apiKey);
    expect(r.status).toBe(200);
    expect(r.body.success).toBe(true);
    const c = r.body.content;
    expect(Object.keys(c)).toEqual([
      'transactionId',
      'vatAmount',
      'processingFee',
      'merchantAmount',
      'transactionFee',
      'transactionVAT',
      'status',
      'ref',
    ]);
    expect(c).toMatchObject({
      vatAmount: 7.5,
      processingFee: 1.08,
      transactionFee: 1.5,
      transactionVAT: 0.11,
      merchantAmount: 97.31,
      status: 'APPROVED',
    });
  });
});
