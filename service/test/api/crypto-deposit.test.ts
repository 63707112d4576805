// The operation cryptoDeposit (Spec 4.8).
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
  ref: `dep-${++n}`,
  totalAmount: 1000,
  currency: 'USDT',
  blochainHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
  customer: { email: 'ada@example.com' },
  countryCode: 'NG',
  transactionFee: 1,
  ...over,
});
const wire: MovementWire = {
  app: () => t,
  method: 'POST',
  path: '/v1/payment/cryptoDeposit',
  operationId: 'cryptoDeposit',
  noun: 'crypto deposit',
  caller: () => client,
  psp: () => psp,
  body,
};

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp, { classification: 'CRYPTO_LOCAL' });
});
afterAll(() => t?.stop());

describe('cryptoDeposit', () => {
  describe('accepts', () => {
    acceptsMovement(wire);

    it('works out parts of 6 decimals of an amount that has no more, as most networks of USDT carry, else of 18', async () => {
      // 0.5 % of 10.000001 is 0.050000005; 7.5 % of the fees of 0.05 and 0.333333 is 0.028749975.
      const few = await send(wire, client.apiKey, body({ totalAmount: 10.000001, transactionFee: 0.333333 }));
      expect(contentOf(few)).toMatchObject({ vatAmount: 0.02875, processingFee: 0.05, netAmount: 9.587918 });
      const many = await send(wire, client.apiKey, body({ totalAmount: 10.0000011, transactionFee: 0 }));
      expect(contentOf(many)).toMatchObject({ processingFee: 0.0500000055, vatAmount: 0.0037500004125 });
      const operator = await t.makeOperator();
      const range = { clientId: client.id, countryCode: 'NG', from: '2026-11-01', to: '2026-11-30', reason: 'checked' };
      expect(contentOf(await t.post('/v1/correction', range, operator.apiKey)).adjusted).toBe(0);
    });

    it('credits 998.925 of 1000 USDT in Nigeria where the PSP pays no processing fee: VAT is on the fee of 1', async () => {
      const free = await t.makePsp();
      const exchange = await t.makeClient(free, { classification: 'CRYPTO_LOCAL' });
      const operator = await t.makeOperator();
      contentOf(
        await t.post(
          '/v1/admin/fee',
          {
            feeId: 'FREE-CRYPTO-2026',
            pspId: free.id,
            operations: ['cryptoDeposit'],
            percent: '0',
            validFrom: '2026-01-01',
            reason: 'contract',
          },
          operator.apiKey,
        ),
      );
      const c = contentOf(await send(wire, exchange.apiKey));
      expect(c).toMatchObject({ vatAmount: 0.075, processingFee: 0, netAmount: 998.925 });
      const s = contentOf(await t.get(`/v1/transaction/${c.transactionId}?expand=fees`, free.apiKey));
      expect(s.fees).toMatchObject({ feeId: 'FREE-CRYPTO-2026', percent: '0', processingFee: 0 });
      // Every other PSP goes on paying 0.5 %.
      expect(contentOf(await send(wire, client.apiKey))).toMatchObject({ processingFee: 5, vatAmount: 0.45 });
    });

    it('keeps eighteen decimals of ETH exact in reply, status and list', async () => {
      const ref = `dep-${++n}`;
      const r = await t.post(
        wire.path,
        `{"ref":"${ref}","totalAmount":1.123456789012345678,"currency":"ETH","blochainHash":"0xabc","customer":{"email":"ada@example.com"},"countryCode":"NG","transactionFee":0.000000000000000001}`,
        client.apiKey,
      );
      const { transactionId } = contentOf(r);
      expect(r.text).toContain('"vatAmount":0.00042129629587963,');
      expect(r.text).toContain('"processingFee":0.005617283945061728,');
      expect(r.text).toContain('"netAmount":1.117418208771404319,');
      for (const path of [
        `/v1/transaction/verifyTransactionStatus?transactionId=${transactionId}`,
        `/v1/transaction?ref=${ref}`,
      ]) {
        const { text } = await t.get(path, client.apiKey);
        expect(text).toContain('"totalAmount":1.123456789012345678,');
        expect(text).toContain('"netAmount":1.117418208771404319,');
        expect(text).toMatch(/"transactionFee":(1e-18|0\.000000000000000001),/);
      }
    });

    it('takes known assets in any case, and ISO currencies as well', async () => {
      for (const [currency, stored] of [
        ['btc', 'BTC'],
        ['Usdc', 'USDC'],
        ['ngn', 'NGN'],
      ]) {
        const { transactionId } = contentOf(await send(wire, client.apiKey, body({ currency })));
        expect((await shown(wire, transactionId)).currency).toBe(stored);
      }
    });

    it('says of a rate that is not known that it is not, instead of calling it exempt', async () => {
      const { transactionId } = contentOf(await send(wire, client.apiKey, body({ countryCode: 'KE' })));
      const c = await shown(wire, transactionId, 'tax');
      expect(c.observations).toEqual([
        {
          code: 'TAX_RATE_UNKNOWN',
          field: 'countryCode',
          message: 'the rate of VAT by KE-VAT-CRYPTO-FEE-2021 is not known; none was worked out, which is no exemption',
        },
      ]);
      expect(c.tax).toContainEqual(
        expect.objectContaining({ taxCode: 'VAT', rate: null, tax: 0, reason: 'UNKNOWN', confidence: 'unverified' }),
      );
    });

    it('takes in Kenya the excise on both fees and nothing on the value', async () => {
      // Fees 5 + 1, excise 10 %.
      expect(contentOf(await send(wire, client.apiKey, body({ countryCode: 'KE' })))).toMatchObject({
        vatAmount: 0.6,
        processingFee: 5,
        netAmount: 993.4,
      });
    });

    it('takes a fee of zero', async () => {
      expect(contentOf(await send(wire, client.apiKey, body({ transactionFee: 0 })))).toMatchObject({
        vatAmount: 0.375,
        netAmount: 994.625,
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
    ]);
    refusesWrongTypes(wire, {
      text: [
        'ref',
        'currency',
        'blochainHash',
        'countryCode',
        'customer.email',
        'customer.name',
        'customer.phoneNumber',
      ],
      number: ['totalAmount', 'transactionFee'],
      object: ['customer'],
    });
    limitsText(wire, { ref: 200, blochainHash: 200, 'customer.name': 200, 'customer.phoneNumber': 32 });
    namesIgnoredFields(wire);
    validatesMovement(wire);

    it('knows the hash only by the name the interface spells', async () => {
      const { blochainHash, ...rest } = body();
      expectRefusal(
        await send(wire, client.apiKey, { ...rest, blockchainHash: blochainHash }),
        400,
        'FIELD_REQUIRED',
        "the field 'blochainHash' is required; 'blockchainHash' is not known here",
      );
    });

    it('refuses more decimals than the asset has', async () => {
      expectRefusal(
        await send(wire, client.apiKey, body({ currency: 'BTC', totalAmount: 1.123456789 })),
        400,
        'AMOUNT_PRECISION',
        "the field 'totalAmount' has more decimals than BTC allows: 1.123456789 (BTC has 8)",
      );
      expectRefusal(
        await send(wire, client.apiKey, body({ currency: 'BTC', transactionFee: 0.000000001 })),
        400,
        'AMOUNT_PRECISION',
        "the field 'transactionFee' has more decimals than BTC allows: 0.000000001 (BTC has 8)",
      );
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'cryptoDeposit');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    repeatsMovement(wire, {
      totalAmount: 1001,
      currency: 'USDC',
      blochainHash: '0xother',
      'customer.email': 'other@example.com',
      'customer.name': 'Other',
      countryCode: 'GH',
      transactionFee: 2,
    });
  });

  describe('tells', () => {
    tellsMovement(wire, () => ['ada@example.com']);
  });
});
