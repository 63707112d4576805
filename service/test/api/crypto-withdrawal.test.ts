// The operation cryptoWithdrawal (Spec 4.9).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  limitsText,
  namesIgnoredFields,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  send,
} from '../support/guarantees.ts';
import {
  acceptsMovement,
  type MovementWire,
  repeatsMovement,
  shown,
  tellsMovement,
  validatesMovement,
} from '../support/movements.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const toAddress = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';
const body = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref: `wd-${++n}`,
  totalAmount: 250.5,
  currency: 'USDT',
  blochainHash: '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b',
  customer: { email: 'ada@example.com' },
  countryCode: 'NG',
  transactionFee: 1,
  toAddress,
  ...over,
});
const wire: MovementWire = {
  app: () => t,
  method: 'POST',
  path: '/v1/payment/cryptoWithdrawal',
  operationId: 'cryptoWithdrawal',
  noun: 'crypto withdrawal',
  caller: () => client,
  psp: () => psp,
  body,
};

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp, { classification: 'CRYPTO_GLOBAL' });
});
afterAll(() => t?.stop());

describe('cryptoWithdrawal', () => {
  describe('accepts', () => {
    acceptsMovement(wire);

    it('takes VAT on both fees in Nigeria and leaves the rest to be sent', async () => {
      expect(contentOf(await send(wire, client.apiKey))).toMatchObject({
        // 7.5 % of 2.2525 is 0.1689375, in the 6 decimals that every network of USDT carries.
        vatAmount: 0.168938,
        processingFee: 1.2525,
        netAmount: 248.078562,
      });
    });

    it('takes in India the tax on the fees, and nothing that is withheld from a sale', async () => {
      // Fees 5 + 1, GST 18 % = 1.08; the 1 % of section 194S falls on a transfer for consideration.
      expect(contentOf(await send(wire, client.apiKey, body({ totalAmount: 1000, countryCode: 'IN' })))).toMatchObject({
        vatAmount: 1.08,
        processingFee: 5,
        netAmount: 992.92,
      });
    });

    it('keeps the address sealed and shows it to those who may ask', async () => {
      const { transactionId } = contentOf(await send(wire, client.apiKey));
      expect(JSON.stringify(await shown(wire, transactionId))).not.toContain(toAddress);
      expect((await shown(wire, transactionId, 'customer')).customer).toEqual({
        customer: { email: 'ada@example.com' },
        toAddress,
      });
    });
  });

  describe('validates', () => {
    requiresFields(wire, [
      'ref',
      'totalAmount',
      'currency',
      'blochainHash',
      'customer',
      'customer.email',
      'countryCode',
      'transactionFee',
      'toAddress',
    ]);
    refusesWrongTypes(wire, {
      text: ['ref', 'currency', 'blochainHash', 'countryCode', 'toAddress', 'customer.email'],
      number: ['totalAmount', 'transactionFee'],
      object: ['customer'],
    });
    limitsText(wire, { ref: 200, blochainHash: 200, toAddress: 200 });
    namesIgnoredFields(wire);
    validatesMovement(wire);

    it('refuses more decimals than the asset has', async () => {
      expectRefusal(
        await send(wire, client.apiKey, body({ currency: 'XRP', totalAmount: 1.1234567 })),
        400,
        'AMOUNT_PRECISION',
        "the field 'totalAmount' has more decimals than XRP allows: 1.1234567 (XRP has 6)",
      );
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'cryptoWithdrawal');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    repeatsMovement(wire, {
      totalAmount: 251,
      currency: 'USDC',
      blochainHash: '0xother',
      'customer.email': 'other@example.com',
      countryCode: 'GH',
      transactionFee: 2,
      toAddress: 'TAnotherAddress',
    });
  });

  describe('tells', () => {
    tellsMovement(wire, () => ['ada@example.com', toAddress]);
  });
});
