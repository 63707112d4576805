// Writes a database's content as text, one COPY per table, and restores it: small enough to commit and readable in a
// review.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pgCopy from 'pg-copy-streams';
import type { Pool } from '../../src/platform/database.ts';
import { fixtureCountries } from './world.ts';

export const fixtureFolder = (version: string): string => join(import.meta.dirname, 'fixtures', version);

/** Tables by name, partitions as their parents. */
const tablesOf = async (db: Pool): Promise<string[]> =>
  (
    await db.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition ORDER BY 1`,
    )
  ).map((r) => r.name);

const only: Readonly<Record<string, string>> = Object.fromEntries(
  ['tax_countries', 'tax_rules'].map((t) => [t, `jurisdiction IN (${fixtureCountries.map((c) => `'${c}'`).join()})`]),
);

export async function emptyTables(db: Pool): Promise<string[]> {
  const empty: string[] = [];
  for (const t of await tablesOf(db)) if ((await db.query(`SELECT 1 FROM ${t} LIMIT 1`)).length === 0) empty.push(t);
  return empty;
}

/** All rows of all tables. */
export async function dump(db: Pool): Promise<string> {
  const parts: string[] = [];
  for (const table of await tablesOf(db)) {
    const columns = (
      await db.query<{ name: string }>(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
           AND attgenerated = '' ORDER BY attnum`,
        [table],
      )
    ).map((r) => r.name);
    const rows = await db.withClient(async (c) => {
      const chunks: Buffer[] = [];
      const where = only[table] ? `WHERE ${only[table]}` : '';
      const copy = `COPY (SELECT ${columns.join()} FROM ${table} ${where} ORDER BY 1, 2) TO STDOUT`;
      for await (const chunk of c.query(pgCopy.to(copy))) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    });
    parts.push(`COPY ${table} (${columns.join(', ')}) FROM stdin;\n${rows}\\.\n`);
  }
  return parts.join('\n');
}

/** Fills the tables of a database that has exactly the migrations of the release the text comes from. */
export async function load(db: Pool, text: string): Promise<void> {
  await db.withClient(async (c) => {
    // Rows come table by table: what they refer to may come later.
    await c.query("SET session_replication_role = 'replica'");
    for (const [, copy, rows] of text.matchAll(/^(COPY \w+ \(.*\) FROM stdin);\n((?:(?!\\\.\n).*\n)*)\\\.$/gm))
      await pipeline([rows as string], c.query(pgCopy.from(copy as string)));
    await c.query('RESET session_replication_role');
  });
}

export const read = (version: string, file: string): string => readFileSync(join(fixtureFolder(version), file), 'utf8');

export interface Applied {
  readonly name: string;
  readonly hash: string;
}

/** The migrations that a fixture's database had, in their order. */
export const migrationsOf = (text: string): Applied[] =>
  (/^COPY migrations .*\n((?:(?!\\\.\n).*\n)*)/m.exec(text)?.[1] ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name, hash] = line.split('\t') as [string, string];
      return { name, hash };
    });
