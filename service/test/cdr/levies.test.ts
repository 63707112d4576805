// What operators owe on calls by a return of the period, in countries whose law has such a levy: beside the taxes that calls
// bear in every answer, report and total, never in their sums, and held by the audit. Figures are worked out by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsLackingDuties } from '../../src/modules/telecom/analysis/lacking-duties.ts';
import { compareCallTaxes, forgetAnalyses } from '../../src/modules/telecom/index.ts';
import type { Database } from '../../src/platform/database.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { analysed, everything, wrongTotals } from '../support/cdr-analysis.ts';
import { contentOf } from '../support/guarantees.ts';
import { made } from '../support/reports.ts';
import { readWorkbook } from '../support/workbook.ts';

let t: TestApp;
let psp: Account;
let staff: Account;
const operators = new Map<string, Account>();
const of = (country: string) => operators.get(country) as Account;
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever is answered
type Shown = any;

let n = 0;
const calling = { SN: '+221', CI: '+225', CD: '+243', BF: '+226', GN: '+224', TN: '+216', DZ: '+213' } as const;
type Country = keyof typeof calling;
const currencies = { SN: 'XOF', CI: 'XOF', CD: 'CDF', BF: 'XOF', GN: 'GNF', TN: 'TND', DZ: 'DZD' } as const;
async function call(country: Country, cost: number, over: Record<string, unknown> = {}): Promise<string> {
  const { dataKb, ...rest } = over;
  const body = {
    cdr_id: `C-${++n}`,
    caller_number: `${calling[country]}770000001`,
    receiver_number: `${calling[country]}770000002`,
    call_start_time: '2026-11-20T10:00:00Z',
    call_end_time: '2026-11-20T10:02:30Z',
    call_duration_seconds: 150,
    call_type: 'VOICE',
    network_provider: 'Orange',
    billing_information: {
      call_cost: cost,
      currency: currencies[country],
      ...(dataKb === undefined ? {} : { data_used_kb: dataKb }),
    },
    ...rest,
  };
  return contentOf(await t.post('/v1/telecom/recordCDR', body, of(country).apiKey)).cdrId;
}
const october = { call_start_time: '2026-10-20T10:00:00Z', call_end_time: '2026-10-20T10:02:30Z' };

let report: Shown;
let reportId: string;
let voiceOfSenegal: string;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Operators', 'SN');
  staff = await t.makeOperator();
  for (const country of Object.keys(calling))
    operators.set(country, await t.makeClient(psp, { countryCode: country, registeredName: `Telecom ${country}` }));
  voiceOfSenegal = await call('SN', 730);
  await call('SN', 120, { call_type: 'SMS' });
  await call('SN', 1000, { call_type: 'DATA', dataKb: 2048 });
  // Withdrawn, and so in no figure.
  const wrong = await call('SN', 99_999);
  contentOf(await t.post(`/v1/telecom/cdr/${wrong}/withdraw`, { reason: 'a test' }, of('SN').apiKey));
  await call('CI', 2500);
  await call('CD', 100);
  await call('CD', 100, { call_type: 'SMS' });
  await call('CD', 100, { call_type: 'DATA', dataKb: 307_200 });
  await call('CD', 0, { call_type: 'MTC' });
  await call('BF', 1250);
  await call('BF', 500, october);
  await analysed(t, psp);
  contentOf(await t.post('/v1/telecom/period/close', { period: '2026-10' }, of('BF').apiKey));
  await analysed(t, psp);
  await call('BF', 1000, october);
  await call('GN', 45_000);
  await call('TN', 10);
  await call('DZ', 100);
  contentOf(
    await t.post(
      '/v1/telecom/declaration',
      {
        period: '2026-11',
        lines: [
          { taxCode: 'CST', tax: 80, currency: 'XOF' },
          { tax: 442.15, currency: 'XOF' },
        ],
      },
      of('SN').apiKey,
    ),
  );
  await analysed(t, psp);
  ({ reportId } = await made(t, { kind: 'cdrTax', period: '2026-11' }, psp.apiKey));
  report = (await t.get(`/v1/report/${reportId}/json`, psp.apiKey)).body;
});
afterAll(() => t?.stop());

const section = (name: string, from: Shown = report): Shown[] =>
  from.sections.find((s: { name: string }) => s.name === name).rows;
const ofOperator = (name: string, country: string) => section(name).filter((r) => r.operator === `Telecom ${country}`);

describe('a call', () => {
  it('shows what its operator owes beside what it bears, with law and authority', async () => {
    const { analysis } = contentOf(await t.get(`/v1/telecom/cdr/${voiceOfSenegal}?expand=tax`, of('SN').apiKey));
    // RUTEL 5 % of 730 = 36.5; VAT 18 % of 766.5 = 137.97; the contribution of 5 % is in neither.
    expect([analysis.tax, analysis.byReturn]).toEqual([174.47, [{ currency: 'XOF', tax: 36.5 }]]);
    expect(analysis.taxes.map((x: Shown) => [x.taxCode, x.tax, x.method, x.owedBy])).toEqual([
      ['RUTEL', 36.5, 'ADDED', null],
      ['VAT', 137.97, 'ADDED', null],
      ['CST', 36.5, 'BY_RETURN', 'CLIENT'],
    ]);
    expect(analysis.taxes.at(-1)).toMatchObject({
      taxable: 730,
      rate: '5',
      authority: 'Direction générale des Impôts et des Domaines',
      legalRef: 'Loi de finances rectificative 2018, art. 41',
    });
    expect(analysis.taxes[0].authority).toBeNull();
  });

  it('of a country whose levy is on recharges owes nothing by itself', async () => {
    for (const country of ['TN', 'DZ'] as const) {
      const { items } = contentOf(await t.get('/v1/telecom/analysis?period=2026-11', of(country).apiKey));
      expect(items.map((i: Shown) => [i.records, i.byReturn])).toEqual([[1, []]]);
      expect(items[0].taxes.map((x: Shown) => x.taxCode)).not.toContain('RECHARGE_TAX');
    }
  });
});

describe('totals', () => {
  it('are apart, by the currency in which they are owed, and open to their calls', async () => {
    const { items } = contentOf(await t.get('/v1/telecom/analysis?period=2026-11', of('CD').apiKey));
    const owed = items.flatMap((i: Shown) => i.byReturn.map((b: Shown) => [i.class, b.currency, b.tax]));
    // 2.5 minutes × 0.0075; one message × 0.003; 300 MB × 0.00005; a call that was received owes nothing.
    expect(owed.sort()).toEqual([
      ['DATA', 'USD', 0.015],
      ['SMS', 'USD', 0.003],
      ['UNCLASSIFIED', 'USD', 0.01875],
    ]);
    // VAT 16 % and excise 10 % of 100 each: the dollars are in no sum.
    expect(items.reduce((sum: number, i: Shown) => sum + i.tax, 0)).toBe(78);
    const line = items.flatMap((i: Shown) => i.taxes).find((x: Shown) => x.method === 'BY_RETURN' && x.quantity === 1);
    const opened = contentOf(await t.get(line.open, of('CD').apiKey)).items;
    expect(opened.map((r: Shown) => r.byReturn)).toEqual([[{ currency: 'USD', tax: 0.003 }]]);
    expect(await wrongTotals(t.database)).toEqual([]);
  });

  it('are what the returns of operators hold: without a record that was withdrawn, and for the authority of the levy', async () => {
    const boxesOf = async (country: Country, form: string, period: string) => {
      const r = await made(t, { kind: 'filing', form, period }, of(country).apiKey);
      const { body } = await t.get(`/v1/report/${r.reportId}/json`, of(country).apiKey);
      return Object.fromEntries(section('boxes', body).map((b: Shown) => [b.box, b.figure]));
    };
    // 5 % of 730, 120 and 1,000, in whole francs.
    expect(await boxesOf('SN', 'SN-CST', '2026-Q4')).toMatchObject({ CA: '1850', CST: '93' });
    expect(await boxesOf('CI', 'CI-TELECOM-TURNOVER', '2026-11')).toEqual({ CA: '2500', TAXES: '180' });
    const ofAuthority = contentOf(
      await t.post(
        '/v1/admin/authority',
        {
          ...{ name: 'ARPTC', countryCode: 'CD', dayFrom: '2026-01-01', until: '2027-12-31T00:00:00Z' },
          ...{ reason: 'levies of 2026', recordKinds: ['cdr'], taxCodes: ['TELECOM_LEVY'] },
        },
        staff.apiKey,
      ),
    );
    const { items } = contentOf(
      await t.get(`/v1/authority/cdr/total?authorityId=${ofAuthority.authorityId}`, staff.apiKey),
    );
    expect(items.map((i: Shown) => [i.clientName, i.taxCode, i.method, i.currency, i.tax])).toEqual([
      ['Telecom CD', 'TELECOM_LEVY', 'BY_RETURN', 'USD', 0.03675],
    ]);
  });
});

describe('the report', () => {
  it('adds them up by tax, authority and month, beside the taxes of the calls', () => {
    const rows = section('byReturn').map((r) =>
      [r.operator, r.period, r.taxCode, r.authority, r.records, r.taxable, r.currency, r.tax, r.late, r.due].join('|'),
    );
    expect(rows.sort()).toEqual(
      [
        // 5 % of 1,850 = 92.5, to whole francs 93.
        'Telecom SN|2026-11|CST|Direction générale des Impôts et des Domaines|3|1850|XOF|92.5|0|93',
        // 7.2 % of 2,500.
        'Telecom CI|2026-11|TELECOM_LEVY|Direction générale des Impôts|1|2500|XOF|180|0|180',
        // 7 % of 1,250, and of 1,000 that came late: 87.5 + 70 = 157.5.
        'Telecom BF|2026-11|TELECOM_TAX|Direction générale des impôts|1|1250|XOF|87.5|70|158',
        // 3 % of 45,000; no source says to whom.
        'Telecom GN|2026-11|TELECOM_TAX||1|45000|GNF|1350|0|1350',
        // Of minutes, messages and megabytes: 0.01875 + 0.003 + 0.015, rounded once.
        'Telecom CD|2026-11|TELECOM_LEVY|Autorité de régulation de la poste et des télécommunications du Congo (ARPTC)|4||USD|0.03675|0|0.04',
        // What no call holds is named and not worked out.
        'Telecom DZ|2026-11|RECHARGE_TAX|The collector of taxes of the operator|||||||'.slice(0, -1),
        'Telecom TN|2026-11|RECHARGE_TAX||||||||'.slice(0, -1),
      ].sort(),
    );
    for (const country of ['DZ', 'TN'])
      expect(ofOperator('byReturn', country)[0].note).toMatch(/^Due on recharges, which no call record holds/);
  });

  it('opens each line to as many calls as it counts, apart by the reason for which a rule left them at zero', async () => {
    const rows = section('byReturnRules').filter((r) => r.operator === 'Telecom CD');
    expect(rows.map((r) => [r.class, r.reason, r.records]).sort()).toEqual([
      ['DATA', null, 1],
      ['SMS', null, 1],
      ['UNCLASSIFIED', null, 1],
      ['UNCLASSIFIED', 'RECEIVED', 1],
    ]);
    for (const { open, records } of [...rows, ...section('taxes'), ...section('late')])
      expect([open, contentOf(await t.get(open, psp.apiKey)).items.length]).toEqual([open, records]);
  });

  it('has them in no sum of the taxes that calls bear', () => {
    for (const name of ['taxes', 'late'])
      expect(section(name).filter((r) => /CST-CDR|TELECOMLEVY|(BF|GN)-TELECOMTAX/.test(r.ruleId))).toEqual([]);
    expect(
      ofOperator('taxes', 'SN')
        .map((r) => r.taxCode)
        .sort(),
    ).toEqual(['RUTEL', 'RUTEL', 'RUTEL', 'VAT', 'VAT', 'VAT']);
    expect(
      ofOperator('late', 'BF')
        .map((r) => [r.taxCode, r.tax])
        .sort(),
    ).toEqual([
      // VAT 18 % of 1,000 = 180; 5 % of 1,180 = 59.
      ['LEVY', '59'],
      ['VAT', '180'],
    ]);
    expect(
      ofOperator('byReturnRules', 'BF')
        .map((r) => [r.callPeriod, r.ruleId, r.tax])
        .sort(),
    ).toEqual([
      ['2026-10', 'BF-TELECOMTAX-CDR-VOICE-2020', '70'],
      ['2026-11', 'BF-TELECOMTAX-CDR-VOICE-2020', '87.5'],
    ]);
    // 442.15 = RUTEL 92.5 + VAT 18 % of 1,942.5.
    const volumes = ofOperator('volumes', 'SN').map((r) => Number(r.tax));
    expect(volumes.reduce((a, b) => a + b, 0)).toBeCloseTo(442.15, 9);
    const byClass = section('taxByClass').find((r) => r.class === 'DATA' && r.currency === 'XOF');
    // RUTEL 50 and VAT 189 of the data session of Senegal.
    expect(byClass.tax).toBe('239');
  });

  it('compares each with its own declaration, and what was declared of all taxes with those that calls bear', () => {
    const summary = ofOperator('summary', 'SN').map((r) => [r.taxCode, r.method, r.computed, r.declared, r.finding]);
    expect(summary).toEqual([
      ['ALL', 'ADDED', '442.15', '442.15', 'EQUAL'],
      ['CST', 'BY_RETURN', '92.5', '80', 'UNDER'],
      ['RUTEL', 'ADDED', '92.5', null, 'NOT_DECLARED'],
      ['VAT', 'ADDED', '349.65', null, 'NOT_DECLARED'],
    ]);
    // Of the classes only what no declaration includes is named: the line on all taxes is none on the levy of others.
    const missing = section('declared').filter((r) => r.finding === 'NOT_DECLARED' && r.taxCode === 'TELECOM_LEVY');
    expect(new Set(missing.map((r) => r.operator))).toEqual(new Set(['Telecom CI', 'Telecom CD']));
    expect(ofOperator('declared', 'SN').map((r) => [r.taxCode, r.finding])).toEqual([
      ['ALL', 'EQUAL'],
      ['CST', 'UNDER'],
    ]);
  });

  it('says the same as CSV, page and workbook, and to an operator of its own calls', async () => {
    const { links } = contentOf(await t.get(`/v1/report/${reportId}`, psp.apiKey));
    const { href } = links.csv.find((c: Shown) => c.section === 'byReturn');
    const csv = (await t.get(href, psp.apiKey)).text;
    expect(csv).toContain(',CST,Direction générale des Impôts et des Domaines,3,1850,,,XOF,92.5,0,93,');
    const page = (await t.get(links.page, psp.apiKey)).text;
    expect(page).toContain('Due by return, by tax and authority');
    expect(page).toContain('Direction générale des Impôts et des Domaines');
    const r = await made(t, { kind: 'cdrTax', period: '2026-11' }, of('CI').apiKey);
    const own = (await t.get(`/v1/report/${r.reportId}/json`, of('CI').apiKey)).body;
    expect(section('byReturn', own).map((x) => [x.taxCode, x.due])).toEqual([['TELECOM_LEVY', '180']]);
    expect(section('byReturn', own)[0]).not.toHaveProperty('clientId');
    const sheets = readWorkbook(Buffer.from((await t.get(links.xlsx, psp.apiKey)).bytes));
    const cells = sheets.flatMap((s) => s.rows.flat()).map((c) => c?.value);
    expect(cells).toContain('Direction générale des Impôts et des Domaines');
  });
});

describe('the audit', () => {
  const undone = new Error('undone');
  /** What it finds after a change, which is undone. */
  async function foundAfter(change: (tx: Database) => Promise<unknown>): Promise<string[]> {
    let found: string[] = [];
    await t.database.admin
      .transaction(async (tx) => {
        await change(tx);
        found = (await compareCallTaxes(tx, psp.uuid)).map((f) => `${f.table} ${f.what}`);
        throw undone;
      })
      .catch((e) => {
        if (e !== undone) throw e;
      });
    return found;
  }

  it('finds a levy that was changed, moved into the calls, or left out of the totals', async () => {
    expect(await foundAfter(async () => undefined)).toEqual([]);
    for (const change of [
      "UPDATE cdr_totals SET tax = tax + 1 WHERE rule_id = 'CI-TELECOMLEVY-CDR-VOICE-2007'",
      "UPDATE cdr_totals SET owed_by = '' WHERE rule_id = 'CI-TELECOMLEVY-CDR-VOICE-2007'",
      "DELETE FROM cdr_totals WHERE rule_id = 'CI-TELECOMLEVY-CDR-VOICE-2007'",
      // In the analysis and in the totals alike: the calls would bear it.
      `WITH a AS (UPDATE cdr_analyses SET taxes = replace(taxes, ',"CLIENT"', ''), tax = tax + 180 WHERE country = 'CI' RETURNING 1)
       UPDATE cdr_totals SET owed_by = '', tax = tax + CASE rule_id WHEN '' THEN 180 ELSE 0 END
       WHERE country = 'CI' AND (SELECT count(*) FROM a) > 0`,
      // The sum of what calls bear with the levy in it.
      `WITH a AS (UPDATE cdr_analyses SET tax = tax + 180 WHERE country = 'CI' RETURNING 1)
       UPDATE cdr_totals SET tax = tax + 180 WHERE country = 'CI' AND rule_id = '' AND (SELECT count(*) FROM a) > 0`,
    ])
      expect(await foundAfter((tx) => tx.query(change)), change).not.toEqual([]);
  });

  it('says which calls were analysed before, and a rebuild works them out: the same as if never otherwise', async () => {
    const before = await everything(t.database);
    const s = t.app.services;
    expect(await callsLackingDuties(t.database.admin, s, psp.uuid)).toEqual([]);
    // As the version before wrote them.
    await t.database.admin.query(
      `UPDATE cdr_analyses SET taxes = (SELECT coalesce(jsonb_agg(x ORDER BY n), '[]')::text
         FROM jsonb_array_elements(taxes::jsonb) WITH ORDINALITY AS l(x, n) WHERE x->>6 IS NULL)`,
    );
    await t.database.admin.query("DELETE FROM cdr_totals WHERE owed_by <> ''");
    expect(await compareCallTaxes(t.database.admin, psp.uuid)).toEqual([]);
    expect(await callsLackingDuties(t.database.admin, s, psp.uuid)).toEqual([
      { country: 'BF', calls: 3 },
      { country: 'CD', calls: 4 },
      { country: 'CI', calls: 1 },
      { country: 'GN', calls: 1 },
      { country: 'SN', calls: 3 },
    ]);
    await forgetAnalyses(s.db, psp.uuid);
    await analysed(t, psp);
    expect(await everything(t.database)).toEqual(before);
    expect(await callsLackingDuties(t.database.admin, s, psp.uuid)).toEqual([]);
  });
});
