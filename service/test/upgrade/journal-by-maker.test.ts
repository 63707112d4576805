// The index by which it is found what a key made is created while entries are written, and a start that was killed in the
// middle leaves nothing that the next one does not mend. What a key of before had made is found by it too.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Pool } from '../../src/platform/database.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { connectMs } from '../support/database.ts';
import { contentOf } from '../support/guarantees.ts';

const name = '0125-journal-by-maker.sql';
let t: TestApp;
let psp: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

const issue = async (): Promise<string> => contentOf(await t.post('/v1/key', { name: 'made' }, psp.apiKey)).keyId;

/** The index, and how many partitions have a valid one of their own in it. */
const index = () =>
  t.database.admin.query<{ partitions: number; valid: boolean }>(
    `SELECT i.indisvalid AS valid, (SELECT count(*)::integer FROM pg_inherits a JOIN pg_index p ON p.indexrelid = a.inhrelid
       WHERE a.inhparent = i.indexrelid AND p.indisvalid) AS partitions
     FROM pg_index i WHERE i.indexrelid = 'journal_by_maker'::regclass`,
  );

it('is whole after a start that was killed, and after two starts at once, while entries are written', async () => {
  const { admin } = t.database;
  const before = await index();
  expect(before).toEqual([{ valid: true, partitions: expect.any(Number) }]);
  expect(before[0]?.partitions).toBeGreaterThan(2);
  const old = await issue();
  await admin.query('DROP INDEX journal_by_maker');
  const half = `(split_part(split_part(body, '"by":"', 2), '"', 1), id) WHERE kind IN ('client.created', 'client.updated',
    'key.issued', 'sftp_login.issued', 'sftp_login.updated', 'user.created', 'user.password_changed')`;
  await admin.query(`CREATE INDEX journal_by_maker ON ONLY journal ${half}`);
  await admin.query(`CREATE INDEX journal_other_by_maker ON journal_other ${half}`);
  // As a concurrent one stands that was not finished.
  await admin.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'journal_other_by_maker'::regclass");
  await admin.query('DELETE FROM migrations WHERE name = $1', [name]);
  const now = new Date(t.now());
  const [ran, made] = await Promise.all([
    Promise.all([migrate(admin, now), migrate(admin, now)]),
    Promise.all(Array.from({ length: 10 }, issue)),
  ]);
  expect(ran.flat()).toEqual([name]);
  expect(await index()).toEqual(before);
  const { items } = contentOf(await t.get(`/v1/key/key_${psp.apiKey.split('_')[1]}/made`, psp.apiKey));
  expect(items.map((m: { id: string }) => m.id).sort()).toEqual([old, ...made].sort());
});

it('waits for a long read without holding anybody up behind it', async () => {
  const { admin } = t.database;
  const before = await index();
  await admin.query('DROP INDEX journal_by_maker');
  await admin.query(`CREATE INDEX journal_other_by_maker ON journal_other (id)`);
  await admin.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'journal_other_by_maker'::regclass");
  await admin.query('DELETE FROM migrations WHERE name = $1', [name]);
  const other = new Pool(t.database.url, { max: 2, log: t.app.services.log, connectMs });
  const waiting = () =>
    admin
      .query("SELECT FROM pg_locks WHERE NOT granted AND relation = 'journal_other'::regclass")
      .then((r) => r.length > 0);
  await admin.withClient(async (c) => {
    // As pg_dump does: the unfinished index cannot be dropped meanwhile.
    await c.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await c.query('SELECT count(*) FROM journal');
    const migrating = migrate(other, new Date(t.now()));
    await until('the migration waits', waiting);
    for (let n = 0; n < 5; n++) await Promise.all(Array.from({ length: 5 }, issue));
    expect(await Promise.race([migrating, c.query('SELECT 1').then(() => 'still waiting')])).toBe('still waiting');
    await c.query('COMMIT');
    expect(await migrating).toEqual([name]);
  });
  await other.end();
  expect(await index()).toEqual(before);
});
