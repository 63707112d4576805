// The indexes of the search are created while records are written, and the next start completes what a start that was killed
// left unfinished.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../src/platform/migrate.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';

const [byAmount, others] = ['0232-transactions-by-amount.sql', '0233-what-search-finds.sql'] as const;
let t: TestApp;
let psp: Account;
let sales = 0;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Lagoon Pay');
});
afterAll(() => t?.stop());

const sell = async (): Promise<string> => {
  const common = { currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 1 };
  const sold = { ref: `sale-${++sales}`, totalAmount: 4321.09, ...common };
  return contentOf(await t.post('/v1/transaction/verifyTransaction', sold, psp.apiKey)).transactionId;
};
const found = async (q: string): Promise<string[]> =>
  contentOf(await t.post('/v1/search', { q }, psp.apiKey)).items.map((h: { id: string }) => h.id);

/** The index of transactions, and how many partitions have a valid one of their own in it. */
const index = () =>
  t.database.admin.query<{ partitions: number; valid: boolean }>(
    `SELECT i.indisvalid AS valid, (SELECT count(*)::integer FROM pg_inherits a JOIN pg_index p ON p.indexrelid = a.inhrelid
       WHERE a.inhparent = i.indexrelid AND p.indisvalid) AS partitions
     FROM pg_index i WHERE i.indexrelid = 'transactions_by_amount'::regclass`,
  );
const small = ['accounts_by_words', 'accounts_of_psps', 'accounts_on_hold', 'cases_by_person'];
const validSmall = async () =>
  (
    await t.database.admin.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE c.relname = ANY ($1) AND i.indisvalid ORDER BY 1`,
      [small],
    )
  ).map((r) => r.name);

it('are whole after a start that was killed, and after two starts at once, while transactions are recorded', async () => {
  const { admin } = t.database;
  const before = await index();
  expect(before).toEqual([{ valid: true, partitions: expect.any(Number) }]);
  expect(before[0]?.partitions).toBeGreaterThan(2);
  expect(await validSmall()).toEqual(small);
  const old = await sell();
  await admin.query('DROP INDEX transactions_by_amount, accounts_by_words, accounts_on_hold');
  await admin.query('CREATE INDEX transactions_by_amount ON ONLY transactions (psp_id, amount, id)');
  await admin.query('CREATE INDEX transactions_other_by_amount ON transactions_other (psp_id, amount, id)');
  await admin.query('CREATE INDEX accounts_on_hold ON accounts (id)');
  // As concurrent ones stand that were not finished.
  await admin.query(
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid IN ('transactions_other_by_amount'::regclass, 'accounts_on_hold'::regclass)",
  );
  await admin.query('DELETE FROM migrations WHERE name = ANY ($1)', [[byAmount, others]]);
  const now = new Date(t.now());
  const [ran, made] = await Promise.all([
    Promise.all([migrate(admin, now), migrate(admin, now)]),
    Promise.all(Array.from({ length: 5 }, sell)),
  ]);
  expect(ran.flat().sort()).toEqual([byAmount, others]);
  expect(await index()).toEqual(before);
  expect(await validSmall()).toEqual(small);
  expect((await found('4,321.09 NGN')).sort()).toEqual([old, ...made].sort());
  expect(await found('lagoon')).toEqual([psp.id]);
});
