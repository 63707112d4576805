// GET /v1/tax/rates: the rates in force in a country on a day, with their sources.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, send, type Wire } from '../support/guarantees.ts';
import { entryCount } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
const rates = (query: string, key = client.apiKey) => t.get(`/v1/tax/rates?${query}`, key);
const idsOf = (c: { rates: { ruleId: string }[] }) => c.rates.map((r) => r.ruleId);

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

describe('taxRates', () => {
  const wire: Wire = { app: () => t, method: 'GET', path: '/v1/tax/rates?country=NG', caller: () => client };

  describe('accepts', () => {
    it('tells every rate in force on a day with its source, and the dataset they are from', async () => {
      const c = contentOf(await rates('country=NG&date=2026-11-21'));
      expect(c).toMatchObject({
        country: 'NG',
        name: 'Nigeria',
        date: '2026-11-21',
        dataset: t.app.services.rates.book.version,
      });
      expect(c.rates.length).toBeGreaterThan(5);
      for (const r of c.rates) {
        expect(r.validFrom <= c.date && (r.validTo === null || c.date < r.validTo), r.ruleId).toBe(true);
        expect(r.source, r.ruleId).toMatchObject({
          title: expect.any(String),
          publisher: expect.any(String),
          retrievedOn: expect.any(String),
        });
        expect(['official', 'secondary', 'unverified', 'assumed']).toContain(r.confidence);
      }
      expect(c.rates.find((r: { ruleId: string }) => r.ruleId === 'NG-VAT-STANDARD-2026')).toMatchObject({
        taxCode: 'VAT',
        rate: '7.5',
        base: 'GROSS_INCLUSIVE',
      });
    });

    it('takes the rules of the day asked for, the last day of one and the first of the next', async () => {
      const before = idsOf(contentOf(await rates('country=NG&date=2025-12-31')));
      const after = idsOf(contentOf(await rates('country=NG&date=2026-01-01')));
      expect(before).toContain('NG-VAT-STANDARD-2020');
      expect(before).not.toContain('NG-VAT-STANDARD-2026');
      expect(after).toContain('NG-VAT-STANDARD-2026');
      expect(after).not.toContain('NG-VAT-STANDARD-2020');
    });

    it('knows a country by either of its codes, in any case', async () => {
      const first = await rates('country=NG&date=2026-11-21');
      for (const code of ['ng', 'NGA', 'nga'])
        expect((await rates(`country=${code}&date=2026-11-21`)).text).toBe(first.text);
    });

    it('takes the day it is in the country where none is given', async () => {
      const late = await makeTestApp({ startAt: '2025-12-31T23:30:00Z' });
      try {
        const { apiKey } = await late.makePsp();
        const today = async (country: string) =>
          contentOf(await late.get(`/v1/tax/rates?country=${country}`, apiKey)).date;
        // Half past midnight in Lagos, half past eleven in the evening in London.
        expect([await today('NG'), await today('GB')]).toEqual(['2026-01-01', '2025-12-31']);
      } finally {
        await late.stop();
      }
    });
  });

  describe('validates', () => {
    it('requires the country', async () => {
      for (const query of ['', 'date=2026-11-21'])
        expectRefusal(await rates(query), 400, 'FIELD_REQUIRED', "the field 'country' is required");
    });
    it.each(['ZZ', 'XXX', 'N', '%20'])("refuses '%s' as a country", async (country) => {
      expectRefusal(await rates(`country=${country}`), 400, 'UNKNOWN_COUNTRY', /^the field 'country' is not/);
    });
    it.each(['today', '2026-11', '21.11.2026', '2026-02-30'])("refuses '%s' as a day", async (date) => {
      expectRefusal(await rates(`country=NG&date=${date}`), 400, 'QUERY_INVALID', /'date'/);
    });
    it('says where a country has no rule on a day', async () => {
      expectRefusal(
        await rates('country=NG&date=1990-01-01'),
        400,
        'NO_TAX_RULE',
        "no tax rule for country 'NG' on 1990-01-01; an operator of the service can add one",
      );
    });
  });

  describe('authorises', () => {
    it('tells PSPs, clients and operators the same', async () => {
      const operator = await t.makeOperator();
      const answers = await Promise.all([psp, client, operator].map((a) => send(wire, a.apiKey)));
      for (const r of answers) expect([r.status, r.text]).toEqual([200, answers[0]?.text]);
    });
  });

  describe('tells', () => {
    it('records nothing', async () => {
      const before = await entryCount(t);
      contentOf(await rates('country=NG'));
      expect(await entryCount(t)).toBe(before);
    });
  });
});
