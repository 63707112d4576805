// The journal alone shows which shipped rates apply since when: it names each file that a start put in force, also in a
// database whose earlier version wrote no such entries.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nobody } from '../../src/core/ids.ts';
import { countryFile, shippedCountries } from '../../src/modules/rates/index.ts';
import { makeDatabase, type TestDatabase } from '../support/app.ts';
import { startRates } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

const shipped = shippedCountries();

/** The entries of the service itself, each with the countries it names and their files' hashes. */
async function entries() {
  const rows = await database.admin.query<{ body: string }>(
    "SELECT body FROM journal WHERE psp_id = $1 AND kind = 'rates.changed' ORDER BY seq",
    [nobody],
  );
  return rows.map((r) => JSON.parse(r.body));
}
const inForce = async () =>
  new Map(
    (
      await database.admin.query<{ jurisdiction: string; hash: string }>(
        'SELECT jurisdiction, hash FROM tax_countries WHERE superseded_at IS NULL',
      )
    ).map((r) => [r.jurisdiction, r.hash]),
  );
/** What a reader of the journal takes to be in force. */
async function told() {
  const now = new Map<string, string>();
  for (const e of await entries()) for (const c of e.data.countries) now.set(c.jurisdiction, c.hash);
  return now;
}

it('are all named by the entry of the first start, with the dataset, and by no other', async () => {
  const [first, ...others] = await entries();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    schema: 'rates.changed/1',
    actor: { by: 'system' },
    evidence: { reason: 'shipped with this version' },
  });
  const [dataset] = await database.admin.query('SELECT version FROM tax_datasets');
  expect(first.data.dataset).toBe(dataset?.version);
  expect(first.data.countries).toHaveLength(shipped.length);
  expect(await told()).toEqual(await inForce());
});

it('are named once more only where a later version ships another file', async () => {
  await startRates(database.admin, shipped);
  expect(await entries()).toHaveLength(1);
  const later = shipped.map((f) => (['LI', 'KE'].includes(f.jurisdiction) ? countryFile(`${f.text}\n`) : f));
  await startRates(database.admin, later);
  const [, second, ...others] = await entries();
  expect(others).toEqual([]);
  expect(second.data.countries.map((c: { jurisdiction: string }) => c.jurisdiction).sort()).toEqual(['KE', 'LI']);
  expect(await told()).toEqual(await inForce());
});

it('are named by the first start after an upgrade, those in force and those that it loads', async () => {
  await database.admin.query("DELETE FROM journal WHERE kind = 'rates.changed'");
  const next = shipped.map((f) => (f.jurisdiction === 'LI' ? countryFile(`${f.text}\n\n`) : f));
  await startRates(database.admin, next);
  expect(await entries()).toHaveLength(1);
  expect((await told()).size).toBe(shipped.length);
  expect(await told()).toEqual(await inForce());
});

/** The shipped files, one of them with a changed row. */
const changed = (jurisdiction: string, row: number, change: Readonly<Record<string, unknown>>) =>
  shipped.map((f) => {
    if (f.jurisdiction !== jurisdiction) return f;
    const rules = f.country.rules.map((r, i) => (i === row ? { ...r, ...change } : r));
    return countryFile(JSON.stringify({ ...f.country, rules }));
  });

it('are refused whole, by file and row, at a start that would put a faulty file in force', async () => {
  const before = await inForce();
  await expect(startRates(database.admin, changed('KE', 1, { rate: '7 %' }))).rejects.toThrow(
    /^tax rules refused:\nKE\.json: row 2 \(KE-[^)]+\): rate '7 %' must be a percentage/,
  );
  const ruleId = shipped[0]?.country.rules[0]?.ruleId;
  await expect(startRates(database.admin, changed('LI', 0, { ruleId }))).rejects.toThrow(
    `tax rules refused:\nLI.json: ruleId ${ruleId} stands in ${shipped[0]?.jurisdiction}.json too`,
  );
  expect(await inForce()).toEqual(before);
});
