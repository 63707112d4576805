// The follower of the journal: every entry once and in order, whoever else follows and whatever ends in between.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, Pool } from '../../src/platform/database.ts';
import { type JournalEntry, JournalReader, type JournalReaderOptions } from '../../src/platform/journal-reader.ts';
import { makeLog } from '../../src/platform/log.ts';
import { IdMaker } from '../../src/platform/random.ts';
import { until } from '../durability/support/conditions.ts';
import { makeDatabase, type TestDatabase } from '../support/app.ts';

const ids = new IdMaker(() => Date.now());
let database: TestDatabase;
const pools: Pool[] = [];
let readers: JournalReader[] = [];
let name: string;

beforeAll(async () => {
  database = await makeDatabase();
  await database.admin.query('CREATE TABLE seen (n bigserial, reader text, psp uuid, seq bigint)');
  await database.admin.query('GRANT ALL ON seen, seen_n_seq TO assay_app');
});
beforeEach(() => {
  name = `reader ${ids.next()}`;
});
afterEach(async () => {
  await Promise.all(readers.map((r) => r.stop()));
  readers = [];
});
afterAll(async () => {
  await Promise.all(pools.map((p) => p.end()));
  await database.drop();
});

/** Entries as the committer writes them: numbered under the head's lock. */
async function write(psp: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await database.admin.query(
      `WITH head AS (
         INSERT INTO journal_heads AS h VALUES ($1, 1) ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + 1 RETURNING seq
       ) INSERT INTO journal SELECT $1, seq, $2, 'client.updated', $1, $1, '{"version":' || seq || '}' FROM head`,
      [psp, ids.next()],
    );
}

const note = async (tx: Database, psp: string, entries: readonly JournalEntry[]) => {
  await tx.query('INSERT INTO seen (reader, psp, seq) SELECT $1, $2, unnest($3::bigint[])', [
    name,
    psp,
    entries.map((e) => e.seq),
  ]);
};
const seen = async (psp: string): Promise<number[]> =>
  (await database.admin.query('SELECT seq FROM seen WHERE reader = $1 AND psp = $2 ORDER BY n', [name, psp])).map(
    (r) => r.seq as number,
  );
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** A reader as a process of its own would have it. */
function start(over: Partial<JournalReaderOptions> = {}): JournalReader {
  const pool = new Pool(database.url, { max: 2, log: makeLog('silent'), role: 'assay_app' });
  pools.push(pool);
  const reader = new JournalReader({ name, pool, log: makeLog('silent'), read: note, everyMs: 20, ...over });
  readers.push(reader);
  reader.start();
  return reader;
}

describe('a reader', () => {
  it('hands on what was there before it, then what comes, each once and in order', async () => {
    const psp = ids.next();
    await write(psp, 7);
    const reader = start({ limit: 3 });
    await until('the past is read', async () => (await seen(psp)).length >= 7);
    await write(psp, 5);
    await until('the rest is read', async () => (await seen(psp)).length >= 12);
    expect(await seen(psp)).toEqual(upTo(12));
    expect(await reader.lag()).toBe(0);
  });

  it('gives an entry whole, its text as it stands in the journal', async () => {
    const psp = ids.next();
    await write(psp, 1);
    const got: JournalEntry[] = [];
    start({ read: async (_, p, entries) => void (p === psp && got.push(...entries)) });
    await until('it is read', () => got.length > 0);
    expect(got).toEqual([
      {
        psp,
        seq: 1,
        id: expect.any(String),
        kind: 'client.updated',
        account: psp,
        resource: psp,
        body: '{"version":1}',
      },
    ]);
  });

  it('reads on when it is woken, without waiting for its net', async () => {
    const psp = ids.next();
    const reader = start({ everyMs: 3_600_000 });
    await until('its first pass is over', async () => (await reader.lag()) === 0);
    await write(psp, 2);
    reader.wake();
    await until('they are read', async () => (await seen(psp)).length >= 2);
    expect(await seen(psp)).toEqual([1, 2]);
  });

  it('tells that it advanced after the commit, never before', async () => {
    const psp = ids.next();
    await write(psp, 1);
    const found: Promise<number[]>[] = [];
    start({ advanced: () => void found.push(seen(psp)) });
    await until('it told', async () => (await Promise.all(found)).some((s) => s.length > 0));
    // Other PSPs of this database advance as well; whenever this one was read before, its entry stood there.
    expect((await Promise.all(found)).at(-1)).toEqual([1]);
  });

  it('passes over what cannot matter, and reads what comes once it can', async () => {
    const psp = ids.next();
    let matters = false;
    await write(psp, 4);
    const reader = start({ passesOver: async (_, p) => p !== psp || !matters });
    await until('nothing is left', async () => (await reader.lag()) === 0);
    expect(await seen(psp)).toEqual([]);
    matters = true;
    await write(psp, 2);
    await until('they are read', async () => (await seen(psp)).length >= 2);
    expect(await seen(psp)).toEqual([5, 6]);
  });
});

describe('several readers of one name', () => {
  it('read every entry once and in order, while entries are being written', async () => {
    const psps = Array.from({ length: 4 }, () => ids.next());
    for (let i = 0; i < 3; i++) start({ limit: 4, everyMs: 5 });
    await Promise.all(psps.map((psp) => write(psp, 60)));
    for (const psp of psps) {
      await until('all is read', async () => (await seen(psp)).length >= 60);
      expect(await seen(psp)).toEqual(upTo(60));
    }
  });

  it('lose nothing and repeat nothing when one is killed after it wrote and before it committed', async () => {
    const psp = ids.next();
    await write(psp, 10);
    let killed = 0;
    start({
      limit: 5,
      read: async (tx, p, entries) => {
        await note(tx, p, entries);
        if (p !== psp || killed > 2) return;
        const [backend] = await tx.query('SELECT pg_backend_pid() AS pid');
        killed++;
        await database.admin.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
      },
    });
    await until('it was killed', () => killed > 0);
    start({ limit: 5 });
    await until('all is read', async () => (await seen(psp)).length >= 10);
    expect(await seen(psp)).toEqual(upTo(10));
  });
});

describe('an entry that cannot be read', () => {
  it('holds up its own PSP alone, is shown, is tried again, and loses nothing', async () => {
    const [bad, good] = [ids.next(), ids.next()];
    await write(bad, 3);
    await write(good, 3);
    let poisoned = true;
    let tries = 0;
    const reader = start({
      everyMs: 5,
      read: async (tx, psp, entries) => {
        await note(tx, psp, entries);
        if (psp !== bad) return;
        tries++;
        if (poisoned) throw new Error('cannot be read');
      },
    });
    await until('the other is read', async () => (await seen(good)).length >= 3);
    await until('it was tried again', () => tries >= 3);
    expect(reader.troubled).toBe(1);
    expect(await reader.lag()).toBe(3);
    expect(await seen(bad)).toEqual([]);
    await write(good, 1);
    await until('the other goes on', async () => (await seen(good)).length >= 4);
    poisoned = false;
    await until('it is read after all', async () => (await seen(bad)).length >= 3);
    expect(await seen(bad)).toEqual([1, 2, 3]);
    await until('it is no longer shown', () => reader.troubled === 0);
  });
});

describe('a reader that stops', () => {
  it('finishes its transaction and reads no further', async () => {
    const psp = ids.next();
    await write(psp, 10);
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let begun = false;
    const reader = start({
      limit: 4,
      read: async (tx, p, entries) => {
        await note(tx, p, entries);
        if (p !== psp) return;
        begun = true;
        await gate;
      },
    });
    await until('it reads', () => begun);
    const stopped = reader.stop();
    go();
    await stopped;
    expect(await seen(psp)).toEqual([1, 2, 3, 4]);
  });
});
