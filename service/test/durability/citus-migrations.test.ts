// Migrations of a Citus cluster that is in use: each since the first that clusters have to take is run on tables that are
// spread over the servers, and leaves what a first start makes there. Runs only where CITUS_URL names a cluster.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type Database, databaseOn } from '../../src/platform/database.ts';
import { distribute } from '../../src/platform/distribution.ts';
import { knownMigrations, makeSchema, migrate } from '../../src/platform/migrate.ts';
import { makeDatabase, makeEmptyDatabase } from '../support/app.ts';
import { testsBegin } from '../support/database.ts';

// Only ends a hang.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 });

/** As in the rule of `house/migrations.test.ts`. */
const firstOnClusters = '0200';
const folder = join(import.meta.dirname, '..', '..', 'migrations');

/** Of a part of a table, its number; of an index of a part, its name: it is another when the part had its index first. */
const ofOne = /_1\d{5}\b|(?<=^CREATE (?:UNIQUE )?INDEX )\S+/g;

/** Columns, constraints, indexes and places of tables, and the indexes of their parts on the workers. */
async function schemaOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ line: string }>(
    `SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull) AS line
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
     UNION ALL SELECT concat_ws(' ', indexdef, i.indisvalid) FROM pg_indexes x JOIN pg_index i ON i.indexrelid = x.indexname::regclass
     WHERE schemaname = 'public'
     UNION ALL SELECT concat_ws(' ', 'lies', logicalrelid, partmethod, repmodel, colocationid = (
       SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'journal_heads'::regclass)) FROM pg_dist_partition
     UNION ALL SELECT line FROM run_command_on_workers($$
       SELECT string_agg(concat_ws(' ', indexdef, i.indisvalid), '\n')
       FROM pg_indexes x JOIN pg_index i ON i.indexrelid = format('%I', x.indexname)::regclass
       WHERE schemaname = 'public'$$), string_to_table(result, '\n') line`,
  );
  return [...new Set(rows.map((r) => r.line.replaceAll(ofOne, '')))].sort();
}

it('takes each migration on spread tables, and has then what a first start makes', async () => {
  const [first, upgraded] = [await makeDatabase(), await makeEmptyDatabase()];
  try {
    const all = knownMigrations();
    const before = all.filter((name) => name < firstOnClusters);
    const { admin } = upgraded;
    await admin.withClient(async (c) => {
      await makeSchema(c, before, [`${testsBegin.slice(0, 7)}-01`], undefined);
      for (const name of before) {
        const hash = createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex');
        await c.query('INSERT INTO migrations (name, hash) VALUES ($1, $2)', [name, hash]);
      }
      await distribute(databaseOn(c));
    });
    expect(await migrate(admin, new Date(testsBegin))).toEqual(all.slice(before.length));
    const wanted = await schemaOf(first.admin);
    expect(wanted.length).toBeGreaterThan(1000);
    expect(await schemaOf(admin)).toEqual(wanted);
  } finally {
    await upgraded.drop();
    await first.drop();
  }
});
