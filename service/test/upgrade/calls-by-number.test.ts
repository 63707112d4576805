// The indexes on the numbers of calls are created while the tables are in use, and the next start completes them after
// a start that was killed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../src/platform/migrate.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { aCall } from '../support/calls.ts';
import { contentOf } from '../support/guarantees.ts';

const name = '0050-calls-by-number.sql';
const number = '+2348031234567';
let t: TestApp;
let psp: Account;

const record = async (cdr_id: string) =>
  contentOf(await t.post('/v1/telecom/recordCDR', { ...aCall, cdr_id, caller_number: number }, psp.apiKey))
    .cdrId as string;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

/** Indexes of both sides, whole and by partition. */
const indexes = () =>
  t.database.admin.query<{ partitions: number; valid: boolean }>(
    `SELECT i.indisvalid AS valid, (SELECT count(*)::integer FROM pg_inherits a JOIN pg_index p ON p.indexrelid = a.inhrelid
       WHERE a.inhparent = i.indexrelid AND p.indisvalid) AS partitions
     FROM pg_index i WHERE i.indexrelid IN ('cdrs_by_caller'::regclass, 'cdrs_by_receiver'::regclass)`,
  );

it('are whole after a start that was killed, and after two starts at once, while calls are recorded', async () => {
  const { admin } = t.database;
  // A database of version 0.1 has partitions for a year.
  await admin.query("SELECT ensure_partitions('2026-10-01', 14)");
  const before = await indexes();
  expect(before).toEqual([before[0], before[0]]);
  expect(before[0]).toMatchObject({ valid: true });
  expect(before[0]?.partitions).toBeGreaterThan(12);
  await admin.query('DROP INDEX cdrs_by_caller');
  await admin.query('DROP INDEX cdrs_by_receiver');
  await admin.query('CREATE INDEX cdrs_by_caller ON ONLY cdrs (psp_id, caller_number, id)');
  await admin.query('CREATE INDEX cdrs_other_by_caller ON cdrs_other (psp_id, caller_number, id)');
  // As a concurrent one stands that was not finished.
  await admin.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'cdrs_other_by_caller'::regclass");
  await admin.query('DELETE FROM migrations WHERE name = $1', [name]);
  const now = new Date(t.now());
  const [ran, ids] = await Promise.all([
    Promise.all([migrate(admin, now), migrate(admin, now)]),
    Promise.all(Array.from({ length: 20 }, (_, i) => record(`CDR-${i}`))),
  ]);
  expect(ran.flat()).toEqual([name]);
  expect(await indexes()).toEqual(before);
  const found = contentOf(await t.post('/v1/record/find', { by: 'msisdn', value: number }, psp.apiKey));
  expect(found.items.map((f: { id: string }) => f.id).sort()).toEqual(ids.sort());
});
