// The analysis of call detail records: each record is analysed once, however it was received and whatever process ended
// meanwhile; totals are the sums of the rows; months close; and repeating the analysis gives the same result.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analysedKinds, analyseEntries } from '../../src/modules/telecom/analysis/analyse-entries.ts';
import { analysisName, forgetAnalyses, makeCdrAnalysis } from '../../src/modules/telecom/index.ts';
import { loadNumberRanges } from '../../src/platform/data-files.ts';
import { JournalReader } from '../../src/platform/journal-reader.ts';
import { countryOfNumber } from '../../src/platform/number-countries.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { analysed, everything, failing, wrongTotals } from '../support/cdr-analysis.ts';
import { type CdrRow, cdrRow, cdrText, dataDirOf, drop, status } from '../support/cdr-files.ts';

let t: TestApp;
let psp: Account;
let ke: Account;
let ug: Account;

/** Calls of all sorts, a different one for each number. */
const mixed = (n: number): CdrRow =>
  cdrRow(n, {
    caller_number: n % 5 === 0 ? `+4474001${String(n).padStart(5, '0')}` : `+25471${String(n).padStart(7, '0')}`,
    receiver_number: n % 7 === 0 ? `+25673${String(n).padStart(7, '0')}` : `+25472${String(n).padStart(7, '0')}`,
    call_type: ['VOICE', 'SMS', 'DATA', 'VOIP', 'MTC', 'USSD', 'FAX'][n % 7] as string,
    call_status: ['COMPLETED', 'BUSY', ''][n % 3] as string,
    call_start_time: `2026-${n % 11 === 0 ? '10-30' : '11-20'}T09:00:00Z`,
    call_end_time: `2026-${n % 11 === 0 ? '10-30' : '11-20'}T09:01:0${n % 7}Z`,
    call_duration_seconds: String(60 + (n % 7)),
    network_provider: n % 13 === 0 ? 'Airtel Uganda' : 'Safaricom',
    billing_information_call_cost: `${n % 97}.${String(n % 89).padStart(3, '0')}`,
    billing_information_currency: n % 17 === 0 ? 'USD' : 'KES',
  });
const file = (account: Account, name: string, rows: readonly CdrRow[]) => {
  drop(dataDirOf(t), account, name, cdrText(...rows));
  // Files of one account are never taken in at the same millisecond.
  t.advance(1_000);
  return t.app.services.cdrIntake.pickUp();
};
const rowsFrom = (from: number, count: number) => Array.from({ length: count }, (_, i) => mixed(from + i));

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Operators', 'KE');
  ke = await t.makeClient(psp, { countryCode: 'KE' });
  ug = await t.makeClient(psp, { countryCode: 'UG', registrationNumber: 'UG-1' });
  await file(ke, 'a.csv', rowsFrom(0, 2_300));
  await file(ug, 'b.csv', rowsFrom(0, 700));
  for (let n = 0; n < 12; n++) {
    const body = {
      cdr_id: `REST-${n}`,
      caller_number: '+254711000001',
      receiver_number: '+254721000002',
      call_start_time: '2026-11-21T08:00:00Z',
      call_end_time: '2026-11-21T08:01:00Z',
      call_duration_seconds: 60,
      call_type: 'VOICE',
      network_provider: 'Safaricom',
      billing_information: { call_cost: 0.01 * n, currency: 'KES' },
    };
    expect((await t.post('/v1/telecom/recordCDR', body, ke.apiKey)).status).toBe(200);
  }
  await analysed(t, psp);
});
afterAll(() => t.stop());

describe('the analysis', () => {
  it('has every record once, whether it came in a file or by itself, in the country of its operator', async () => {
    const [counts] = await t.database.admin.query(
      `SELECT count(*) AS records, count(a.cdr_id) AS analysed, count(*) FILTER (WHERE a.account_id = c.account_id) AS own,
         count(*) FILTER (WHERE a.country = CASE WHEN c.account_id = $1 THEN 'KE' ELSE 'UG' END) AS at_home
       FROM cdrs c LEFT JOIN cdr_analyses a ON a.psp_id = c.psp_id AND a.cdr_id = c.id`,
      [ke.uuid],
    );
    expect(counts).toEqual({ records: 3_012, analysed: 3_012, own: 3_012, at_home: 3_012 });
  });

  it('adds up to totals that are the sums of its rows', async () => {
    expect(await wrongTotals(t.database)).toEqual([]);
    const classes = await t.database.admin.query("SELECT DISTINCT class FROM cdr_totals WHERE rule_id = ''");
    expect(classes.length).toBeGreaterThan(6);
  });

  it('charges what SQL makes of the records by itself: excise, VAT on both, surtax per second from abroad', async () => {
    const taxes = await t.database.admin.query(
      `SELECT tax_code, trim_scale(sum(tax)) AS tax FROM cdr_totals
       WHERE account_id = $1 AND currency = 'KES' AND rule_id <> '' GROUP BY 1 ORDER BY 1`,
      [ke.uuid],
    );
    const [sum] = await t.database.admin.query(
      `SELECT trim_scale(sum(cost) * 0.15) AS excise, trim_scale(sum(cost) * 1.15 * 0.16) AS vat FROM cdrs
       WHERE account_id = $1 AND currency = 'KES'`,
      [ke.uuid],
    );
    expect(taxes).toEqual([
      { tax_code: 'EXCISE', tax: sum?.excise },
      { tax_code: 'VAT', tax: sum?.vat },
    ]);
    const [surtax] = await t.database.admin.query(
      `SELECT sum(quantity)::bigint AS seconds, trim_scale(sum(tax)) AS tax FROM cdr_totals
       WHERE account_id = $1 AND rule_id = 'UG-SURTAX-INBOUND-2024' AND reason = ''`,
      [ug.uuid],
    );
    const [incoming] = await t.database.admin.query(
      `SELECT sum(duration_s)::bigint AS seconds FROM cdrs
       WHERE account_id = $1 AND caller_mask LIKE '+44%'
         AND (receiver_mask LIKE '+256%' OR record::json->>'call_type' = 'MTC') AND call_type NOT IN ('SMS', 'USSD', 'DATA')`,
      [ug.uuid],
    );
    expect(surtax?.seconds).toBe(incoming?.seconds);
    expect(Number(surtax?.tax)).toBeCloseTo((Number(incoming?.seconds) / 60) * 0.09, 8);
  });

  it('is the same when it is made again, however often it is struck down on the way and by however many', async () => {
    const before = await everything(t.database);
    const ranges = loadNumberRanges();
    const context = {
      services: t.app.services,
      numbering: { countryOf: countryOfNumber, ranges },
      ranges: ranges.version,
    };
    let statements = 0;
    let struck = 0;
    // Every so many statements, a number that shares no factor with those of a transaction.
    const pool = failing(t.app.services.db, () => {
      const now = ++statements % 23 === 0;
      if (now) struck++;
      return now;
    });
    const readers = [1, 2].map(
      () =>
        new JournalReader({
          name: analysisName,
          kinds: analysedKinds,
          pool,
          log: t.app.services.log,
          limit: 2,
          everyMs: 5,
          read: (tx, of, entries, small) => analyseEntries(context, tx, of, entries, small),
        }),
    );
    for (const r of readers) r.start();
    // The service's own reader may do most of it before these come to it.
    await until('they were struck down more than once', async () => {
      await forgetAnalyses(t.app.services.db, psp.uuid);
      await analysed(t, psp);
      return struck > 1;
    });
    for (const r of readers) await r.stop();
    expect(await everything(t.database)).toEqual(before);
    expect(await wrongTotals(t.database)).toEqual([]);
  });
});

describe('a month that is closed', () => {
  it('lets what comes later count in the next open one, apart and told as late, also when all is made again', async () => {
    const totals = (period: string, callPeriod: string) =>
      t.database.admin.query(
        `SELECT coalesce(sum(records), 0)::bigint AS n FROM cdr_totals
         WHERE account_id = $1 AND period = $2 AND call_period = $3 AND rule_id = ''`,
        [ke.uuid, period, callPeriod],
      );
    const [[october], [november]] = [await totals('2026-10', '2026-10'), await totals('2026-11', '2026-11')];
    expect(october?.n).toBe(210);
    const close = await t.post('/v1/telecom/period/close', { period: '2026-10' }, ke.apiKey);
    expect(close.status).toBe(200);
    const late = Array.from({ length: 9 }, (_, i) => mixed(11 * (i + 1_000)));
    await file(ke, 'late.csv', late);
    // Another operator's October is open.
    await file(ug, 'in-time.csv', late);
    await analysed(t, psp);
    expect(await totals('2026-10', '2026-10')).toEqual([october]);
    expect(await totals('2026-11', '2026-11')).toEqual([november]);
    expect(await totals('2026-11', '2026-10')).toEqual([{ n: 9 }]);
    expect(await wrongTotals(t.database)).toEqual([]);

    const before = await everything(t.database);
    await forgetAnalyses(t.app.services.db, psp.uuid);
    const again = makeCdrAnalysis(t.app.services, t.app.services.db);
    again.start();
    await analysed(t, psp);
    await again.stop();
    expect(await everything(t.database)).toEqual(before);
  });
});

describe('records of the most digits an amount may have', () => {
  it('are analysed exactly, as are their sums and the records that come after them', async () => {
    const most = await t.makeClient(psp, { countryCode: 'KE', registrationNumber: 'KE-38' });
    const cost = '9'.repeat(38);
    const huge = rowsFrom(0, 20).map((r) => ({
      ...r,
      billing_information_call_cost: cost,
      billing_information_currency: 'KES',
    }));
    await file(most, 'huge.csv', huge);
    const body = {
      cdr_id: 'REST-38',
      caller_number: '+254711000001',
      receiver_number: '+254721000002',
      call_start_time: '2026-11-21T08:00:00Z',
      call_end_time: '2026-11-21T08:01:00Z',
      call_duration_seconds: 60,
      call_type: 'VOICE',
      network_provider: 'Safaricom',
      billing_information: { call_cost: JSON.rawJSON(`${cost.slice(0, 37)}.9`), currency: 'KES' },
    };
    expect((await t.post('/v1/telecom/recordCDR', body, most.apiKey)).status).toBe(200);
    await file(most, 'small.csv', [mixed(10_001)]);
    await analysed(t, psp);
    const [r] = await t.database.admin.query(
      `SELECT count(*) AS n, trim_scale(sum(a.tax)) = trim_scale(sum(c.cost) * (0.15 + 1.15 * 0.16)) AS exact
       FROM cdr_analyses a JOIN cdrs c ON c.psp_id = a.psp_id AND c.id = a.cdr_id WHERE a.account_id = $1`,
      [most.uuid],
    );
    expect(r).toEqual({ n: 22, exact: true });
    expect(await wrongTotals(t.database)).toEqual([]);
    // One digit more is refused at the door, whichever it is.
    const more = {
      ...body,
      cdr_id: 'REST-39',
      billing_information: { call_cost: JSON.rawJSON(`${cost}9`), currency: 'KES' },
    };
    expect((await t.post('/v1/telecom/recordCDR', more, most.apiKey)).status).toBe(400);
    await file(most, 'more.csv', [{ ...mixed(2), billing_information_call_cost: `${cost}9` }]);
    expect(status(dataDirOf(t), most, 'more.csv')).toMatchObject({
      state: 'REJECTED',
      counts: { accepted: 0, rejected: 1 },
    });
    // What adds such amounts up answers too, once the reader is past the entry of the refused file.
    await analysed(t, psp);
    const totals = await t.get('/v1/telecom/analysis?period=2026-11', most.apiKey);
    expect([totals.status, totals.body.content.progress.complete]).toEqual([200, true]);
  });
});

describe('records no rule is for', () => {
  it('are counted with the finding, never as bearing nothing', async () => {
    const nowhere = await t.makeClient(psp, { countryCode: 'KP', registrationNumber: 'KP-1' });
    await file(nowhere, 'kp.csv', rowsFrom(0, 5));
    const bare = await t.app.services.db.query("SELECT 1 FROM tax_countries WHERE jurisdiction = 'KP'");
    expect(bare).toEqual([]);
    await analysed(t, psp);
    const rows = await t.database.admin.query(
      'SELECT reason, sum(records)::bigint AS records FROM cdr_totals WHERE account_id = $1 GROUP BY 1',
      [nowhere.uuid],
    );
    expect(rows).toEqual([{ reason: 'NO_RULE', records: 5 }]);
  });
});
