// Writes the fixture of a release: the data of a world made by that release's own code, and what it answered. Run it
// with the code of the release, before any later migration exists:
//   node service/test/upgrade/make-fixture.ts 0.1.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { makeLog } from '../../src/platform/log.ts';
import { ensureDatabase, migrate } from '../../src/platform/migrate.ts';
import { inDatabase } from '../support/server.ts';
import { dump, emptyTables, fixtureFolder } from './fixture.ts';
import { makeUpgradeWorld } from './world.ts';

const version = process.argv[2];
if (!version || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error('name the release: make-fixture.ts 0.1.0');

const dir = mkdtempSync(join(tmpdir(), 'assay-fixture-'));
const log = makeLog('warn');
const server = await startEmbeddedPostgres(dir, log);
try {
  await ensureDatabase(inDatabase(server.adminUrl, 'postgres'), 'assay', log);
  const admin = new Pool(server.adminUrl, { max: 2, log });
  await migrate(admin, new Date('2026-11-21T00:00:00Z'));
  const answers = await makeUpgradeWorld({ url: server.adminUrl, admin, drop: async () => undefined });
  const empty = await emptyTables(admin);
  if (empty.length > 0) throw new Error(`the world leaves tables empty: ${empty.join(', ')}`);
  const folder = fixtureFolder(version);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'data.copy'), await dump(admin));
  writeFileSync(join(folder, 'answers.json'), `${JSON.stringify(answers, null, 1)}\n`);
  await admin.end();
} finally {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
