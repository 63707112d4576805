// A data folder that was copied: it has a database of its own, or is refused; it never works on that of the original.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { Pool } from '../../src/platform/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { makeLog } from '../../src/platform/log.ts';
import { Stage } from './support/service-process.ts';

const stage = new Stage(inject('madeFolder'));
afterAll(() => stage.end());
const log = makeLog('silent');

async function started(dataDir: string): Promise<{ server: EmbeddedPostgres; db: Pool }> {
  const server = await startEmbeddedPostgres(dataDir, log);
  stage.defer(() => server.stop());
  const db = new Pool(server.adminUrl, { max: 1, log });
  stage.defer(() => db.end());
  return { server, db };
}

/** The copy of a folder as `cp -a` makes it. */
function copyOf(dataDir: string): string {
  const copy = stage.folder();
  const parts = ['postgres', 'secrets', 'run'].map((part) => join(dataDir, part)).filter((path) => existsSync(path));
  execFileSync('cp', ['-a', ...parts, copy]);
  return copy;
}

describe('a copy of a data folder', () => {
  it('made while its database runs is refused, naming the original, which it leaves alone', async () => {
    const dataDir = await stage.madeFolder();
    const { db } = await started(dataDir);
    const copy = copyOf(dataDir);
    await expect(startEmbeddedPostgres(copy, log)).rejects.toThrow(join(dataDir, 'postgres'));
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('made when it was stopped runs beside the original, and each has what was written to it', async () => {
    const dataDir = await stage.madeFolder();
    await (await startEmbeddedPostgres(dataDir, log)).stop();
    const copy = copyOf(dataDir);
    const both = [await started(dataDir), await started(copy)];
    for (const [i, { db }] of both.entries()) {
      await db.query('CREATE TABLE written (by int)');
      await db.query('INSERT INTO written VALUES ($1)', [i]);
    }
    for (const [i, { db }] of both.entries()) expect(await db.query('SELECT by FROM written')).toEqual([{ by: i }]);
  });
});
