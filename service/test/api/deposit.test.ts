// The operation deposit (Spec 4.10).
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
  ref: `gd-${++n}`,
  totalAmount: 5000,
  currency: 'KES',
  customer: { email: 'kip@example.com', phoneNumber: '+254700000001' },
  countryCode: 'KE',
  transactionFee: 25,
  ...over,
});
const wire: MovementWire = {
  app: () => t,
  method: 'POST',
  path: '/v1/payment/deposit',
  operationId: 'deposit',
  noun: 'deposit',
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

describe('deposit', () => {
  describe('accepts', () => {
    acceptsMovement(wire);

    it('takes in Kenya the excise on the deposit, and excise and VAT on the fees of a gaming operator', async () => {
      // 5 % of 5000 = 250; 15 % of the fees 37.50 + 25 = 9.375, half up; VAT 16 % of 71.875 = 11.50.
      const c = contentOf(await send(wire, client.apiKey));
      expect(c).toMatchObject({ vatAmount: 270.88, processingFee: 37.5, netAmount: 4666.62 });
      const { tax } = await shown(wire, c.transactionId, 'tax');
      expect(tax).toContainEqual(
        expect.objectContaining({
          taxCode: 'EXCISE',
          base: 'DEPOSIT_VALUE',
          rate: '5',
          taxableAmount: 5000,
          tax: 250,
          method: 'ADDED',
          ruleId: 'KE-EXCISE-GAMING-DEPOSIT-2025',
          source: expect.objectContaining({ title: expect.any(String) }),
        }),
      );
      // The base of the VAT is the fees with the excise on them: 62.50 + 9.38.
      expect(tax).toContainEqual(
        expect.objectContaining({ taxCode: 'VAT', base: 'FEE', rate: '16', taxableAmount: 71.88, tax: 11.5 }),
      );
    });

    it("takes the same tax with a PSP's own key as with a gaming operator's", async () => {
      for (const { apiKey } of [psp, client])
        expect(contentOf(await send(wire, apiKey, body({ totalAmount: 1000, transactionFee: 10 })))).toMatchObject({
          // 5 % of 1000 = 50; 15 % of the fees 7.50 + 10 = 2.625; VAT 16 % of 20.125 = 3.22.
          vatAmount: 55.85,
          netAmount: 926.65,
        });
    });

    it('takes nothing on the deposit itself in Nigeria, only VAT on the fees', async () => {
      // Fees 7.50 + 1, VAT 7.5 % = 0.6375.
      expect(
        contentOf(
          await send(
            wire,
            client.apiKey,
            body({ totalAmount: 1000, currency: 'NGN', countryCode: 'NG', transactionFee: 1 }),
          ),
        ),
      ).toMatchObject({ vatAmount: 0.64, processingFee: 7.5, netAmount: 990.86 });
    });

    it('takes in India the tax on deposits', async () => {
      // 40/140 of 1000 = 285.714… and 18 % of the fees 7.50.
      expect(
        contentOf(
          await send(
            wire,
            client.apiKey,
            body({ totalAmount: 1000, currency: 'INR', countryCode: 'IN', transactionFee: 0 }),
          ),
        ),
      ).toMatchObject({ vatAmount: 287.06, processingFee: 7.5, netAmount: 705.44 });
    });
  });

  describe('validates', () => {
    requiresFields(wire, [
      'ref',
      'totalAmount',
      'currency',
      'customer',
      'customer.email',
      'countryCode',
      'transactionFee',
    ]);
    refusesWrongTypes(wire, {
      text: ['ref', 'currency', 'countryCode', 'customer.email', 'customer.name', 'customer.phoneNumber'],
      number: ['totalAmount', 'transactionFee'],
      object: ['customer'],
    });
    limitsText(wire, { ref: 200 });
    namesIgnoredFields(wire);
    validatesMovement(wire);

    it('takes no crypto asset for a currency', async () => {
      expectRefusal(
        await send(wire, client.apiKey, body({ currency: 'USDT' })),
        400,
        'UNKNOWN_CURRENCY',
        "the field 'currency' is not an ISO 4217 currency code: 'USDT'",
      );
    });

    it('refuses more decimals than the currency has', async () => {
      expectRefusal(
        await send(wire, client.apiKey, body({ totalAmount: 5000.001 })),
        400,
        'AMOUNT_PRECISION',
        "the field 'totalAmount' has more decimals than KES allows: 5000.001 (KES has 2)",
      );
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'deposit');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    repeatsMovement(wire, {
      totalAmount: 5001,
      currency: 'USD',
      'customer.email': 'other@example.com',
      'customer.phoneNumber': '+254700000002',
      countryCode: 'UG',
      transactionFee: 26,
    });
  });

  describe('tells', () => {
    tellsMovement(wire, () => ['kip@example.com', '+254700000001', '254700000001']);
  });
});
