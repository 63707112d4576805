// Someone with access to the database changes what was counted of a client or customer in a day, month or year, or a
// fault loses some of it: the audit works the sums out of the journal and names the one that differs among a thousand.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountWire, toWire } from '../../src/core/ids.ts';
import { compareSums } from '../../src/modules/transactions/index.ts';
import type { Database } from '../../src/platform/database.ts';
import { IdMaker } from '../../src/platform/random.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed } from '../support/audit.ts';
import { contentOf } from '../support/guarantees.ts';
import { audited, type Copy, freshCopy } from './support/copies.ts';

const many = 1000;
const ids = new IdMaker(() => Date.now());
let c: Copy;
let t: TestApp;
let psp: Account;
let clients: Account[];
let seller: Account;
let n = 0;

const post = async (path: string, body: object, by: Account) => contentOf(await t.post(path, body, by.apiKey));
const sell = (totalAmount: number, by: Account, over: object = {}) =>
  post(
    '/v1/transaction/verifyTransaction',
    {
      ...{ ref: `order-${++n}`, totalAmount, currency: 'PHP', countryCode: 'PH' },
      ...{ paymentMethods: { card: totalAmount }, transactionFee: 0, ...over },
    },
    by,
  );
const nth = (i: number): Account => clients[i] as Account;

/** A levy of customers above 100 kwacha a day. */
async function levyOnCustomers(): Promise<void> {
  const country = JSON.parse(readFileSync(new URL('../../data/tax/MW.json', import.meta.url), 'utf8'));
  country.rules.push({
    ...{ ruleId: 'MW-LEVY-DAY', taxCode: 'ETL', category: 'payment_service', operations: ['deposit'] },
    ...{ classifications: [], mccRanges: [], base: 'DEPOSIT_VALUE', rate: '1', allowance: '100', compoundsOn: [] },
    ...{ summedOver: { per: 'DAY', of: 'CUSTOMER' }, bearer: 'CUSTOMER', inTransaction: true, rounding: 'HALF_UP' },
    ...{ validFrom: '2026-01-01', validTo: null, source: Object.keys(country.sources)[0], legalRef: null },
    confidence: 'unverified',
  });
  await post('/v1/admin/tax', { reason: 'a levy', country }, await t.makeOperator());
}

async function makeSums(): Promise<void> {
  psp = await t.makePsp('Manila Payments', 'PH');
  const made: Account[] = [];
  for (let i = 0; i < many; i += 50) {
    const some = Array.from({ length: 50 }, () => t.makeClient(psp, { countryCode: 'PH' }));
    made.push(...(await Promise.all(some)));
    await Promise.all(made.slice(i).flatMap((by, k) => [sell(1000 + i + k, by), sell(0.25, by)]));
  }
  clients = made;
  // One is declined, one charged back, one made smaller, and one charged back and won.
  const [declined, back, less, won] = await Promise.all([0, 1, 2, 3].map((i) => sell(700_000, nth(i))));
  await post('/v1/transaction/declineTransaction', { ref: declined.ref }, nth(0));
  await post('/v1/transaction/chargeBack', { ref: back.ref }, psp);
  await sell(600_000, nth(2), { ref: less.ref });
  const { chargebackId } = await post('/v1/transaction/chargeBack', { ref: won.ref }, psp);
  const dispute = { chargebackId, reason: 'it was delivered', evidenceDueAt: '2026-12-01T00:00:00Z' };
  const { disputeId } = await post('/v1/dispute', dispute, psp);
  await post(`/v1/dispute/${disputeId}/resolve`, { outcome: 'WON', reason: 'the scheme says so' }, psp);
  // The only one of a client was declined: nothing is left of its sum but the row.
  const alone = await t.makeClient(psp, { countryCode: 'PH' });
  const gone = await sell(5000, alone);
  await post('/v1/transaction/declineTransaction', { ref: gone.ref }, alone);
  // A seller in Argentina that reaches the limit, which holds in later months.
  seller = await t.makeClient(psp, { countryCode: 'AR' });
  const profile = { countryCode: 'AR', validFrom: '2026-01-01', registered: false };
  await post(`/v1/client/${seller.id}/tax-profile`, profile, psp);
  for (let i = 0; i < 11; i++) await sell(6000, seller, { currency: 'ARS', countryCode: 'AR' });
  await levyOnCustomers();
  const casino = await t.makeClient(psp, { countryCode: 'MW' });
  for (const name of ['ada', 'eve'])
    for (let i = 0; i < 3; i++) {
      const customer = { email: `${name}@example.com` };
      const body = {
        ref: `${name}-${i}`,
        totalAmount: 60,
        currency: 'MWK',
        countryCode: 'MW',
        transactionFee: 0,
        customer,
      };
      await post('/v1/payment/deposit', body, casino);
    }
  await allSealed(t);
}
beforeAll(async () => {
  c = await freshCopy();
  t = await makeTestApp({ database: c, env: { DATA_DIR: c.dir }, startAt: '2026-11-10T12:00:00Z' });
  await makeSums().finally(() => t.stop());
});
afterAll(() => c?.drop());

const undo = new Error('rolled back');

const wholeAudit = async (tx: Database): Promise<string[]> =>
  (await audited(c, { db: tx, psp: psp.uuid })).findings.map((f) => `${f.code} ${f.message}`);

/** What of an audit looks at sums, in the same words; it holds 3,500 entries against their records besides. */
const sumsAlone = async (tx: Database): Promise<string[]> =>
  (await compareSums(tx, psp.uuid)).map(
    ({ id, what }) => `RECORD_CHANGED the account ${accountWire(psp.uuid, id)}: ${what}`,
  );

/** What is found after a change, which is rolled back. */
async function foundAfter(change: (tx: Database) => Promise<unknown>, look = sumsAlone): Promise<string[]> {
  let messages: string[] = [];
  await c.admin
    .transaction(async (tx) => {
      await change(tx);
      messages = await look(tx);
      throw undo;
    })
    .catch((e) => {
      if (e !== undo) throw e;
    });
  return messages;
}

const year = 'PH WHT YEAR 2026-01-01 PHP';
const of = (account: Account, sum: string) => `RECORD_CHANGED the account ${account.id}: its sum '${sum}'`;
const where = 'psp_id = $1 AND account_id = $2 AND sum = $3';
const sumOf = (account: Account, sum = year) => [psp.uuid, account.uuid, sum];

describe('sums that nobody touched', () => {
  it('are what was sold, by a thousand clients', async () => {
    const rows = await c.admin.query<{ account: string; base: string; records: number }>(
      'SELECT account_id AS account, base::text AS base, records FROM tax_sums WHERE psp_id = $1 AND sum = $2',
      [psp.uuid, year],
    );
    const extra = new Map([
      [2, 600_000],
      [3, 700_000],
    ]);
    const stored = new Map(rows.map((r) => [r.account, r]));
    for (const [i, { uuid }] of clients.entries()) {
      const r = stored.get(uuid);
      expect([Number(r?.base), r?.records]).toEqual([1000.25 + i + (extra.get(i) ?? 0), extra.has(i) ? 3 : 2]);
    }
  });

  it('are found sound', async () => {
    expect((await audited(c)).findings).toEqual([]);
  });
});

describe('the audit names a sum', () => {
  it('that was made smaller, with both amounts', async () => {
    const change = (tx: Database) => tx.query(`UPDATE tax_sums SET base = 1 WHERE ${where}`, sumOf(nth(500)));
    const found = await foundAfter(change, wholeAudit);
    expect(await foundAfter(change)).toEqual(found);
    expect(found).toEqual([`${of(nth(500), year)} is 1 in 2 records, the journal makes it 1500.25 in 2 records`]);
  });

  it('whose number of records was changed', async () => {
    const found = await foundAfter((tx) => tx.query(`UPDATE tax_sums SET records = 1 WHERE ${where}`, sumOf(nth(7))));
    expect(found).toEqual([`${of(nth(7), year)} is 1007.25 in 1 record, the journal makes it 1007.25 in 2 records`]);
  });

  it('that is missing, also one of which everything was given back', async () => {
    const found = await foundAfter((tx) => tx.query(`DELETE FROM tax_sums WHERE ${where}`, sumOf(nth(0))));
    expect(found).toEqual([`${of(nth(0), year)} is missing: the journal makes it 1000.25 in 2 records`]);
    const empty = await foundAfter((tx) =>
      tx.query('DELETE FROM tax_sums WHERE psp_id = $1 AND sum = $2 AND records = 0', [psp.uuid, year]),
    );
    expect(empty).toHaveLength(1);
    expect(empty[0]).toMatch(/is missing: the journal makes it 0 in 0 records$/);
  });

  it('that was given to another client: one is missing, and one is too many', async () => {
    const found = await foundAfter((tx) =>
      tx.query(`UPDATE tax_sums SET account_id = $4 WHERE ${where}`, [...sumOf(nth(9)), nth(10).uuid]),
    );
    expect(found).toHaveLength(2);
    expect(found).toContain(`${of(nth(9), year)} is missing: the journal makes it 1009.25 in 2 records`);
    expect(found).toContain(`${of(nth(10), year)} is not the one that decisions count in: no ref leads to it`);
  });

  it('that is one too many, with a ref or without', async () => {
    const other = 'PH WHT YEAR 2027-01-01 PHP';
    const put = async (tx: Database, ref: boolean) => {
      const values = [psp.uuid, ids.next(), nth(5).uuid, other];
      await tx.query('INSERT INTO tax_sums VALUES ($1, $2, $3, $4, 5, 1, now())', values);
      if (ref) await tx.query("INSERT INTO refs VALUES ($1, 'tax_sum', $4, $3, $2, 1)", values);
    };
    for (const ref of [true, false])
      expect(await foundAfter((tx) => put(tx, ref))).toEqual([`${of(nth(5), other)} is one that no entry counts in`]);
  });

  it('that decisions do not find, because its ref is gone or leads elsewhere', async () => {
    const ref = "psp_id = $1 AND space = 'tax_sum' AND account_id = $2 AND ref = $3";
    const lost = `${of(nth(8), year)} is not the one that decisions count in: no ref leads to it`;
    expect(await foundAfter((tx) => tx.query(`DELETE FROM refs WHERE ${ref}`, sumOf(nth(8))))).toEqual([lost]);
    const astray = await foundAfter((tx) =>
      tx.query(`UPDATE refs SET target_id = $4 WHERE ${ref}`, [...sumOf(nth(8)), ids.next()]),
    );
    expect(astray).toEqual([lost]);
  });

  it('of a limit that holds somebody to it from then on, if its note is gone or made up', async () => {
    const [row] = await c.admin.query<{ sum: string }>(
      "SELECT sum FROM tax_sums WHERE psp_id = $1 AND account_id = $2 AND sum LIKE '% REACHED %'",
      [psp.uuid, seller.uuid],
    );
    const sum = row?.sum as string;
    expect(sum).toMatch(/^AR WHT\w* REACHED ARS$/);
    const gone = await foundAfter((tx) => tx.query(`DELETE FROM tax_sums WHERE ${where}`, sumOf(seller, sum)));
    expect(gone).toEqual([`${of(seller, sum)} is missing: the journal makes it 0 in 1 record`]);
    const madeUp = await foundAfter((tx) =>
      tx.query('INSERT INTO tax_sums VALUES ($1, $2, $3, $4, 0, 1, now())', [psp.uuid, ids.next(), nth(4).uuid, sum]),
    );
    expect(madeUp).toEqual([`${of(nth(4), sum)} is one that no entry counts in`]);
  });

  it('of a customer, which belongs to the PSP', async () => {
    const found = await foundAfter(
      (tx) =>
        tx.query(
          `UPDATE tax_sums SET base = 0 WHERE psp_id = $1 AND id =
           (SELECT id FROM tax_sums WHERE psp_id = $1 AND sum LIKE 'MW %' ORDER BY id LIMIT 1)`,
          [psp.uuid],
        ),
      wholeAudit,
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^RECORD_CHANGED the account ${toWire('psp', psp.uuid)}: its sum 'MW ETL DAY`));
    expect(found[0]).toMatch(/is 0 in 3 records, the journal makes it 180 in 3 records$/);
  });

  it('and says of a fault that concerns all of them as much as a person can read', async () => {
    const found = await foundAfter(
      (tx) => tx.query('UPDATE tax_sums SET base = base + 1 WHERE psp_id = $1', [psp.uuid]),
      wholeAudit,
    );
    expect(found).toHaveLength(10);
  });
});

describe('once the months before are in the archive', () => {
  const archive = (tx: Database) =>
    tx.query("INSERT INTO archived_months (month, detached_at) VALUES ('2026-05-01', now())");

  it('a year that reaches into it has at least what the remaining entries make', async () => {
    const change = (by: number) => async (tx: Database) => {
      await archive(tx);
      await tx.query(`UPDATE tax_sums SET base = base + ${by} WHERE ${where}`, sumOf(nth(500)));
    };
    expect(await foundAfter(change(1), wholeAudit)).toEqual([]);
    expect(await foundAfter(change(-1))).toHaveLength(1);
  });

  it('a month after it is exact', async () => {
    const found = await foundAfter(async (tx) => {
      await archive(tx);
      await tx.query("UPDATE tax_sums SET base = base + 1 WHERE psp_id = $1 AND sum LIKE 'AR % MONTH %'", [psp.uuid]);
    });
    expect(found).toHaveLength(1);
  });
});
