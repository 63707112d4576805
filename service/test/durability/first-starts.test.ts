// Several first starts on one empty database at the same time: everything missing is created once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countryFile, type RateKeeper, shippedCountries } from '../../src/modules/rates/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeDatabase, type TestDatabase } from '../support/app.ts';
import { connectMs, startRates } from '../support/database.ts';
import { until } from './support/conditions.ts';

let database: TestDatabase;
let pools: Pool[];

beforeAll(async () => {
  database = await makeDatabase();
  pools = Array.from({ length: 3 }, () => new Pool(database.url, { max: 2, log: makeLog('silent'), connectMs }));
});
afterAll(async () => {
  await Promise.all(pools.map((p) => p.end()));
  await database.drop();
});

const shipped = shippedCountries();

/** Lets all of them see what is missing before any of them may load it. */
async function startAtOnce(files: readonly (typeof shipped)[]): Promise<RateKeeper[]> {
  let starts: Promise<RateKeeper[]> | undefined;
  await database.admin.transaction(async (tx) => {
    await tx.query('LOCK TABLE tax_datasets IN SHARE ROW EXCLUSIVE MODE');
    starts = Promise.all(files.map((f, i) => startRates(pools[i] as Pool, f)));
    await until('all wait to load', async () => {
      const [w] = await database.admin.query(
        `SELECT count(*) AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'LOCK TABLE tax_datasets%' AND state = 'active'`,
      );
      return w?.n === files.length;
    });
  });
  return starts as Promise<RateKeeper[]>;
}

const count = async (what: string) => (await database.admin.query(`SELECT count(*) AS n FROM ${what}`))[0]?.n;

it('loads the shipped rates once, and every process has the same dataset in force', async () => {
  await database.admin.query('TRUNCATE tax_countries, tax_rules, tax_datasets');
  const keepers = await startAtOnce([shipped, shipped, shipped]);
  expect([await count('tax_countries'), await count('tax_datasets')]).toEqual([shipped.length, 1]);
  expect(await count('tax_countries WHERE superseded_at IS NOT NULL')).toBe(0);
  expect(await count('tax_rules')).toBe(shipped.reduce((n, f) => n + f.country.rules.length, 0));
  expect(new Set(keepers.map((k) => k.rates.book.version)).size).toBe(1);
});

it('supersedes once what a new version ships, and leaves what staff loaded', async () => {
  const changed = shipped.map((f) => (['LI', 'KE'].includes(f.country.jurisdiction) ? countryFile(`${f.text}\n`) : f));
  await database.admin.query("UPDATE tax_countries SET origin = 'operator' WHERE jurisdiction = 'KE'");
  await startAtOnce([changed, changed]);
  const rows = await database.admin.query(
    `SELECT jurisdiction, count(*) AS n, count(superseded_at) AS past FROM tax_countries
     WHERE jurisdiction IN ('LI', 'KE', 'NG') GROUP BY jurisdiction ORDER BY jurisdiction`,
  );
  expect(rows.map((r) => [r.jurisdiction, r.n, r.past])).toEqual([
    ['KE', 1, 0],
    ['LI', 2, 1],
    ['NG', 1, 0],
  ]);
  expect(await count('tax_datasets')).toBe(2);
});
