// One PostgreSQL server for the whole test run, with a migrated template that each test file clones.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { countryFile, RateKeeper } from '../../src/modules/rates/index.ts';
import { loadFeeRules, shippedTax } from '../../src/platform/data-files.ts';
import { Pool } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { makeLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection URL of the server's owner; the database name is `assay`. */
    serverUrl: string;
    template: string;
  }
}

export default async function setup(project: TestProject) {
  const dir = mkdtempSync(join(tmpdir(), 'assay-test-'));
  const log = makeLog('silent');
  const server = await startEmbeddedPostgres(dir, log);
  const postgres = new Pool(inDatabase(server.adminUrl, 'postgres'), { max: 1, log });
  // Databases come and go by the dozen here, and no test cuts the machine's power: the disk need not be waited for.
  await postgres.query('ALTER SYSTEM SET fsync = off');
  await postgres.query('SELECT pg_reload_conf()');
  await postgres.query('CREATE DATABASE assay_template');
  const admin = new Pool(inDatabase(server.adminUrl, 'assay_template'), { max: 1, log });
  await migrate(admin, new Date());
  await RateKeeper.start(admin, shippedTax().map(countryFile), loadFeeRules());
  await admin.end();
  await postgres.end();
  project.provide('serverUrl', server.adminUrl);
  project.provide('template', 'assay_template');
  return async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}

/** The same server's other database. */
export function inDatabase(url: string, name: string): string {
  return url.replace(/\/assay(\?|$)/, `/${name}$1`);
}
