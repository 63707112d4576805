// Whether a process says that it is ready: asked of a real database, whose full disk is played by the errors it gives then.
import { afterAll, describe, expect, inject, it } from 'vitest';
import { until } from '../../test/durability/support/conditions.ts';
import { inDatabase } from '../../test/support/database.ts';
import { Pool } from './database.ts';
import { makeLog } from './log.ts';
import { Readiness } from './readiness.ts';

const url = inDatabase(inject('serverUrl'), 'postgres');
const log = makeLog('silent');
const pool = new Pool(url, { max: 4, waitMs: 30_000, log });
afterAll(() => pool.end());

/** A committer in this state. */
const committing = (state: { busyMs?: number; lacksRoom?: boolean } = {}) => {
  const c = { busyMs: 0, lacksRoom: false, ...state, hasRoom: () => void (c.lacksRoom = false) };
  return c;
};

/** The same database, whose transactions end with this SQLSTATE. */
const failing = (code: string) => {
  let asked = 0;
  const transaction = async () => {
    asked++;
    // As long as writing takes, so that others ask meanwhile.
    await pool.query('SELECT pg_sleep(0.3)');
    throw Object.assign(new Error('said by the server'), { code });
  };
  return { pool: { answersWithin: (ms: number) => pool.answersWithin(ms), transaction }, asked: () => asked };
};

const written = async () => {
  const [row] = await pool.query<{ bytes: number }>(
    'SELECT temp_bytes AS bytes FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.bytes ?? 0;
};

describe('a process', () => {
  it('is ready while its database answers, and writes nothing to find that out', async () => {
    const asked = failing('53100');
    expect(await new Readiness(asked.pool, committing()).why()).toBeUndefined();
    expect(asked.asked()).toBe(0);
  });

  it('is not ready while a commit lasts, or the database does not answer', async () => {
    expect(await new Readiness(pool, committing({ busyMs: 2000 })).why()).toMatch(/commit/);
    expect(await new Readiness(pool, committing({ busyMs: 1999 })).why()).toBeUndefined();
    const gone = new Pool('postgres://nobody@127.0.0.1:1/none', { max: 1, waitMs: 500, log });
    expect(await new Readiness(gone, committing()).why()).toBe('the database does not answer');
    await gone.end();
  });

  it('is not ready from the batch that found no room on, until its database has written a file', async () => {
    const committer = committing({ lacksRoom: true });
    const full = failing('53100');
    expect(await new Readiness(full.pool, committer).why()).toBe('the disk of the database is full');
    expect(committer.lacksRoom).toBe(true);
    const before = await written();
    expect(await new Readiness(pool, committer).why()).toBeUndefined();
    expect(committer.lacksRoom).toBe(false);
    await until('the server counts 3 MB', async () => (await written()) - before > 3e6);
  });

  it('writes one file for all who ask meanwhile', async () => {
    const full = failing('53100');
    const readiness = new Readiness(full.pool, committing({ lacksRoom: true }));
    const all = await Promise.all(Array.from({ length: 50 }, () => readiness.why()));
    expect(new Set(all)).toEqual(new Set(['the disk of the database is full']));
    expect(full.asked()).toBeLessThan(50);
  });

  it('takes another error of that file for no full disk: the next batch shows what is true', async () => {
    const committer = committing({ lacksRoom: true });
    expect(await new Readiness(failing('53400').pool, committer).why()).toBeUndefined();
    expect(committer.lacksRoom).toBe(false);
  });
});
