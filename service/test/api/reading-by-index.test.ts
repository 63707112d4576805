// Readers of the journal find what is new by its index: a plan that scans it is as fast at first, and once a million
// entries are there takes the processor from the requests.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { only } from '../../src/platform/database.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { citus, withPsp } from '../support/citus.ts';

let t: TestApp;
let psp: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  const ids = Array.from({ length: citus === undefined ? 1 : 500 }, () => t.app.services.ids.next());
  // Of nobody, and never read: what makes the journal large enough for a scan to look cheap.
  await t.database.admin.query(
    `INSERT INTO journal SELECT $1, n, uuidv7(), 'client.updated', $1, $1, '{}' FROM generate_series(1, 50000) n`,
    [citus === undefined ? ids[0] : await withPsp(t.database.admin, psp.uuid, ids)],
  );
  await t.database.admin.query('ANALYZE journal');
});
afterAll(() => t.stop());

let n = 0;
const verify = () =>
  t.post(
    '/v1/transaction/verifyTransaction',
    {
      ref: `order-${++n}`,
      totalAmount: 107.5,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: 107.5 },
      transactionFee: 1,
    },
    psp.apiKey,
  );

/** Of partitions with entries: what is empty is scanned for nothing. */
const counted = (columns: string) =>
  `SELECT ${columns} FROM pg_stat_user_tables WHERE relname LIKE 'journal\\_2%' AND pg_relation_size(relid) > 0`;

/** How often the journal was scanned and found by index, as each PostgreSQL counts it; connections tell it once a second. */
const reads = async () =>
  only(
    await t.database.admin.query<{ scanned: number; found: number }>(
      citus === undefined
        ? counted('sum(seq_scan)::int AS scanned, sum(idx_scan)::int AS found')
        : `SELECT sum(split_part(result, ' ', 1)::int)::int AS scanned, sum(split_part(result, ' ', 2)::int)::int AS found
           FROM run_command_on_workers($$${counted("concat_ws(' ', sum(seq_scan), sum(idx_scan))")}$$)`,
    ),
  );

it('read the journal without scanning it', async () => {
  let before = await reads();
  await until('the journal is read by index, and not scanned', async () => {
    const read = await t.database.admin.query('SELECT seq FROM journal_heads');
    await verify();
    await until('every reader has read it', async () => {
      const behind = await t.database.admin.query(
        'SELECT 1 FROM journal_cursors c JOIN journal_heads h USING (psp_id) WHERE c.seq < h.seq',
      );
      return read.length > 0 && behind.length === 0;
    });
    const now = await reads();
    // What was scanned at the start may be told late; what each reading scans is told each time.
    const isGood = now.found > before.found && now.scanned === before.scanned;
    if (now.found > before.found) before = now;
    return isGood;
  });
  expect(before.found).toBeGreaterThan(0);
});
