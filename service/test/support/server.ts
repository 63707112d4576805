// One PostgreSQL server for the whole test run, with a migrated template that each test file clones, and a copy of its
// data folder as a first start leaves it, for tests that start services with a server of their own.
import { execFile, execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { Pool } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { makeLog } from '../../src/platform/log.ts';
import { citus, dropAll } from './citus.ts';
import { inDatabase, makeTemplate } from './database.ts';
import { makeFolder } from './folder.ts';

export { inDatabase };

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection URL of the server's owner; the database name is `assay`. */
    serverUrl: string;
    template: string;
    /** A data folder with a migrated database and no account; empty if there can be none. */
    madeFolder: string;
  }
}

/**
 * Processes that tests start take half as long from a bundle (0179); where the bundle was made of other sources than these,
 * they run the sources. A run of all tests starts some hundreds of processes, and makes a bundle first, beside the database; for
 * named files that is not worth its time.
 */
async function bundleForAll(): Promise<void> {
  const named = process.argv.slice(2).filter((word) => word !== 'run' && !word.startsWith('-'));
  if (named.length > 0) return;
  const bin = join(import.meta.dirname, '../../bin');
  const bundled: { bundleOf(source: string): string | undefined } = await import(
    pathToFileURL(join(bin, 'bundled.js')).href
  );
  if (bundled.bundleOf('main.ts') !== undefined) return;
  await promisify(execFile)(process.execPath, [join(bin, 'bundle.js')]);
}

export default async function setup(project: TestProject) {
  const [end, bundled] = await Promise.allSettled([prepare(project), bundleForAll()]);
  if (end.status === 'rejected') throw end.reason;
  if (bundled.status === 'fulfilled') return end.value;
  await end.value();
  throw bundled.reason;
}

/** @returns what takes the server down again */
async function prepare(project: TestProject): Promise<() => Promise<void>> {
  if (citus !== undefined) {
    project.provide('serverUrl', citus);
    project.provide('template', 'citus');
    project.provide('madeFolder', '');
    return () => dropAll(citus as string, process.pid);
  }
  const dir = makeFolder('assay-test-');
  const made = makeFolder('assay-made-');
  const log = makeLog('silent');
  const first = await startEmbeddedPostgres(dir, log);
  await makeTemplate(first.adminUrl, 'assay');
  await first.stop();
  // Where the server's user cannot reach the folder, its files are kept elsewhere, and are not copied.
  const copied = !lstatSync(join(dir, 'postgres')).isSymbolicLink();
  if (copied) execFileSync('cp', ['-a', join(dir, 'postgres'), join(dir, 'secrets'), made]);
  const server = await startEmbeddedPostgres(dir, log);
  const postgres = new Pool(inDatabase(server.adminUrl, 'postgres'), { max: 1, log });
  // Tests create and drop many databases, and none needs them after a power failure, so syncing is off.
  await postgres.query('ALTER SYSTEM SET fsync = off');
  await postgres.query('ALTER SYSTEM SET full_page_writes = off');
  // Tests open some thousand connections, and SCRAM derives keys for each, on both sides. Over a socket, which only this
  // user reaches, none is needed; elsewhere at the least cost.
  const rules = join(dir, 'postgres', 'pg_hba.conf');
  writeFileSync(rules, `local all all trust\n${readFileSync(rules, 'utf8')}`);
  await postgres.query('SELECT pg_reload_conf()');
  const { password } = new pg.Client({ connectionString: server.adminUrl });
  await postgres.query(`SET scram_iterations = 1; ALTER ROLE CURRENT_USER PASSWORD '${password}'`);
  await postgres.end();
  project.provide('serverUrl', server.adminUrl);
  project.provide('template', 'assay');
  project.provide('madeFolder', copied ? made : '');
  return async () => {
    await server.stop();
    for (const folder of [dir, made]) rmSync(folder, { recursive: true, force: true });
  };
}
