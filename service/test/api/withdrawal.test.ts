// The operation withdrawal (Spec 4.11).
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
const body = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref: `gw-${++n}`,
  totalAmount: 1200,
  currency: 'KES',
  customer: { email: 'kip@example.com' },
  toAddress: { bank: 'Equity Bank', accountNumber: '0011223344' },
  countryCode: 'KE',
  transactionFee: 10,
  ...over,
});
const wire: MovementWire = {
  app: () => t,
  method: 'POST',
  path: '/v1/payment/withdrawal',
  operationId: 'withdrawal',
  noun: 'withdrawal',
  caller: () => client,
  psp: () => psp,
  body,
};

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Nairobi Pay', 'KE');
  client = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'KE' });
});
afterAll(() => t?.stop());

describe('withdrawal', () => {
  describe('accepts', () => {
    acceptsMovement(wire);

    it('withholds in Kenya the tax on withdrawals, and the excise and VAT on the fees', async () => {
      // 5 % of 1200 = 60; 15 % of the fees 9 + 10 = 2.85; VAT 16 % of 21.85 = 3.496, half up.
      expect(contentOf(await send(wire, client.apiKey))).toMatchObject({
        vatAmount: 66.35,
        processingFee: 9,
        netAmount: 1114.65,
      });
    });

    it("takes the same tax with a PSP's own key as with a gaming operator's", async () => {
      for (const { apiKey } of [psp, client])
        expect(contentOf(await send(wire, apiKey))).toMatchObject({ vatAmount: 66.35, netAmount: 1114.65 });
    });

    it('keeps banking details of any form sealed and gives them back exactly', async () => {
      const toAddress = { bank: { name: 'Equity', branch: 7 }, lines: ['a', null, true], iban: '' };
      const { transactionId } = contentOf(await send(wire, client.apiKey, body({ toAddress })));
      expect(JSON.stringify(await shown(wire, transactionId))).not.toContain('Equity');
      expect((await shown(wire, transactionId, 'customer')).customer.toAddress).toEqual(toAddress);
    });

    it('gives back numbers of the banking details digit by digit', async () => {
      const text = JSON.stringify(body({ toAddress: { accountNumber: '@' } })).replace('"@"', '12345678901234567890');
      const { transactionId } = contentOf(await t.post(wire.path, text, client.apiKey));
      const r = await t.get(`/v1/transaction/${transactionId}?expand=customer`, client.apiKey);
      expect(r.text).toContain('"toAddress":{"accountNumber":12345678901234567890}');
    });
  });

  describe('validates', () => {
    requiresFields(wire, [
      'ref',
      'totalAmount',
      'currency',
      'customer',
      'customer.email',
      'toAddress',
      'countryCode',
      'transactionFee',
    ]);
    refusesWrongTypes(wire, {
      text: ['ref', 'currency', 'countryCode', 'customer.email'],
      number: ['totalAmount', 'transactionFee'],
      object: ['customer', 'toAddress'],
    });
    limitsText(wire, { ref: 200 });
    namesIgnoredFields(wire);
    validatesMovement(wire);

    it('refuses numbers in the banking details that cannot be held', async () => {
      const text = JSON.stringify(body({ toAddress: { bank: { accountNumber: '@' } } }));
      for (const value of ['1'.repeat(39), '1e400'])
        expectRefusal(
          await t.post(wire.path, text.replace('"@"', value), client.apiKey),
          400,
          'FIELD_INVALID',
          "the field 'toAddress.bank.accountNumber' must have at most 38 digits",
        );
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'withdrawal');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    repeatsMovement(wire, {
      totalAmount: 1201,
      currency: 'USD',
      'customer.email': 'other@example.com',
      'toAddress.accountNumber': '99',
      countryCode: 'UG',
      transactionFee: 11,
    });
  });

  describe('tells', () => {
    tellsMovement(wire, () => ['kip@example.com', 'Equity Bank', '0011223344']);
  });
});
