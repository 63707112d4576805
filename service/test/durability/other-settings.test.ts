// Databases that their administrators have set up otherwise: a start says what is wrong with one and what to do, or is not
// moved by it.
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { makeEmptyDatabase } from '../support/app.ts';
import { connectMs, inDatabase } from '../support/database.ts';
import { until } from './support/conditions.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const log = makeLog('silent');
const later: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const work of later.reverse()) await work();
});

/** An empty database with these settings, and a pool whose connections have them. */
async function databaseWith(settings: readonly string[]): Promise<{ pool: Pool; admin: Pool }> {
  const { url, admin, drop } = await makeEmptyDatabase();
  const [{ name }] = (await admin.query('SELECT current_database() AS name')) as [{ name: string }];
  for (const setting of settings) await admin.query(`ALTER DATABASE "${name}" SET ${setting}`);
  const pool = new Pool(url, { max: 2, log, connectMs });
  later.push(drop, () => pool.end());
  return { pool, admin };
}

describe('a database', () => {
  it('that writes days, bytes and numbers in another form is read as any other', async () => {
    const { pool } = await databaseWith([
      "datestyle = 'SQL, DMY'",
      "intervalstyle = 'sql_standard'",
      "bytea_output = 'escape'",
      'extra_float_digits = -3',
      "timezone = 'Asia/Kathmandu'",
      "default_transaction_isolation = 'serializable'",
    ]);
    const read = `SELECT '2026-12-11'::date AS day, '2026-12-11T23:00:00Z'::timestamptz AS at, '\\x00ff'::bytea AS bytes,
      (interval '1 day 02:00')::text AS lasts, 0.1::float8 + 0.2::float8 AS number, current_setting('transaction_isolation') AS sees`;
    const as = {
      day: '2026-12-11',
      at: '2026-12-11T23:00:00.000Z',
      bytes: Buffer.from([0, 255]),
      lasts: '1 day 02:00:00',
      number: 0.1 + 0.2,
      sees: 'read committed',
    };
    expect([await pool.query(read), await pool.transaction((tx) => tx.query(read))]).toEqual([[as], [as]]);
  });

  it('that looks for tables in another schema first has those of the service in public', async () => {
    const { pool, admin } = await databaseWith(['search_path = other, public']);
    await admin.query('CREATE SCHEMA other');
    await admin.query('CREATE TABLE other.accounts (id int)');
    await migrate(pool, new Date());
    const where =
      "SELECT relnamespace::regnamespace::text AS schema FROM pg_class WHERE relname IN ('accounts', 'journal')";
    expect((await admin.query(where)).map((r) => r.schema).sort()).toEqual(['other', 'public', 'public']);
  });

  it('whose statements are limited in time is migrated in as long as it takes', async () => {
    const { pool, admin } = await databaseWith(["statement_timeout = '400ms'"]);
    await admin.query('CREATE TABLE migrations (name text PRIMARY KEY, hash text NOT NULL)');
    await admin.query("INSERT INTO migrations VALUES ('9999-later.sql', '')");
    let migrated: Promise<unknown> = Promise.resolve();
    await admin.transaction(async (tx) => {
      await tx.query('LOCK TABLE migrations');
      migrated = migrate(pool, new Date());
      migrated.catch(() => undefined);
      await until('it has waited longer than that', async () => {
        const rows = await pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '800ms'`,
        );
        return rows.length > 0;
      });
    });
    await expect(migrated).rejects.toThrow('was migrated by a newer version of Assay (9999-later.sql');
  });

  it('that takes no writes, or not every name, says what to do', async () => {
    const { pool } = await databaseWith(['default_transaction_read_only = on']);
    await expect(migrate(pool, new Date())).rejects.toThrow('takes no writes from the role of DATABASE_URL');
    const { admin, drop } = await makeEmptyDatabase();
    later.push(drop);
    for (const encoding of ['LATIN1', 'SQL_ASCII']) {
      const name = `other_${encoding.toLowerCase()}_${process.pid}`;
      await admin.query(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
      const there = new Pool(inDatabase(inject('serverUrl'), name), { max: 2, log, connectMs });
      try {
        await expect(migrate(there, new Date())).rejects.toThrow(`has the encoding ${encoding}`);
        expect(await there.query("SELECT 1 FROM pg_class WHERE relname = 'migrations'")).toEqual([]);
      } finally {
        await there.end();
        await admin.query(`DROP DATABASE ${name} (FORCE)`);
      }
    }
  });
});
