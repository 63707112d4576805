// The date that selects a tax rule is that of the country's calendar, not of UTC.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CountryTax } from '../../src/core/tax/rule.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';

let t: TestApp;
let n = 0;
afterEach(() => t?.stop());

/** A client of this country, at this moment. */
async function clientAt(startAt: string, countryCode: string): Promise<Account> {
  t = await makeTestApp({ startAt });
  const psp = await t.makePsp('Calendar Pay', countryCode);
  return t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode });
}
const moveTo = (at: string) => t.advance(Date.parse(at) - t.now());

/** A sale: the local date and the rate of its contained tax. */
async function sale(client: Account, countryCode: string, currency: string) {
  const c = contentOf(
    await t.post(
      '/v1/transaction/verifyTransaction?expand=tax,decision',
      { ref: `o-${++n}`, totalAmount: 121, currency, countryCode, paymentMethods: { card: 121 }, transactionFee: 0 },
      client.apiKey,
    ),
  );
  return { date: c.decision.localDate, rate: c.tax[0].rate, vat: c.vatAmount };
}

async function bet(client: Account) {
  const body = {
    amount: 100,
    ref: `b-${++n}`,
    customer: { email: 'kip@example.com' },
    ip: '102.0.2.44',
    type: 'casino',
  };
  const c = contentOf(await t.post('/captureWager?expand=tax', body, client.apiKey));
  return { date: c.localDate, ggr: c.accruals.map((a: { rate: string }) => a.rate) };
}

/** Gives a country another standard rate from a day on, as staff does. */
async function changeRate(jurisdiction: string, rate: string, from: string): Promise<void> {
  const file = join(import.meta.dirname, `../../data/tax/${jurisdiction}.json`);
  const country = JSON.parse(readFileSync(file, 'utf8')) as CountryTax;
  const rules = country.rules.flatMap((r) =>
    r.category === 'standard' && r.base === 'GROSS_INCLUSIVE' && r.validTo === null
      ? [
          { ...r, validTo: from },
          { ...r, ruleId: `${jurisdiction}-CHANGED`, rate, validFrom: from },
        ]
      : [r],
  );
  const operator = await t.makeOperator();
  contentOf(await t.post('/v1/admin/tax', { reason: 'a new law', country: { ...country, rules } }, operator.apiKey));
}

describe('the local date decides', () => {
  it('in Bucharest, three hours ahead: 21 % at 23:30 UTC of the day before the change', async () => {
    const client = await clientAt('2025-07-31T20:59:59Z', 'RO');
    expect(await sale(client, 'RO', 'RON')).toEqual({ date: '2025-07-31', rate: '19', vat: 19.32 });
    expect(await bet(client)).toEqual({ date: '2025-07-31', ggr: ['21'] });
    moveTo('2025-07-31T21:00:00Z');
    expect(await sale(client, 'RO', 'RON')).toEqual({ date: '2025-08-01', rate: '21', vat: 21 });
    moveTo('2025-07-31T23:30:00Z');
    expect(await sale(client, 'RO', 'RON')).toEqual({ date: '2025-08-01', rate: '21', vat: 21 });
    expect(await bet(client)).toEqual({ date: '2025-08-01', ggr: ['27'] });
  });

  it('in Auckland, thirteen hours ahead in summer: a rule loaded for the next day is in force at 23:30 UTC', async () => {
    const client = await clientAt('2026-11-30T10:59:59Z', 'NZ');
    await changeRate('NZ', '21', '2026-12-01');
    expect(await sale(client, 'NZ', 'NZD')).toMatchObject({ date: '2026-11-30', rate: '15' });
    moveTo('2026-11-30T23:30:00Z');
    expect(await sale(client, 'NZ', 'NZD')).toEqual({ date: '2026-12-01', rate: '21', vat: 21 });
  });

  it('in Mexico City, six hours behind: the old rule holds while it is the next day in UTC', async () => {
    const client = await clientAt('2026-12-01T05:59:59Z', 'MX');
    await changeRate('MX', '21', '2026-12-01');
    expect(await sale(client, 'MX', 'MXN')).toMatchObject({ date: '2026-11-30', rate: '16' });
    moveTo('2026-12-01T06:00:00Z');
    expect(await sale(client, 'MX', 'MXN')).toEqual({ date: '2026-12-01', rate: '21', vat: 21 });
  });
});
