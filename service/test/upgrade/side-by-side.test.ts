// Two versions of the service on one database: the current one, and one with one more column of transactions and one
// more kind of record. Both serve while the newer one migrates, and neither disturbs the other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../../src/modules/audit/index.ts';
import { type CommitForm, makeCommitForm } from '../../src/platform/batch-parameters.ts';
import { compareCatalogue } from '../../src/platform/catalogue.ts';
import type { Writes } from '../../src/platform/command.ts';
import * as column from '../../src/records/column.ts';
import { defineRecord, insert, type RecordDefinition } from '../../src/records/define.ts';
import { records } from '../../src/records/index.ts';
import { refs } from '../../src/records/refs.ts';
import { transactions } from '../../src/records/transactions.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';
import { allSealed } from '../support/audit.ts';
import { fixtureMasterKey } from './world.ts';

const laterCases = defineRecord({
  table: 'later_cases',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.uuid,
    id: column.uuid,
    transaction_id: column.uuid,
    opened_at: column.timestamptz,
  },
  writes: { later_cases: insert },
  vouched: true,
});
const revision = transactions.writes.transaction_changes;
const newTransactions: RecordDefinition = {
  ...transactions,
  columns: { ...transactions.columns, channel: column.optional(column.text) },
  writes: { ...transactions.writes, transaction_changes: { ...revision, set: [...revision.set, 'channel'] } },
};

/** Every transaction comes through a channel, and opens a case the first time. */
function withChannel(w: Writes): Writes {
  const rows = w.rows.flatMap(([name, row]): (readonly [string, unknown])[] => {
    if (name === 'transactions')
      return [
        [name, { ...row, channel: 'POS' }],
        ['later_cases', { psp_id: row.psp_id, id: row.id, transaction_id: row.id, opened_at: row.created_at }],
      ];
    return [[name, name === 'transaction_changes' ? { ...row, channel: 'WEB' } : row]];
  });
  return { ...w, rows: rows as unknown as Writes['rows'] };
}

const made = makeCommitForm(
  [laterCases, ...records.map((r) => (r.table === 'transactions' ? newTransactions : r))],
  refs,
);
const newForm: CommitForm = {
  ...made,
  call: (writes, types) => made.call(writes.map(withChannel), types),
  callAt: (place, writes, types) => made.callAt(place, writes.map(withChannel), types),
};

/** As a version writes that does not know the day of the decision yet. */
const { decided_on: _, ...columnsBefore } = transactions.columns;
const formBefore = makeCommitForm(
  records.map((r) =>
    r.table === 'transactions'
      ? {
          ...transactions,
          columns: columnsBefore,
          writes: {
            ...transactions.writes,
            transaction_changes: { ...revision, set: revision.set.filter((c) => c !== 'decided_on') },
          },
        }
      : r,
  ),
  refs,
);

/** Both seal under one key. */
const env = { ASSAY_MASTER_KEY: fixtureMasterKey };

let database: TestDatabase;
let before: TestApp;
let after: TestApp;
let psp: Account;
let client: Account;
beforeAll(async () => {
  database = await makeDatabase();
  before = await makeTestApp({ database, env });
  psp = await before.makePsp();
  client = await before.makeClient(psp);
});
afterAll(async () => {
  await after?.stop();
  await before.stop();
  await database.drop();
});

const sale = (ref: string, totalAmount = 107.5) => ({
  ref,
  totalAmount,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: totalAmount },
  transactionFee: 1.5,
});
const verify = (app: TestApp, ref: string, amount?: number) =>
  app.post('/v1/transaction/verifyTransaction', sale(ref, amount), client.apiKey);

describe('an older and a newer version on one database', () => {
  it('both record on while the newer one adds a column and a table, and after it', async () => {
    const answers: Promise<number>[] = [];
    let going = true;
    const load = (async () => {
      for (let i = 0; going && i < 20_000; i++) {
        const answer = verify(before, `old-${i}`).then((r) => r.status);
        answers.push(answer);
        await answer;
      }
    })();
    for (const statement of [
      'ALTER TABLE transactions ADD COLUMN channel text',
      'ALTER TABLE transaction_revisions ADD COLUMN channel text',
      `CREATE TABLE later_cases (psp_id uuid NOT NULL, id uuid NOT NULL, transaction_id uuid NOT NULL,
         opened_at timestamptz NOT NULL, PRIMARY KEY (psp_id, id))`,
      'GRANT SELECT, INSERT ON later_cases TO assay_app',
    ])
      await database.admin.query(statement);
    after = await makeTestApp({ database, env, form: newForm });
    const newer = await Promise.all(Array.from({ length: 100 }, (_, i) => verify(after, `new-${i}`)));
    going = false;
    await load;
    expect(newer.map((r) => r.status)).toEqual(newer.map(() => 200));
    const older = await Promise.all(answers);
    expect(older.filter((status) => status !== 200)).toEqual([]);
    const rows = await database.admin.query(
      `SELECT left(ref, 3) AS by, channel, count(*) AS n FROM transactions GROUP BY 1, 2 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { by: 'new', channel: 'POS', n: 100 },
      { by: 'old', channel: null, n: older.length },
    ]);
    expect(await database.admin.query('SELECT count(*) AS n FROM later_cases')).toEqual([{ n: 100 }]);
  });

  it('change what the other one recorded, and keep what it knows of it', async () => {
    expect((await verify(before, 'new-1', 215)).status).toBe(200);
    expect((await verify(after, 'old-1', 215)).status).toBe(200);
    const all = await database.admin.query(
      `SELECT ref, revision, channel, amount FROM transactions WHERE ref IN ('new-1', 'old-1')
       UNION ALL SELECT ref, revision, channel, amount FROM transaction_revisions ORDER BY 1, 2`,
    );
    expect(all).toEqual([
      { ref: 'new-1', revision: 1, channel: 'POS', amount: '107.50' },
      { ref: 'new-1', revision: 2, channel: 'POS', amount: '215.00' },
      { ref: 'old-1', revision: 1, channel: null, amount: '107.50' },
      { ref: 'old-1', revision: 2, channel: 'WEB', amount: '215.00' },
    ]);
  });

  it('find the journal whole, whichever of them wrote it', async () => {
    await allSealed(before);
    for await (const one of audit({ db: database.admin, folders: [] })) expect(one.findings).toEqual([]);
  });

  it('have the day of every decision, also of what a version recorded that does not write it', async () => {
    const earlier = await makeTestApp({
      database,
      env,
      form: formBefore,
      startAt: new Date(before.now() + 86_400_000).toISOString(),
    });
    try {
      for (const [ref, amount] of [
        ['early-1', 107.5],
        ['early-2', 107.5],
        ['early-2', 215],
        ['new-2', 215],
      ] as const)
        expect((await verify(earlier, ref, amount)).status).toBe(200);
      const rows = await database.admin.query(
        `SELECT ref, decided_on::text AS day FROM transactions WHERE decided_on::text = evidence::json->>'date' AND revision > 1
         OR ref LIKE 'early%' ORDER BY ref`,
      );
      const tomorrow = new Date(earlier.now()).toISOString().slice(0, 10);
      expect(rows).toEqual(
        expect.arrayContaining(['early-1', 'early-2', 'new-2'].map((ref) => ({ ref, day: tomorrow }))),
      );
    } finally {
      await earlier.stop();
    }
  });

  it('say where a database is not what they write, in one line', async () => {
    await database.admin.query(
      'ALTER TABLE later_cases DROP COLUMN opened_at, ALTER COLUMN transaction_id DROP NOT NULL',
    );
    expect(await compareCatalogue(database.admin, newForm.definitions)).toEqual([
      'later_cases.transaction_id takes null',
      'later_cases has no column opened_at',
    ]);
    expect(await compareCatalogue(database.admin)).toEqual([]);
  });
});
