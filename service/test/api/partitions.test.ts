// Partitions for the coming months are created while the service works: a long read such as a backup does not make
// decisions or a start wait for them, and they are created when it has ended.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../src/platform/database.ts';
import { ensurePartitions } from '../../src/platform/migrate.ts';
import { sale } from '../durability/support/storm.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';

let database: TestDatabase;
let t: TestApp;
let client: Account;
/** A year after the app's, so that there are partitions to be made. */
const later = new Date('2027-11-21T10:00:00Z');
const env = { ASSAY_MASTER_KEY: '5d'.repeat(32) };

beforeAll(async () => {
  database = await makeDatabase();
  t = await makeTestApp({ database, env });
  client = await t.makeClient(await t.makePsp());
});
afterAll(async () => {
  await t.stop();
  await database.drop();
});

const partitions = async () =>
  (
    await database.admin.query<{ parent: string; name: string; bound: string }>(
      `SELECT i.inhparent::regclass::text AS parent, c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE c.relkind = 'r' ORDER BY 2`,
    )
  ).map((p) => p.name);

const decide = async (ref: string) =>
  (await t.post('/v1/transaction/verifyTransaction', sale(ref, 20), client.apiKey)).status;

/** Number of transactions in a partition by their ref. */
const heldBy = async (partition: string, ref: string) =>
  only(await database.admin.query<{ n: number }>(`SELECT count(*) AS n FROM ${partition} WHERE ref LIKE $1`, [ref])).n;

/** The least id of a moment. */
const floorOf = (at: string): string => {
  const h = Date.parse(at).toString(16).padStart(12, '0');
  return `${h.slice(0, 8)}-${h.slice(8)}-0000-0000-000000000000`;
};

describe('new partitions', () => {
  it('wait for a long read, and neither decisions nor a start wait for them', async () => {
    const before = await partitions();
    await database.admin.withClient(async (c) => {
      // As pg_dump and a report do.
      await c.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      for (const table of ['transactions', 'journal', 'wagers', 'payouts', 'cdrs'])
        await c.query(`SELECT count(*) FROM ${table}`);
      const making = ensurePartitions(t.app.services.db, later);
      const answered = await Promise.all(Array.from({ length: 30 }, (_, i) => decide(`during-${i}`)));
      expect(answered).toEqual(answered.map(() => 200));
      expect(await making).toBe(false);
      const started = await makeTestApp({ database, env, startAt: later.toISOString() });
      await started.stop();
      expect(await partitions()).toEqual(before);
      await c.query('COMMIT');
    });
    expect(await ensurePartitions(t.app.services.db, later)).toBe(true);
    const after = await partitions();
    expect(after.length).toBeGreaterThan(before.length);
    for (const table of ['transactions', 'journal', 'cdr_analyses']) expect(after).toContain(`${table}_202802`);
    expect(await decide('after')).toBe(200);
  });

  it("are there at a month's turn, while something reads for long and the chore finds the tables in use", async () => {
    const app = await makeTestApp({ database, env, startAt: '2027-01-31T23:59:59Z' });
    let n = 0;
    const load = async () => {
      const refs = Array.from({ length: 40 }, () => `turn-${++n}`);
      const answers = await Promise.all(
        refs.map((ref) => app.post('/v1/transaction/verifyTransaction', sale(ref, 20), client.apiKey)),
      );
      expect(answers.map((r) => r.status)).toEqual(answers.map(() => 200));
    };
    /** What the chore does every minute. */
    const chore = () => ensurePartitions(app.app.services.db, new Date(app.now()));
    const before = await partitions();
    await database.admin.withClient(async (c) => {
      await c.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      for (const table of ['transactions', 'journal', 'wagers', 'payouts', 'cdrs', 'cdr_analyses'])
        await c.query(`SELECT count(*) FROM ${table}`);
      await load();
      app.advance(2000);
      const maintenance = (async () => [await chore(), await chore(), await chore()])();
      await load();
      await load();
      await maintenance;
      await load();
      expect(await partitions()).toEqual(before);
      await c.query('COMMIT');
    });
    // Where a reader held the tables just then, the chore's next turn makes them.
    await expect.poll(chore, { timeout: 120_000 }).toBe(true);
    expect([await heldBy('transactions_202701', 'turn-%'), await heldBy('transactions_202702', 'turn-%')]).toEqual([
      40, 120,
    ]);
    await app.stop();
  });

  it('are as those that are made in one statement: same columns, constraints and indexes, and nobody is granted more', async () => {
    await ensurePartitions(t.app.services.db, later);
    const shape = (name: string) =>
      database.admin.query(
        `SELECT
           (SELECT array_agg(format('%s %s %s %s', attname, format_type(atttypid, atttypmod), attnotnull, attstorage) ORDER BY attnum)
            FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) AS columns,
           (SELECT array_agg(pg_get_constraintdef(oid) ORDER BY pg_get_constraintdef(oid)) FROM pg_constraint WHERE conrelid = c.oid) AS constraints,
           (SELECT array_agg(substring(pg_get_indexdef(indexrelid) FROM ' USING .*') ORDER BY substring(pg_get_indexdef(indexrelid) FROM ' USING .*')) FROM pg_index WHERE indrelid = c.oid) AS indexes,
           (SELECT count(*) FROM pg_index x JOIN pg_inherits i ON i.inhrelid = x.indexrelid WHERE x.indrelid = c.oid) AS attached,
           c.relacl::text AS acl, pg_get_userbyid(c.relowner) AS owner
         FROM pg_class c WHERE c.oid = $1::regclass`,
        [name],
      );
    for (const table of ['transactions', 'journal', 'wagers', 'payouts', 'cdrs', 'cdr_analyses']) {
      await database.admin.query(
        `CREATE TABLE ${table}_model PARTITION OF ${table}
         FOR VALUES FROM ('${floorOf('2099-01-01')}') TO ('${floorOf('2099-02-01')}')`,
      );
      expect(await shape(`${table}_202802`)).toEqual(await shape(`${table}_model`));
    }
  });

  it('take what happens in their month', async () => {
    const app = await makeTestApp({ database, env, startAt: '2028-02-05T10:00:00Z' });
    const r = await app.post('/v1/transaction/verifyTransaction', sale('then', 20), client.apiKey);
    expect(r.status, r.text).toBe(200);
    await app.stop();
    expect(await heldBy('transactions_202802', 'then')).toBe(1);
  });

  it('take over what came before they were there, while decisions go on, and the next start finds nothing in the way', async () => {
    const app = await makeTestApp({ database, env, startAt: '2028-02-05T10:00:00Z' });
    const verify = async (n: number) => {
      const refs = Array.from({ length: n }, (_, i) => `early-${i}`);
      const answers = await Promise.all(
        refs.map((ref) => app.post('/v1/transaction/verifyTransaction', sale(ref, 20), client.apiKey)),
      );
      expect(answers.map((r) => r.status)).toEqual(refs.map(() => 200));
    };
    // As a clock that runs ahead, or months in which none could be made.
    app.advance(Date.parse('2028-08-05') - app.now());
    await verify(20);
    expect(await heldBy('transactions_other', 'early-%')).toBe(20);
    const entries = () =>
      database.admin.query('SELECT psp_id, seq, id, body FROM journal WHERE id >= $1 ORDER BY psp_id, seq', [
        floorOf('2028-08-01'),
      ]);
    const before = await entries();
    const make = () => ensurePartitions(app.app.services.db, new Date('2028-07-31'));
    const making = make();
    await verify(60);
    // Where a decision held the tables for long, a later turn makes them.
    if (!(await making)) await expect.poll(make, { timeout: 120_000 }).toBe(true);
    await verify(80);
    expect([await heldBy('transactions_other', 'early-%'), await heldBy('transactions_202808', 'early-%')]).toEqual([
      0, 80,
    ]);
    expect((await entries()).slice(0, before.length)).toEqual(before);
    await app.stop();
    const started = await makeTestApp({ database, env, startAt: '2028-08-06T10:00:00Z' });
    await started.stop();
    expect(await partitions()).toContain('journal_202811');
  });
});
