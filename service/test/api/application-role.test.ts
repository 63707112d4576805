// The database role of the service: its rights on each table according to the catalogue, and attempts to change or
// delete past records in every way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { makeEmptyDatabase, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, verified } from '../support/audit.ts';
import { citus } from '../support/citus.ts';
import { connectMs } from '../support/database.ts';

let t: TestApp;

beforeAll(async () => {
  t = await makeTestApp();
  const psp = await t.makePsp();
  await verified(t, psp);
  await allSealed(t);
});
afterAll(() => t.stop());

const attempt = async (sql: string): Promise<string> => {
  try {
    await t.app.services.db.query(sql);
    return 'done';
  } catch (e) {
    return (e as { code?: string }).code ?? String(e);
  }
};

/** Recorded once and for all. The journal and its seal; what was decided, and what was done about it. */
const appendOnly = [
  'adjustments',
  'archived_journals',
  'archived_months',
  'audit_checkpoints',
  'audit_keys',
  'audit_resigned',
  'audit_tiles',
  'case_files',
  'case_items',
  'cdr_declarations',
  'cdr_file_warnings',
  'cdr_withdrawals',
  'chargebacks',
  'client_document_parts',
  'crypto_assets',
  'exchange_rates',
  'filings',
  'list_entries',
  'list_loads',
  'journal',
  'lookups',
  'nettings',
  'payouts',
  'player_keys',
  'report_files',
  'risk_policies',
  'transaction_revisions',
  'wagers',
];
/** Show what is in tables. */
const views = ['totals_by_accrual', 'totals_by_fee', 'totals_by_tax'];
/** Made from the journal and made anew from it, or kept for a while only. */
const removable = [
  'access_changes',
  'cdr_analyses',
  'cdr_periods',
  'cdr_totals',
  'daily_accrual_totals',
  'daily_cells',
  'daily_tax_totals',
  'daily_totals',
  'journal_cursors',
  'journal_set_aside',
  'redated_transactions',
  'risk_activity',
  'risk_match_counts',
  'risk_matches',
  'request_log',
  'sessions',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_events',
  'webhook_health',
];

describe('the role of the service', () => {
  it('may change no table of the past, and remove from those alone that are kept for a while', async () => {
    const rows = await t.database.admin.query(
      `SELECT c.relname AS name, c.relispartition AS part,
         has_any_column_privilege('assay_app', c.oid, 'UPDATE') AS "update",
         has_table_privilege('assay_app', c.oid, 'DELETE') AS "delete",
         has_table_privilege('assay_app', c.oid, 'TRUNCATE, REFERENCES, TRIGGER') AS "more",
         pg_has_role('assay_app', c.relowner, 'MEMBER') AS owner
       FROM pg_class c WHERE c.relkind IN ('r', 'p', 'm', 'v', 'f') AND c.relnamespace = 'public'::regnamespace`,
    );
    const whole = (name: string) => name.replace(/_(\d{6}|other)$/, '');
    const named = (right: 'update' | 'delete') => [
      ...new Set(rows.filter((r) => r[right]).map((r) => whole(r.name as string))),
    ];
    expect(rows.filter((r) => r.more || r.owner)).toEqual([]);
    expect(named('update').filter((name) => appendOnly.includes(name))).toEqual([]);
    expect(named('delete').filter((name) => !removable.includes(name))).toEqual([]);
    // No table can be added, and none renamed, without a place in these lists.
    const names = new Set(rows.filter((r) => !r.part).map((r) => r.name as string));
    expect([...appendOnly, ...removable].filter((name) => !names.has(name))).toEqual([]);
    const kept = [...names].filter((n) => !named('update').includes(n) && !removable.includes(n)).sort();
    expect(kept).toEqual([...appendOnly, ...views, 'migrations'].sort());
  });

  it('can touch neither what the tables of the past hold nor the tables themselves', async () => {
    for (const name of appendOnly) {
      const [before] = await t.database.admin.query(`SELECT count(*) AS n FROM ${name}`);
      // No right, or, for what is never a table's owner's only, no such column.
      for (const sql of [
        `UPDATE ${name} SET psp_id = psp_id`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
        `DROP TABLE ${name} CASCADE`,
        `ALTER TABLE ${name} RENAME TO gone`,
        `ALTER TABLE ${name} ADD COLUMN x int`,
        `ALTER TABLE ${name} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${name} OWNER TO assay_app`,
        `CREATE TRIGGER x BEFORE INSERT ON ${name} FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
        `CREATE RULE x AS ON INSERT TO ${name} DO INSTEAD NOTHING`,
        `CREATE POLICY x ON ${name}`,
        `CREATE INDEX x ON ${name} (psp_id)`,
        `SELECT 1 FROM ${name} WHERE psp_id = '${t.app.services.ids.next()}' FOR UPDATE`,
        `MERGE INTO ${name} t USING ${name} s ON t.psp_id = s.psp_id WHEN MATCHED THEN DELETE`,
      ])
        expect([sql, await attempt(sql)]).toEqual([sql, expect.stringMatching(/^(42501|42703)$/)]);
      expect([name, await t.database.admin.query(`SELECT count(*) AS n FROM ${name}`)]).toEqual([name, [before]]);
    }
  });

  it('can neither become more nor switch off what watches over it', async () => {
    for (const sql of [
      'SET session_replication_role = replica',
      'ALTER ROLE assay_app SUPERUSER',
      'GRANT pg_write_all_data TO assay_app',
      'CREATE ROLE x',
      'CREATE SCHEMA x',
      'CREATE TABLE public.x (a int)',
      'CREATE FUNCTION public.x() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      'ALTER FUNCTION ensure_partitions(date, integer) OWNER TO assay_app',
      "COPY journal TO PROGRAM 'true'",
      "COPY journal FROM '/etc/passwd'",
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT lo_import('/etc/passwd')",
    ])
      expect([sql, await attempt(sql)]).toEqual([sql, '42501']);
  });

  it('is lent the rights of the owner by one function alone, which makes partitions and nothing else', async () => {
    const lent = await t.database.admin.query(
      `SELECT proname AS name, proconfig AS config FROM pg_proc
       WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY 1`,
    );
    // On a cluster a second one lets it lock a place against moves, which only owners may.
    const onCluster = citus === undefined ? [] : ['hold_place'];
    expect(lent.map((f) => f.name)).toEqual(['ensure_partitions', ...onCluster]);
    expect(String(lent[0]?.config)).toMatch(/search_path=/);
    expect(await attempt("SELECT ensure_partitions('2031-01-01', 2)")).toBe('done');
    const made = await t.database.admin.query(
      `SELECT relname AS name, has_any_column_privilege('assay_app', oid, 'UPDATE') OR
         has_table_privilege('assay_app', oid, 'DELETE, TRUNCATE') AS changeable
       FROM pg_class WHERE relkind = 'r' AND relname ~ '_20310[12]$'`,
    );
    expect(made.map((m) => m.name)).toEqual(expect.arrayContaining(['journal_203101', 'journal_203102']));
    expect(made.filter((m) => m.changeable)).toEqual([]);
  });

  it('lends those rights to nothing that a session has made for itself', async () => {
    const [before] = await t.database.admin.query('SELECT count(*) AS n FROM journal');
    await t.app.services.db.transaction(async (c) => {
      await c.query(`CREATE FUNCTION pg_temp.evil() RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN IF current_user <> 'assay_app' THEN DELETE FROM public.journal; END IF; RETURN true; END $$`);
      await c.query(`CREATE TEMP VIEW pg_partitioned_table AS
        SELECT p.* FROM pg_catalog.pg_partitioned_table p WHERE pg_temp.evil()`);
      await c.query("SELECT ensure_partitions('2032-01-01', 1)");
      await c.query('DISCARD TEMP');
    });
    expect(await t.database.admin.query('SELECT count(*) AS n FROM journal')).toEqual([before]);
  });

  it('works with the functions of commits as itself: they change nothing it may not', async () => {
    const rows = await t.database.admin.query(
      `SELECT p.proname AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND NOT p.prosecdef
       AND p.prosrc ~* '(update|delete from|truncate)\\s+(only\\s+)?(${appendOnly.join('|')})\\M'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('an owner that may create no roles', () => {
  it('starts where it was made a member of assay_app, and is told what to run where it was not', async () => {
    const database = await makeEmptyDatabase();
    const owner = `owner_${Date.now().toString(36)}_${process.pid}`;
    const name = new URL(database.url.replace('@/', '@localhost/')).pathname.slice(1);
    const log = makeLog('silent');
    try {
      await database.admin.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'x' NOCREATEROLE`);
      await database.admin.query(`ALTER DATABASE ${name} OWNER TO ${owner}`);
      const url = database.url.replace(/\/\/[^@]*@/, `//${owner}:x@`);
      const migrated = async () => {
        const pool = new Pool(url, { max: 2, log, connectMs });
        return migrate(pool, new Date()).finally(() => pool.end());
      };
      await expect(migrated()).rejects.toThrow(`as a superuser run: GRANT assay_app TO ${owner}`);
      await database.admin.query(`GRANT assay_app TO ${owner}`);
      expect((await migrated()).length).toBeGreaterThan(20);
      const app = await makeTestApp({ database: { ...database, url } });
      expect((await app.get('/health/ready')).status).toBe(200);
      await app.stop();
    } finally {
      await database.drop().catch(() => undefined);
    }
  });
});
