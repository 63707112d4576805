// Daily totals over random histories: they equal the records, each entry is counted once, and rebuilding them from the
// journal gives the same rows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOfCountry, rebuildTotals, verifyTotals } from '../../src/modules/totals/index.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { type Cast, compared, live, makeCast, rows, totalled } from './life.ts';

let t: TestApp;
let cast: Cast;
const seed = 20261121;
const env = { ASSAY_MASTER_KEY: 'ef'.repeat(32), LOG_LEVEL: 'info' };

const verified = async () => {
  const { services } = t.app;
  return verifyTotals(services.db, cast.psp.uuid, dayOfCountry(services));
};
const rebuilt = async () => {
  const { services } = t.app;
  return rebuildTotals(services.db, cast.psp.uuid, dayOfCountry(services));
};

beforeAll(async () => {
  t = await makeTestApp({ env });
  cast = await makeCast(t);
  await live(t, cast, seed, 600);
  await totalled(t);
});
afterAll(() => t.stop());

describe('daily totals', () => {
  it('are what the records add up to, whatever happened to them', async () => {
    const { expected, kept } = await compared(t, cast.psp.uuid);
    expect(kept).toEqual(expected);
    const text = kept.join();
    const among = [
      'PENDING',
      'APPROVED',
      'DECLINED',
      'CHARGED_BACK',
      'RECORDED',
      'sports',
      '"null"',
      'ETH',
      'KE-GGR',
      'KE-VAT',
    ];
    expect(among.filter((what) => !text.includes(what))).toEqual([]);
  });

  it('keep the parts of a transaction equal to its gross, in every cell', async () => {
    const wrong = await t.database.admin.query(
      `SELECT 1 FROM totals_by_fee WHERE verdict <> 'RECORDED'
         AND gross <> vat + processing_fee + transaction_fee + transaction_vat + net`,
    );
    expect(wrong).toEqual([]);
  });

  it('have taxes that add up to the VAT of the amounts, by day, place and verdict', async () => {
    const wrong = await t.database.admin.query(
      `SELECT * FROM
         (SELECT day, country, account_id, currency, kind, verdict, sum(vat + transaction_vat) AS vat FROM totals_by_fee
          WHERE verdict <> 'RECORDED' GROUP BY 1, 2, 3, 4, 5, 6) a
       FULL JOIN
         (SELECT day, country, account_id, currency, kind, verdict, sum(tax) AS tax FROM totals_by_tax
          WHERE verdict <> 'RECORDED' GROUP BY 1, 2, 3, 4, 5, 6) x USING (day, country, account_id, currency, kind, verdict)
       WHERE vat IS DISTINCT FROM tax`,
    );
    expect(wrong).toEqual([]);
  });

  it('have two taxes of a place in one row, and what is beyond two in further rows', async () => {
    const sale = { ref: 'six-taxes', totalAmount: 120, currency: 'GHS', countryCode: 'GH', transactionFee: 0 };
    const r = await t.post(
      '/v1/transaction/verifyTransaction',
      { ...sale, paymentMethods: { card: 120 } },
      cast.psp.apiKey,
    );
    expect(r.status, r.text).toBe(200);
    await totalled(t);
    const of = (columns: string, table: string) =>
      t.database.admin.query(
        `SELECT ${columns} FROM ${table} WHERE psp_id = $1 AND account_id = $1 AND country = 'GH' ORDER BY 1`,
        [cast.psp.uuid],
      );
    expect(
      await of('gross::text, tax_rule IS NOT NULL AS first, second_tax_rule IS NOT NULL AS second', 'daily_cells'),
    ).toEqual([
      { gross: '120', first: true, second: true },
      { gross: null, first: true, second: true },
      { gross: null, first: true, second: true },
    ]);
    const taxes = await of('rule, tax::text', 'totals_by_tax');
    // VAT, NHIL and GETFund levy on the sale and on the processing fee: 100 and 1.20 before tax.
    expect(taxes).toEqual([
      { rule: 'GH-GETFUND-FEE-2026', tax: '0.03' },
      { rule: 'GH-GETFUND-STANDARD-2026', tax: '2.5' },
      { rule: 'GH-NHIL-FEE-2026', tax: '0.03' },
      { rule: 'GH-NHIL-STANDARD-2026', tax: '2.5' },
      { rule: 'GH-VAT-FEE-2026', tax: '0.18' },
      { rule: 'GH-VAT-STANDARD-2026', tax: '15' },
    ]);
  });

  it('come back as the same rows when they are made anew from the journal', async () => {
    const before = await rows(t, cast.psp.uuid);
    expect(before.amounts.length).toBeGreaterThan(50);
    expect(before.redated.length).toBeGreaterThan(0);
    await rebuilt();
    expect(await rows(t, cast.psp.uuid)).toEqual(before);
  });

  it('stay right when they are made anew while the service goes on', async () => {
    const lives = [1, 2, 3].map((n) => live(t, cast, seed + n, 100));
    const again = (async () => {
      for (let i = 0; i < 5; i++) await rebuilt();
    })();
    await Promise.all([...lives, again]);
    await totalled(t);
    const { expected, kept } = await compared(t, cast.psp.uuid);
    expect(kept).toEqual(expected);
    const before = await rows(t, cast.psp.uuid);
    await rebuilt();
    expect(await rows(t, cast.psp.uuid)).toEqual(before);
  });

  it('are kept once by two services at the same time', async () => {
    const other = await makeTestApp({ env, database: { ...t.database, drop: async () => undefined } });
    await live(t, cast, seed + 9, 100);
    await totalled(t);
    await other.stop();
    const { expected, kept } = await compared(t, cast.psp.uuid);
    expect(kept).toEqual(expected);
  });
});

describe('a check of totals against the journal', () => {
  it('finds nothing where nothing is wrong', async () => {
    const r = await verified();
    expect(r.differences).toEqual([]);
    expect(r.cells).toBeGreaterThan(50);
  });

  it('names a cell that was changed, one that was removed and one that was made up; a rebuild mends them', async () => {
    const { admin } = t.database;
    const before = await rows(t, cast.psp.uuid);
    const some = await admin.query<{ ctid: string }>(
      `SELECT ctid FROM daily_cells WHERE psp_id = $1 AND fee IS NOT NULL LIMIT 2`,
      [cast.psp.uuid],
    );
    await admin.query('UPDATE daily_cells SET fee = NULL WHERE ctid = $1::tid', [some[0]?.ctid]);
    await admin.query('UPDATE daily_cells SET vat = vat + 0.01 WHERE ctid = $1::tid', [some[1]?.ctid]);
    await admin.query(
      `INSERT INTO daily_cells (psp_id, day, cell, country, account_id, currency, kind, verdict, product_line, tax_rule,
         taxed, taxable, tax)
       SELECT psp_id, day + 1000, cell, country, account_id, currency, kind, verdict, product_line, tax_rule, 1, 1, 1
       FROM daily_cells WHERE psp_id = $1 AND tax_rule IS NOT NULL LIMIT 1`,
      [cast.psp.uuid],
    );
    const { differences } = await verified();
    expect(differences).toHaveLength(3);
    expect(differences.filter((d) => d.kept === undefined)).toHaveLength(1);
    expect(differences.filter((d) => d.recounted === undefined)).toHaveLength(1);
    await rebuilt();
    expect((await verified()).differences).toEqual([]);
    expect(await rows(t, cast.psp.uuid)).toEqual(before);
  });

  it('names the transactions that nothing finds any more on the day they were decided again', async () => {
    const { admin } = t.database;
    const all = await admin.query('SELECT * FROM redated_transactions WHERE psp_id = $1', [cast.psp.uuid]);
    await admin.query('DELETE FROM redated_transactions WHERE psp_id = $1', [cast.psp.uuid]);
    const { differences } = await verified();
    expect(differences).toHaveLength(all.length);
    expect(differences[0]).toMatchObject({ cell: expect.stringMatching(/^decided again on 202\d-\d\d-\d\d: txn_/) });
    await rebuilt();
    expect((await verified()).differences).toEqual([]);
  });
});
