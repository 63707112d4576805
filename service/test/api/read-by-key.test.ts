// What is read for hundreds of keys of one PSP is found by each key, also while the database has no statistics of that PSP: it
// then assumes that a PSP has few rows, and whoever names the PSP as well has all of them read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SubjectKeys } from '../../src/modules/kernel/subjects.ts';
import { countedUpTo } from '../../src/modules/risk/watch-store.ts';
import type { CdrFile } from '../../src/modules/telecom/files/file-store.ts';
import type { RecordedLines } from '../../src/modules/telecom/files/outcome.ts';
import { findExisting } from '../../src/modules/telecom/files/portion-store.ts';
import { closeCorrected } from '../../src/modules/telecom/files/suspense-store.ts';
import { type Database, Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { IdMaker } from '../../src/platform/random.ts';
import { Vault } from '../../src/platform/sealed-secrets.ts';
import { makeDatabase, type TestDatabase } from '../support/app.ts';
import { connectMs, testsBegin } from '../support/database.ts';

interface Node {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
}

const stored = 20_000;
const asked = 250;
const clock = () => Date.parse(testsBegin);

let database: TestDatabase;
let pool: Pool;
const psp = new IdMaker(clock).next();

beforeAll(async () => {
  database = await makeDatabase();
  pool = new Pool(database.url, { max: 1, log: makeLog('silent'), role: 'assay_app', byIndex: 'hashed', connectMs });
  await database.admin.query('ALTER TABLE subject_keys SET (autovacuum_enabled = off)');
  await database.admin.query('ALTER TABLE risk_activity SET (autovacuum_enabled = off)');
  await database.admin.query('ALTER TABLE refs SET (autovacuum_enabled = off)');
  await database.admin.query('ALTER TABLE cdr_suspense SET (autovacuum_enabled = off)');
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** The most rows that a step of the statement's plan had to look at, however often it ran. */
async function mostRead(read: (db: Database) => Promise<unknown>): Promise<number> {
  let text = '';
  let values: readonly unknown[] = [];
  await read({
    query(t, v = []) {
      [text, values] = [t, v];
      return Promise.resolve([]);
    },
  });
  const [row] = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  const rowsOf = (n: Node): number => Math.max(n['Actual Rows'] * n['Actual Loops'], ...(n.Plans ?? []).map(rowsOf));
  return rowsOf(JSON.parse(row?.['QUERY PLAN'] as string)[0].Plan);
}

describe('hundreds of keys of a PSP that is new', () => {
  it('does not have the keys of all its persons read', async () => {
    await database.admin.query(
      `INSERT INTO subject_keys (psp_id, subject, key_sealed, created_at)
       SELECT $1, md5(n::text), repeat('k', 90), now() FROM generate_series(1, $2) AS n`,
      [psp, stored],
    );
    const subjects = new SubjectKeys(
      new Vault(new Map([0, 1].map((version) => [version, Buffer.alloc(32, version)]))),
      clock,
    );
    const ids = (
      await pool.query<{ subject: string }>('SELECT md5((n * 7)::text) AS subject FROM generate_series(1, $1) AS n', [
        asked,
      ])
    ).map(({ subject }) => ({ psp, subject: `${subject}-new` }));
    expect(await mostRead((db) => subjects.load(db, ids))).toBeLessThanOrEqual(asked);
  });

  it('does not have all its call records read, where a file is sent again', async () => {
    await database.admin.query(
      `WITH made AS (
         INSERT INTO cdrs (psp_id, id, account_id, recorded_by, cdr_id, call_start, duration_s, call_type, network_provider, content,
           record, warnings, created_at)
         SELECT $1, uuidv7(), $1, $1, n, $3, 60, 'VOICE', 'MTN', repeat('c', 64), '{}', '[]', $3 FROM generate_series(1, $2) AS n
         RETURNING psp_id, id, account_id, cdr_id
       )
       INSERT INTO refs (psp_id, space, ref, account_id, target_id, revision)
       SELECT psp_id, 'cdr', cdr_id, account_id, id, 1 FROM made`,
      [psp, stored, testsBegin],
    );
    const file = { psp, account: psp, pickedUpAt: testsBegin };
    const cdrIds = Array.from({ length: asked }, (_, i) => String(i * 7 + 1));
    for (const corrects of [false, true])
      expect(await mostRead((db) => findExisting(db, file, cdrIds, corrects))).toBe(asked);
  });

  it('does not have all its rejected lines read, where a file corrects some', async () => {
    await database.admin.query(
      `INSERT INTO cdr_suspense (psp_id, file_id, account_id, line, byte_offset, cdr_id, findings, state)
       SELECT $1, $1, $1, n, n * 100, n, '[]', 'OPEN' FROM generate_series(1, $2) AS n`,
      [psp, stored],
    );
    const file = { id: new IdMaker(clock).next(), psp, account: psp } as CdrFile;
    const cdrIds = Array.from({ length: asked }, (_, i) => String(i * 7 + 1));
    const lines = { cdrIds, lines: cdrIds.map(Number) } as RecordedLines;
    expect(await mostRead((db) => closeCorrected(db, file, lines, testsBegin))).toBeLessThanOrEqual(asked);
    const state = "SELECT count(*) AS n FROM cdr_suspense WHERE psp_id = $1 AND state = 'CORRECTED' AND closed_by = $2";
    expect(await pool.query(state, [psp, file.id])).toEqual([{ n: asked }]);
  });

  it('does not have all activity of its customers read, where rules decline', async () => {
    await database.admin.query(
      `INSERT INTO risk_activity (psp_id, dimension, key, state, last_at)
       SELECT $1, 'customer', md5(n::text), repeat('s', 200), now() FROM generate_series(1, $2) AS n`,
      [psp, stored],
    );
    const keys = (
      await pool.query<{ key: string }>('SELECT md5((n * 7)::text) AS key FROM generate_series(1, $1) AS n', [asked])
    ).map(({ key }) => ({ psp, of: 'customer' as const, key }));
    expect(
      await mostRead((db) =>
        countedUpTo(
          db,
          keys,
          keys.map((k) => k.key),
        ),
      ),
    ).toBeLessThanOrEqual(asked);
  });
});
