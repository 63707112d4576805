// A sealed database and copies of it with their folders, which tests manipulate without affecting other copies.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { audit, CheckpointFolder, openAuditKeys, type PspAudit, Sealer } from '../../../src/modules/audit/index.ts';
import { Pool } from '../../../src/platform/database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { masterKeyFrom, openVault } from '../../../src/platform/sealed-secrets.ts';
import { until } from '../../durability/support/conditions.ts';
import { makeDatabase, type TestDatabase } from '../../support/app.ts';
import { citus, tablesOf } from '../../support/citus.ts';
import { connectMs } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { inDatabase } from '../../support/server.ts';

export const silent = makeLog('silent');
let copies = 0;

export interface Copy extends TestDatabase {
  readonly dir: string;
  /** Checkpoints outside the database. */
  readonly folder: CheckpointFolder;
  /** Closes its connections, so that it can be copied; the next query opens new ones. */
  detach(): Promise<void>;
}

/** Copies a database without connections, and its data folder. */
export async function copyOf(original: { url: string; dir: string }): Promise<Copy> {
  if (citus !== undefined) return copyRows(original);
  const name = `copy_${process.pid}_${Date.now().toString(36)}_${copies++}`;
  const server = new Pool(inDatabase(inject('serverUrl'), 'postgres'), { max: 1, log: silent, connectMs });
  const from = new URL(original.url.replace(/^\w+:\/\/[^/]*/, 'http://server')).pathname.slice(1);
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY file_copy`);
  const url = inDatabase(inject('serverUrl'), name);
  const connect = () => new Pool(url, { max: 2, log: silent, connectMs });
  let admin = connect();
  const dir = makeFolder('assay-copy-');
  cpSync(original.dir, dir, { recursive: true });
  return {
    url,
    dir,
    folder: new CheckpointFolder(join(dir, 'checkpoints')),
    get admin() {
      return admin;
    },
    async detach() {
      await admin.end();
      admin = connect();
    },
    async drop() {
      await admin.end();
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A migrated database without records, and an empty folder. */
export async function freshCopy(): Promise<Copy> {
  const nothing = makeFolder('assay-empty-');
  if (citus !== undefined) {
    // The next file gets this one, emptied.
    const database = await makeDatabase();
    const drop = () => database.drop().finally(() => rmSync(nothing, { recursive: true }));
    const folder = new CheckpointFolder(join(nothing, 'checkpoints'));
    return { ...database, dir: nothing, folder, detach: async () => undefined, drop };
  }
  const made = await copyOf({ url: inDatabase(inject('serverUrl'), inject('template')), dir: nothing });
  rmSync(nothing, { recursive: true });
  return made;
}

/** A cluster copies no database: its rows are read, and written into another one. */
async function copyRows({ url, dir }: { url: string; dir: string }): Promise<Copy> {
  const copy = await freshCopy();
  cpSync(dir, copy.dir, { recursive: true });
  const from = new Pool(url, { max: 1, log: silent, connectMs });
  for (const name of await tablesOf(from)) {
    const rows = await from.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
    await copy.admin.query(`TRUNCATE ${name}`);
    const values = [`[${rows.map((r) => r.row)}]`];
    if (rows.length > 0)
      await copy.admin.query(`INSERT INTO ${name} SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1)`, values);
  }
  await from.end();
  return copy;
}

/** Returns the findings of an audit. @param folders checkpoints outside the database; by default those of the copy */
export async function audited(
  c: Copy,
  over: Partial<Parameters<typeof audit>[0]> = {},
): Promise<{ psps: PspAudit[]; findings: PspAudit['findings'] }> {
  const psps: PspAudit[] = [];
  for await (const one of audit({ db: c.admin, folders: [c.folder], ...over })) psps.push(one);
  return { psps, findings: psps.flatMap((p) => p.findings) };
}

/** Seals the journal from the start with the service's own code, as someone who stole database and secrets could. */
export async function sealAnew(c: Copy, newKey: boolean): Promise<void> {
  await c.admin.query('TRUNCATE audit_tiles, audit_checkpoints');
  await c.admin.query("DELETE FROM journal_cursors WHERE reader = 'seal'");
  if (newKey) await c.admin.query('DELETE FROM audit_keys');
  const vault = await openVault(c.admin, masterKeyFrom(undefined, join(c.dir, 'secrets', 'master.key')));
  const thiefs = makeFolder('assay-thief-');
  const sealer = new Sealer({
    pool: c.admin,
    log: silent,
    clock: () => Date.parse('2026-11-21T12:00:00Z'),
    keys: (db) => openAuditKeys(db, vault, () => 0, undefined),
    outside: new CheckpointFolder(thiefs),
    everyMs: 10,
  });
  sealer.start();
  await until('all is sealed anew', async () => (await sealer.lag()) === 0);
  await sealer.stop();
  rmSync(thiefs, { recursive: true, force: true });
}
