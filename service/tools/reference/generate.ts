// Writes the reference (`npm run generate`), or with --check says what differs and ends with 1
// (`npm run drift`). The schema is read from a database made for the purpose and thrown away.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { Pool } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { makeLog } from '../../src/platform/log.ts';
import { ensureDatabase, migrate } from '../../src/platform/migrate.ts';
import { differing, type GeneratedFile, makeFiles, openProblems, write } from './pages.ts';

const log = makeLog('warn');

async function filesNow(): Promise<GeneratedFile[]> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-generate-'));
  try {
    const server = await startEmbeddedPostgres(dir, log);
    try {
      await ensureDatabase(server.adminUrl.replace('/assay', '/postgres'), 'assay', log);
      const db = new Pool(server.adminUrl, { max: 1, log });
      try {
        await migrate(db, new Date(systemClock()));
        return await makeFiles(db);
      } finally {
        await db.end();
      }
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const unknown = process.argv.slice(2).filter((a) => a !== '--check');
if (unknown.length > 0) {
  process.stderr.write(`generate: unknown argument ${unknown[0]}; use --check or nothing\n`);
  process.exitCode = 2;
} else {
  const check = process.argv.includes('--check');
  const files = await filesNow();
  const changed = differing(files);
  if (!check) {
    write(files);
    for (const path of changed) process.stdout.write(`wrote ${path}\n`);
  }
  const problems = [
    ...(check ? changed.map((path) => `${path} differs: run 'npm run generate'`) : []),
    ...openProblems(),
  ];
  for (const p of problems) process.stderr.write(`${p}\n`);
  if (check && problems.length > 0) process.exitCode = 1;
}
