// The turn of a month in countries far ahead of UTC and far behind it: every report counts a record in the month of the
// country's own calendar, and all reports in the same one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportKinds } from '../../src/modules/reports/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

const hourMs = 3_600_000;
/** Reports over the records of all countries, each in its own calendar. */
const everywhere = ['feeStatement', 'settlement', 'ggrDuty', 'chargebacks', 'cryptoActivity'];
const gaming = { customer: { email: 'ada@example.com' } };

/** Tonga is at UTC+13; French Polynesia at UTC-10. The clock of the tests begins on 2026-11-21, 10:00 UTC. */
const places = [
  {
    country: 'TO',
    currency: 'TOP',
    zone: 'UTC+13',
    moment: '2026-11-30T12:00:00Z',
    month: '2026-12',
    other: '2026-11',
  },
  {
    country: 'PF',
    currency: 'XPF',
    zone: 'UTC-10',
    moment: '2026-12-01T09:00:00Z',
    month: '2026-11',
    other: '2026-12',
  },
] as const;

interface Section {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

describe.each(places)('at the turn of a month in $country, $zone', ({ country, currency, moment, month, other }) => {
  let t: TestApp;
  let psp: Account;
  /** Whether reports of the month are provisional while it goes on in the country, by kind. */
  const early: Record<string, unknown> = {};

  beforeAll(async () => {
    t = await makeTestApp();
    psp = await t.makePsp();
    const shop = await t.makeClient(psp, { countryCode: country });
    const operator = await t.makeClient(psp, { countryCode: country, classification: 'IGAMING_LOCAL' });
    t.advance(Date.parse(moment) - t.now());
    const post = async (path: string, body: object, by: Account) => {
      const r = await t.post(path, body, by.apiKey);
      expect(r.status, `${path} ${r.text}`).toBe(200);
    };
    const sale = { totalAmount: 1_000, currency, countryCode: country, paymentMethods: {}, transactionFee: 0 };
    await post('/v1/transaction/verifyTransaction', { ...sale, ref: 'sale' }, shop);
    await post('/v1/transaction/chargeBack', { ref: 'sale' }, psp);
    const coins = { ref: 'coins', totalAmount: 1, currency: 'ETH', countryCode: country, blochainHash: '0x1' };
    await post('/v1/payment/cryptoDeposit', { ...coins, ...gaming, transactionFee: 0 }, shop);
    await post('/captureWager', { amount: 50, ref: 'w', ...gaming, ip: '202.43.8.1', type: 'casino' }, operator);
    // Where the PSP is, November has ended; in French Polynesia it goes on for another hour.
    await totalled(t);
    if (country === 'PF')
      for (const kind of everywhere) early[kind] = (await made(t, { kind, period: month }, psp.apiKey)).provisional;
    // Both months have begun everywhere.
    t.advance(48 * hourMs);
    await totalled(t);
  });
  afterAll(() => t?.stop());

  /** Per section how many rows it has with anything but zeros in their counts. */
  async function counted(kind: string, period: string): Promise<Record<string, number>> {
    const named = kind === 'vatReturn' ? { countryCode: country } : {};
    const report = await made(t, { kind, period, ...named }, psp.apiKey);
    expect([report.reason, report.state]).toEqual([null, 'DONE']);
    const { sections } = (await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey)).body as {
      sections: Section[];
    };
    return Object.fromEntries(
      sections.map((s) => [
        s.name,
        s.rows.filter((r) => Object.values(r).some((v) => typeof v === 'number' && v > 0)).length,
      ]),
    );
  }

  const monthly: Record<string, string> = {
    vatReturn: 'byVerdict',
    feeStatement: 'byFee',
    ggrDuty: 'revenue',
    settlement: 'payable',
    chargebacks: 'chargebacks',
    cryptoActivity: 'byDay',
  };

  // Returns have forms of a few countries, sums of a person laws of a few and cash reports figures of a few, none of which is
  // here. Findings on players and statistics of rules have tests of their own.
  const ofFew = ['filing', 'personSums', 'ctr', 'playerFindings', 'ruleStatistics'];
  it('has an example of every report over a month, but those over call records, corrections and returns', () => {
    const ofMonths = reportKinds.filter((k) => 'period' in k.parameters.properties).map((k) => k.name);
    expect(ofMonths.filter((n) => !n.startsWith('cdr') && !ofFew.includes(n)).sort()).toEqual(
      Object.keys(monthly).sort(),
    );
  });

  if (country === 'PF')
    it('is final only when the month has ended in the countries of its records', async () => {
      expect(early).toEqual(Object.fromEntries(everywhere.map((kind) => [kind, true])));
      for (const kind of everywhere)
        expect((await made(t, { kind, period: month }, psp.apiKey)).provisional, kind).toBe(false);
    });

  it.each(Object.entries(monthly).filter(([kind]) => kind !== 'chargebacks'))(
    '%s has the records in the month of the country',
    async (kind, section) => {
      expect((await counted(kind, month))[section], month).toBeGreaterThan(0);
      expect((await counted(kind, other))[section], other).toBe(0);
    },
  );

  it('dates a chargeback in the same month in the chargebacks report as in the settlement', async () => {
    const inSettlement = async (period: string) => {
      const report = await made(t, { kind: 'settlement', period }, psp.apiKey);
      const { sections } = (await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey)).body as {
        sections: Section[];
      };
      return sections.find((s) => s.name === 'postings')?.rows.filter((r) => r.kind === 'CHARGED_BACK').length ?? 0;
    };
    const listed = async (period: string) => {
      const report = await made(t, { kind: 'chargebacks', period }, psp.apiKey);
      const { sections } = (await t.get(`/v1/report/${report.reportId}/json`, psp.apiKey)).body as {
        sections: Section[];
      };
      return Object.fromEntries(sections.map((s) => [s.name, s.rows.length]));
    };
    expect(await inSettlement(month)).toBeGreaterThan(0);
    expect(await inSettlement(other)).toBe(0);
    expect(await listed(month)).toEqual({ byCurrency: 1, byClient: 1, reversed: 0, chargebacks: 1 });
    expect(await listed(other)).toEqual({ byCurrency: 0, byClient: 0, reversed: 0, chargebacks: 0 });
  });
});
