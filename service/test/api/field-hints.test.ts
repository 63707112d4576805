// A refusal of a field suggests what was probably meant: the right name of an unknown field, a wrong wrapping, a
// country's code for its name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadReference } from '../../src/platform/data-files.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

const sale = {
  ref: 'h-1',
  totalAmount: 100,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 100 },
  transactionFee: 0,
};
const verify = (body: object) => t.post('/v1/transaction/verifyTransaction', body, psp.apiKey);

describe('a refused field', () => {
  it.each([
    ['Nigeria', 'NG'],
    ["Côte d'Ivoire", 'CI'],
    ['COTE D’IVOIRE', 'CI'],
    ['Cape Verde', 'CV'],
    ['St. Lucia', 'LC'],
    ['United States', 'US'],
  ])('that names the country %s is answered with its code', async (name, code) => {
    expectRefusal(
      await verify({ ...sale, countryCode: name }),
      400,
      'FIELD_INVALID',
      `the field 'countryCode' may have at most 3 characters; for ${name} use ${code}`,
    );
  });

  it('that names any country of ISO 3166 by our own name for it is answered with its code', async () => {
    for (const { name, alpha2 } of loadReference().countries) {
      t.advance(1000);
      const r = await verify({ ...sale, countryCode: name });
      expect([alpha2, r.status, r.body.message.split('; ')[1]]).toEqual([alpha2, 400, `for ${name} use ${alpha2}`]);
    }
  });

  it('that names no country, or is no country, has no hint', async () => {
    for (const countryCode of ['Atlantis', 'constructor', '__proto__', 'Nigeria '.repeat(20)])
      expectRefusal(
        await verify({ ...sale, countryCode }),
        400,
        'FIELD_INVALID',
        "the field 'countryCode' may have at most 3 characters",
      );
    const ref = 'Nigeria'.repeat(40);
    expectRefusal(
      await verify({ ...sale, ref }),
      400,
      'FIELD_INVALID',
      "the field 'ref' may have at most 200 characters",
    );
  });

  it('that is missing is named with the unknown one that was sent for it', async () => {
    const { countryCode, ...rest } = sale;
    const missing = "the field 'countryCode' is required";
    expectRefusal(
      await verify({ ...rest, country: countryCode }),
      400,
      'FIELD_REQUIRED',
      `${missing}; 'country' is not known here`,
    );
    expectRefusal(await verify({ ...rest, place: 'NG' }), 400, 'FIELD_REQUIRED', missing);
    expectRefusal(
      await verify({ transaction: sale }),
      400,
      'FIELD_REQUIRED',
      "the field 'ref' is required; it is inside 'transaction', a field that is not known here, and belongs beside it",
    );
  });

  it('that a report needs is answered with the field around it that was not read; unwrapped it is taken', async () => {
    const ask = (body: object) => t.post('/v1/report', body, psp.apiKey);
    const parameters = { period: '2026-10' };
    const r = await ask({ kind: 'chargebacks', parameters });
    expectRefusal(r, 400, 'FIELD_INVALID', /needs the field 'period'; not known here, and not read: 'parameters'$/);
    contentOf(await ask({ kind: 'chargebacks', ...parameters }));
  });
});
