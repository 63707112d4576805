// Several readers that follow the journals together: each entry once and in order for each of them, whatever becomes of
// one PSP or one reader.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, Pool } from '../../src/platform/database.ts';
import { Follower, type FollowerOptions } from '../../src/platform/follower.ts';
import { pspsBehind } from '../../src/platform/journal-cursor.ts';
import type { Journal } from '../../src/platform/journal-entries.ts';
import { JournalReader, type JournalReaderOptions } from '../../src/platform/journal-reader.ts';
import { makeLog } from '../../src/platform/log.ts';
import { IdMaker } from '../../src/platform/random.ts';
import { until } from '../durability/support/conditions.ts';
import { makeDatabase, type TestDatabase } from '../support/app.ts';
import { connectMs } from '../support/database.ts';

const ids = new IdMaker(() => Date.now());
const longAgo = new IdMaker(() => Date.parse('2020-02-02T02:02:02Z'));
let database: TestDatabase;
const pools: Pool[] = [];
let readers: JournalReader[] = [];
/** Statements that read the journal. */
let reads = 0;

beforeAll(async () => {
  database = await makeDatabase();
  // On a cluster the database is one that another file has used.
  await database.admin.query('DROP TABLE IF EXISTS seen');
  await database.admin.query('CREATE TABLE seen (n bigserial, reader text, psp uuid, seq bigint)');
  await database.admin.query('GRANT ALL ON seen, seen_n_seq TO assay_app');
});
beforeEach(() => {
  reads = 0;
});
afterEach(async () => {
  await Promise.all(readers.map((r) => r.stop()));
  readers = [];
  await database.admin.query('TRUNCATE seen, journal, journal_heads, journal_cursors, journal_set_aside');
});
afterAll(async () => {
  await Promise.all(pools.map((p) => p.end()));
  await database.drop();
});

/** Entries as the committer writes them: numbered under the head's lock, in one commit. */
async function write(psp: string, count: number, kind = 'client.updated', by = ids): Promise<void> {
  await database.admin.query(
    `WITH head AS (
       INSERT INTO journal_heads AS h VALUES ($1, $2) ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + $2 RETURNING seq
     ) INSERT INTO journal SELECT $1, head.seq - $2 + i.n, i.id, $4, $1, $1, '{}'
       FROM head, unnest($3::uuid[]) WITH ORDINALITY AS i(id, n)`,
    [psp, count, Array.from({ length: count }, () => by.next()), kind],
  );
}
const upTo = (n: number, from = 1) => Array.from({ length: n - from + 1 }, (_, i) => from + i);
const seen = async (reader: string, psp: string): Promise<number[]> =>
  (await database.admin.query('SELECT seq FROM seen WHERE reader = $1 AND psp = $2 ORDER BY n', [reader, psp])).map(
    (r) => r.seq as number,
  );
const note = (tx: Database, reader: string, journals: readonly Journal[]) => {
  const all = journals.flatMap((j) => j.entries.map((e) => [j.psp, e.seq] as const));
  return tx.query('INSERT INTO seen (reader, psp, seq) SELECT $1, * FROM unnest($2::uuid[], $3::bigint[])', [
    reader,
    all.map(([psp]) => psp),
    all.map(([, seq]) => seq),
  ]);
};

type Made = Partial<JournalReaderOptions> & { name: string };

/** Readers that note all they are given, followed together as by one process. */
function follow(made: readonly Made[], over: Partial<FollowerOptions> = {}): JournalReader[] {
  const pool = new Pool(database.url, { max: 6, log: makeLog('silent'), role: 'assay_app', connectMs });
  pools.push(pool);
  const watched: Pick<Pool, 'query' | 'transaction'> = {
    query: (text, values) => pool.query(text, values),
    transaction: (work) =>
      pool.transaction((tx) =>
        work({
          query(text, values) {
            if (/FROM journal\b/.test(text)) reads++;
            return tx.query(text, values);
          },
        }),
      ),
  };
  const common = { pool: watched, log: makeLog('silent'), everyMs: 20, clock: () => Date.now() };
  const all = made.map(
    (m) => new JournalReader({ ...common, readAll: async (tx, j) => void (await note(tx, m.name, j)), ...m }),
  );
  new Follower({ ...common, readers: all, ...over });
  readers.push(...all);
  for (const r of all) r.start();
  return all;
}
const atEnd = (of: readonly JournalReader[]) =>
  until('nothing is behind', async () => (await Promise.all(of.map((r) => r.lag()))).every((lag) => lag === 0));

describe('readers that are followed together', () => {
  it('are each given every entry of every PSP once and in order, from the beginning and as they come', async () => {
    const psps = Array.from({ length: 230 }, () => ids.next());
    await Promise.all(psps.slice(0, 5).map((psp) => write(psp, 700)));
    await Promise.all(psps.slice(5).map((psp) => write(psp, 1)));
    const all = follow([{ name: 'a' }, { name: 'b', limit: 64 }]);
    for (let i = 0; i < 5; i++) await Promise.all(psps.slice(0, 40).map((psp) => write(psp, 3)));
    await atEnd(all);
    for (const [i, psp] of psps.entries())
      for (const { name } of all) expect(await seen(name, psp)).toEqual(upTo((i < 5 ? 700 : 1) + (i < 40 ? 15 : 0)));
  });

  it('cost one reading of the journal, however many readers and PSPs there are', async () => {
    const psps = Array.from({ length: 150 }, () => ids.next());
    await Promise.all(psps.map((psp) => write(psp, 4)));
    const all = follow([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    await atEnd(all);
    expect(reads).toBe(1);
  });

  it('are found behind in exactly the journals that one of them has not read to its end', async () => {
    const psps = Array.from({ length: 5 }, () => ids.next()).sort();
    const [grown, setBack, lost] = psps.slice(1) as [string, string, string, string];
    for (const [i, psp] of psps.entries()) await write(psp, 3 + i);
    await atEnd(follow([{ name: 'a' }, { name: 'b' }]));
    await Promise.all(readers.map((r) => r.stop()));
    const behind = () => pspsBehind(database.admin, ['a', 'b']);
    expect(await behind()).toEqual([]);
    await write(grown, 1);
    expect(await behind()).toEqual([grown]);
    await database.admin.query("UPDATE journal_cursors SET seq = 0 WHERE psp_id = $1 AND reader = 'b'", [setBack]);
    await database.admin.query("DELETE FROM journal_cursors WHERE psp_id = $1 AND reader = 'a'", [lost]);
    expect(await behind()).toEqual([grown, setBack, lost]);
    expect(await pspsBehind(database.admin, ['a', 'b', 'new'])).toEqual(psps);
  });

  it('are given entries with ids from long before as well, which is where no partition of today has them', async () => {
    const psp = ids.next();
    await write(psp, 3, 'client.updated', longAgo);
    await write(psp, 2);
    const all = follow([{ name: 'a' }]);
    await atEnd(all);
    await write(psp, 2, 'client.updated', longAgo);
    await atEnd(all);
    expect(await seen('a', psp)).toEqual(upTo(7));
  });

  it('are exact each for itself where one begins later than the others', async () => {
    const [few, many] = [ids.next(), ids.next()];
    await write(few, 10);
    await write(many, 5000);
    await atEnd(follow([{ name: 'a' }]));
    await Promise.all(readers.map((r) => r.stop()));
    await write(few, 5);
    const all = follow([{ name: 'a' }, { name: 'late' }]);
    for (let i = 0; i < 20; i++) await write(many, 5);
    await atEnd(all);
    for (const { name } of all) {
      expect(await seen(name, few)).toEqual(upTo(15));
      expect(await seen(name, many)).toEqual(upTo(5100));
    }
  });

  it('are each stopped by themselves, and the others go on', async () => {
    const psp = ids.next();
    await write(psp, 2);
    const [a, b] = follow([{ name: 'a' }, { name: 'b' }]) as [JournalReader, JournalReader];
    await atEnd([a, b]);
    await a.stop();
    await write(psp, 2);
    await atEnd([b]);
    expect([await seen('a', psp), await seen('b', psp), await a.lag()]).toEqual([upTo(2), upTo(4), 2]);
  });

  it('read every entry once where several processes follow', async () => {
    const psps = Array.from({ length: 30 }, () => ids.next());
    const all = [1, 2, 3].flatMap(() => follow([{ name: 'a' }, { name: 'b' }], { most: 50, everyMs: 5 }));
    for (let i = 0; i < 10; i++) await Promise.all(psps.map((psp) => write(psp, 2)));
    await atEnd(all);
    for (const psp of psps) for (const name of ['a', 'b']) expect(await seen(name, psp)).toEqual(upTo(20));
  });
});

describe('a reader that fails in one PSP', () => {
  const failing = (psp: string, seq: number) => ({
    async readAll(tx: Database, journals: readonly Journal[]) {
      await note(tx, 'bad', journals);
      if (journals.some((j) => j.psp === psp && j.entries.some((e) => e.seq === seq)))
        throw new TypeError('cannot read');
    },
  });

  it('sets its entry aside and reads all else; others of that PSP, and it in other PSPs, miss nothing', async () => {
    const psps = Array.from({ length: 40 }, () => ids.next());
    const poisoned = psps[17] as string;
    await Promise.all(psps.map((psp) => write(psp, 9)));
    const all = follow([{ name: 'good' }, { name: 'bad', ...failing(poisoned, 5) }]);
    await atEnd(all);
    for (const psp of psps) {
      expect(await seen('good', psp)).toEqual(upTo(9));
      expect(await seen('bad', psp)).toEqual(upTo(9).filter((n) => psp !== poisoned || n !== 5));
    }
    expect(await Promise.all(all.map((r) => r.setAside()))).toEqual([0, 1]);
    await write(poisoned, 3);
    await atEnd(all);
    expect((await seen('bad', poisoned)).slice(-3)).toEqual([10, 11, 12]);
  });

  it('stands still there alone where it may leave nothing out', async () => {
    const psps = Array.from({ length: 12 }, () => ids.next());
    const poisoned = psps[3] as string;
    await Promise.all(psps.map((psp) => write(psp, 2)));
    const [good, bad] = follow([
      { name: 'good' },
      { name: 'bad', leavesOutNothing: true, ...failing(poisoned, 2) },
    ]) as [JournalReader, JournalReader];
    await atEnd([good]);
    await until('the others are read', async () => (await bad.lag()) === 2);
    await until('it is shown', () => bad.troubled === 1);
    await Promise.all(psps.map((psp) => write(psp, 1)));
    await atEnd([good]);
    await until('the others are read on', async () => (await bad.lag()) === 3);
    for (const psp of psps) {
      expect(await seen('good', psp)).toEqual(upTo(3));
      expect(await seen('bad', psp)).toEqual(psp === poisoned ? [] : upTo(3));
    }
  });
});

describe('a reader that reads apart', () => {
  it('is given its kinds in transactions of its own, in which the others do not wait', async () => {
    const [psp, other] = [ids.next(), ids.next()];
    await write(psp, 2);
    await write(psp, 3, 'cdr.recorded');
    await write(other, 4);
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const all = follow([
      { name: 'quick' },
      {
        name: 'slow',
        kinds: ['cdr.recorded'],
        apart: true,
        readAll: async (tx, journals) => {
          await note(tx, 'slow', journals);
          await gate;
        },
      },
    ]);
    await atEnd(all.slice(0, 1));
    await write(psp, 1);
    await atEnd(all.slice(0, 1));
    expect([await seen('quick', psp), await seen('quick', other)]).toEqual([upTo(6), upTo(4)]);
    go();
    await atEnd(all);
    expect([await seen('slow', psp), await seen('slow', other)]).toEqual([[3, 4, 5], []]);
  });
});
