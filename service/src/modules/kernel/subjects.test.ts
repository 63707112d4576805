// Keys of persons cached in memory.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../../test/support/app.ts';
import { IdMaker } from '../../platform/random.ts';
import { openVault } from '../../platform/sealed-secrets.ts';
import { SubjectKeys } from './subjects.ts';

const clock = () => Date.parse('2026-11-21T10:00:00Z');
let database: TestDatabase;

beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

it('are some 10,000 at most, those used last; one that was given up is found again', async () => {
  const keys = new SubjectKeys(await openVault(database.admin, Buffer.alloc(32, 7)), clock);
  const psp = new IdMaker(clock).next();
  const ids = Array.from({ length: 16_000 }, (_, n) => ({ psp, subject: `s${n}` }));
  await database.admin.query(
    `INSERT INTO subject_keys (psp_id, subject, key_sealed, created_at)
     SELECT $1, s, k, now() FROM unnest($2::text[], $3::text[]) AS n(s, k)`,
    [psp, ids.map((id) => id.subject), ids.map((id) => keys.make(id).fresh?.keySealed)],
  );
  const first = (await keys.load(database.admin, ids.slice(0, 5000))).get(`${psp}|s0`);
  expect(ids.slice(0, 5000).filter((id) => keys.peek(id)).length).toBe(5000);
  await keys.load(database.admin, ids.slice(5000));
  expect(keys.peek(ids[0] as (typeof ids)[0])).toBeUndefined();
  expect(ids.slice(-5000).filter((id) => keys.peek(id)).length).toBe(5000);
  expect(ids.slice(0, 5000).filter((id) => keys.peek(id))).toEqual([]);
  expect((await keys.load(database.admin, ids.slice(0, 1))).get(`${psp}|s0`)?.key).toEqual(first?.key);
  expect(keys.peek(ids[0] as (typeof ids)[0])).toBeDefined();
});
