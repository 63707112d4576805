// Searches for telephone numbers in everything that the service stores: every table, every data file, and the log.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestApp } from './app.ts';
import { dataDirOf } from './cdr-files.ts';

/** The part of a number to search for: its last ten digits, without the calling code. */
const digitsOf = (number: string) => number.slice(-10);

/** All stored data by the name of its place; rows as JSON text, bytes as Latin-1. */
async function everything(t: TestApp): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  const tables = await t.database.admin.query<{ name: string }>(
    "SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace",
  );
  for (const { name } of tables) {
    const rows = await t.database.admin.query<{ text: string }>(`SELECT row_to_json(r)::text AS text FROM ${name} r`);
    kept.set(name, rows.map((r) => r.text).join('\n'));
  }
  for (const e of readdirSync(dataDirOf(t), { recursive: true, withFileTypes: true }))
    if (e.isFile()) kept.set(join(e.parentPath, e.name), readFileSync(join(e.parentPath, e.name), 'latin1'));
  kept.set('the log', t.logged.join('\n'));
  return kept;
}

/** Returns where digits of a number were found, such as `cdrs: 8031234567`, and the places that were searched. */
export async function traces(t: TestApp, numbers: readonly string[]): Promise<{ found: string[]; places: string[] }> {
  const kept = await everything(t);
  const found = [...kept].flatMap(([place, text]) =>
    numbers.filter((n) => text.includes(digitsOf(n))).map((n) => `${place}: ${digitsOf(n)}`),
  );
  return { found, places: [...kept].filter(([, text]) => text !== '').map(([place]) => place) };
}
