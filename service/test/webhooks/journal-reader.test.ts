// The journal reader: it reads every entry once and in order, whatever other readers do and whichever process ends
// meanwhile.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, Pool } from '../../src/platform/database.ts';
import type { JournalEntry } from '../../src/platform/journal-entries.ts';
import { JournalReader, type JournalReaderOptions } from '../../src/platform/journal-reader.ts';
import { makeLog } from '../../src/platform/log.ts';
import { IdMaker } from '../../src/platform/random.ts';
import { until } from '../durability/support/conditions.ts';
import { makeDatabase, type TestDatabase } from '../support/app.ts';
import { connectMs } from '../support/database.ts';

const ids = new IdMaker(() => Date.now());
let database: TestDatabase;
const pools: Pool[] = [];
let readers: JournalReader[] = [];
let name: string;

beforeAll(async () => {
  database = await makeDatabase();
  // On a cluster the database is one that another file has used.
  await database.admin.query('DROP TABLE IF EXISTS seen');
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
  const pool = new Pool(database.url, { max: 2, log: makeLog('silent'), role: 'assay_app', connectMs });
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
    const reader = start({ passesOver: async (_, psps) => psps.filter((p) => p !== psp || !matters) });
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
        await database.admin.query('SELECT pg_terminate_backend($1::integer)', [backend?.pid]);
      },
    });
    await until('it was killed', () => killed > 0);
    start({ limit: 5 });
    await until('all is read', async () => (await seen(psp)).length >= 10);
    expect(await seen(psp)).toEqual(upTo(10));
  });
});

/** Many at once, as `write` writes them. */
async function writeMany(psp: string, count: number): Promise<void> {
  await database.admin.query('INSERT INTO journal_heads VALUES ($1, $2)', [psp, count]);
  await database.admin.query(
    `INSERT INTO journal SELECT $1, i.n, i.id, 'client.updated', $1, $1, '{"version":' || i.n || '}'
     FROM unnest($2::uuid[]) WITH ORDINALITY AS i(id, n)`,
    [psp, upTo(count).map(() => ids.next())],
  );
}
/** A reader of one PSP that digests some entries only, until `well` says that it can read all. */
const picky = (psp: string, digests: (seq: number) => boolean, well: () => boolean = () => false) => ({
  everyMs: 5,
  passesOver: async (_: Database, psps: readonly string[]) => psps.filter((p) => p !== psp),
  read: async (tx: Database, p: string, entries: readonly JournalEntry[]) => {
    await note(tx, p, entries);
    if (!well() && !entries.every((e) => digests(e.seq))) throw new TypeError('cannot be digested');
  },
});
const aside = () =>
  database.admin.query('SELECT seq, error, tries FROM journal_set_aside WHERE reader = $1 ORDER BY seq', [name]);

describe('an entry that a reader cannot digest', () => {
  it('is set aside and noted, and all others of its PSP are read, each once and in order', async () => {
    const psp = ids.next();
    await writeMany(psp, 700);
    const reader = start(picky(psp, (seq) => seq !== 333));
    await until('the others are read', async () => (await seen(psp)).length >= 699);
    await until('nothing is behind', async () => (await reader.lag()) === 0);
    expect(await seen(psp)).toEqual(upTo(700).filter((n) => n !== 333));
    expect(await aside()).toEqual([{ seq: 333, error: 'TypeError: cannot be digested', tries: 1 }]);
    expect([await reader.setAside(), reader.troubled]).toEqual([1, 0]);
    await write(psp, 1);
    await until('what comes later is read', async () => (await seen(psp)).length >= 700);
  });

  it('is no other when there are a hundred of them, and several processes read', async () => {
    const psp = ids.next();
    await writeMany(psp, 200);
    for (let i = 0; i < 3; i++) start({ ...picky(psp, (seq) => seq % 2 === 0), limit: 64 });
    await until('all of them are set aside', async () => (await aside()).length >= 100, 120_000);
    await until('the others are read', async () => (await seen(psp)).length >= 100, 120_000);
    expect(await seen(psp)).toEqual(upTo(200).filter((n) => n % 2 === 0));
    expect((await aside()).map((r) => r.seq)).toEqual(upTo(200).filter((n) => n % 2 === 1));
  });

  it('may be the first of its PSP’s journal, or the only one', async () => {
    const [first, only] = [ids.next(), ids.next()];
    await writeMany(first, 5);
    await writeMany(only, 1);
    const reader = start({
      everyMs: 5,
      passesOver: async (_, psps) => psps.filter((p) => p !== first && p !== only),
      read: async (tx, p, entries) => {
        await note(tx, p, entries);
        if (entries.some((e) => e.seq === 1)) throw new TypeError('cannot be digested');
      },
    });
    await until('nothing is behind', async () => (await reader.lag()) === 0);
    expect([await seen(first), await seen(only)]).toEqual([[2, 3, 4, 5], []]);
    expect((await aside()).map((r) => r.seq)).toEqual([1, 1]);
    expect([await reader.setAside(), reader.troubled]).toEqual([2, 0]);
  });

  it('is read after all at the next start of a reader that can, once, by one of several processes', async () => {
    const psp = ids.next();
    await writeMany(psp, 20);
    let well = false;
    const as = picky(
      psp,
      (seq) => seq % 5 !== 0,
      () => well,
    );
    await until('they are set aside', async () => {
      if (readers.length === 0) start(as);
      return (await aside()).length === 4;
    });
    await readers[0]?.stop();
    start(as);
    await until('they are tried again', async () => (await aside()).every((r) => r.tries === 2));
    await readers[1]?.stop();
    expect((await seen(psp)).length).toBe(16);
    well = true;
    for (let i = 0; i < 3; i++) start(as);
    await until('they are read', async () => (await aside()).length === 0);
    expect((await seen(psp)).toSorted((a, b) => a - b)).toEqual(upTo(20));
  });

  it('keeps nothing waiting where it cannot be tried again for a reason that is not its own, and is tried until it can', async () => {
    const psp = ids.next();
    await writeMany(psp, 3);
    let now: 'undigestible' | 'busy' | 'well' = 'undigestible';
    const as: Partial<JournalReaderOptions> = {
      everyMs: 5,
      passesOver: async (_, psps) => psps.filter((p) => p !== psp),
      read: async (tx, p, entries) => {
        await note(tx, p, entries);
        if (now === 'well' || !entries.some((e) => e.seq === 2)) return;
        if (now === 'undigestible') throw new TypeError('cannot be digested');
        await tx.query("DO $$ BEGIN RAISE EXCEPTION 'for now' USING ERRCODE = '55P03'; END $$");
      },
    };
    const first = start(as);
    await until('it is set aside', async () => (await aside()).length === 1);
    await first.stop();
    now = 'busy';
    await write(psp, 1);
    start(as);
    await until('what came after it is read', async () => (await seen(psp)).includes(4));
    expect((await aside()).map((r) => [r.seq, r.tries])).toEqual([[2, 1]]);
    now = 'well';
    await until('it is read', async () => (await aside()).length === 0);
    expect(await seen(psp)).toEqual([1, 3, 4, 2]);
  });

  it('is found by statements of the reader’s own too', async () => {
    const psp = ids.next();
    await writeMany(psp, 50);
    start({
      everyMs: 5,
      passesOver: async (_, psps) => psps.filter((p) => p !== psp),
      stretch: async (tx, stretches) => {
        for (const { psp: p, from, to } of stretches)
          await tx.query(
            `INSERT INTO seen (reader, psp, seq) SELECT $1, psp_id, seq + 0 * (1 / (seq - 17)) FROM journal
             WHERE psp_id = $2 AND seq > $3 AND seq <= $4 ORDER BY seq`,
            [name, p, from, to],
          );
        return new Map(stretches.map((s) => [s.psp, s.to]));
      },
    });
    await until('the others are read', async () => (await seen(psp)).length >= 49);
    expect(await aside()).toEqual([{ seq: 17, error: expect.stringContaining('division by zero'), tries: 1 }]);
  });

  it('is never an entry that was read while the database was away, busy or denied it', async () => {
    const psp = ids.next();
    await writeMany(psp, 3);
    let tries = 0;
    const raise = ['57014', '40001', '55P03', '42501', '53100', '42P01'];
    const reader = start({
      everyMs: 5,
      passesOver: async (_, psps) => psps.filter((p) => p !== psp),
      read: async (tx, p, entries) => {
        await note(tx, p, entries);
        const code = raise[tries++];
        if (code) await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'for now' USING ERRCODE = '${code}'; END $$`);
      },
    });
    await until('all is read', async () => (await seen(psp)).length >= 3);
    expect([await seen(psp), await aside(), reader.troubled]).toEqual([[1, 2, 3], [], 0]);
    expect(tries).toBe(raise.length + 1);
  });
});

/** A statement that PostgreSQL breaks off because it takes too long, while all others have their time. */
async function takeTooLong(tx: Database): Promise<void> {
  await tx.query("SET LOCAL statement_timeout = '20ms'");
  await tx.query('SELECT pg_sleep(600)');
}

describe('an entry whose statement takes too long each time', () => {
  it('is set aside at last, however it is tried, and all others of its PSP are read', async () => {
    const psp = ids.next();
    await writeMany(psp, 200);
    const tries: [entries: number, small: boolean][] = [];
    const reader = start({
      everyMs: 5,
      passesOver: async (_, psps) => psps.filter((p) => p !== psp),
      read: async (tx, p, entries, small) => {
        await note(tx, p, entries);
        if (!entries.some((e) => e.seq === 77)) return;
        tries.push([entries.length, small]);
        await takeTooLong(tx);
      },
    });
    await until('the others are read', async () => (await seen(psp)).length >= 199);
    await until('nothing is behind', async () => (await reader.lag()) === 0);
    expect(await seen(psp)).toEqual(upTo(200).filter((n) => n !== 77));
    expect(await aside()).toEqual([{ seq: 77, error: expect.stringContaining('statement timeout'), tries: 1 }]);
    expect([await reader.setAside(), reader.troubled]).toEqual([1, 0]);
    expect(tries.slice(-4)).toEqual([[1, false], ...Array(3).fill([1, true])]);
  });

  it('is read in small pieces where only the whole of it takes too long, and nothing is set aside', async () => {
    const psp = ids.next();
    await writeMany(psp, 200);
    const reader = start({
      everyMs: 5,
      passesOver: async (_, psps) => psps.filter((p) => p !== psp),
      read: async (tx, p, entries, small) => {
        await note(tx, p, entries);
        if (!small && entries.some((e) => e.seq % 50 === 0)) await takeTooLong(tx);
      },
    });
    await until('nothing is behind', async () => (await reader.lag()) === 0);
    expect([await seen(psp), await aside(), reader.troubled]).toEqual([upTo(200), [], 0]);
  });

  it('is read without a restart once the database has time for it', async () => {
    const psp = ids.next();
    await writeMany(psp, 10);
    let busy = true;
    start({
      everyMs: 1,
      passesOver: async (_, psps) => psps.filter((p) => p !== psp),
      read: async (tx, p, entries) => {
        await note(tx, p, entries);
        if (busy && entries.some((e) => e.seq > 3 && e.seq < 7)) await takeTooLong(tx);
      },
    });
    await until('the others are read', async () => (await seen(psp)).length >= 7);
    await until('they are set aside', async () => (await aside()).length === 3);
    busy = false;
    await until('they are read', async () => (await aside()).length === 0, 200_000);
    expect((await seen(psp)).toSorted((a, b) => a - b)).toEqual(upTo(10));
  });
});

describe('an entry that a reader may not leave out', () => {
  it('holds up its own PSP alone, is shown, is tried again, and loses nothing', async () => {
    const [bad, good] = [ids.next(), ids.next()];
    await write(bad, 3);
    await write(good, 3);
    let poisoned = true;
    let tries = 0;
    const reader = start({
      everyMs: 5,
      leavesOutNothing: true,
      read: async (tx, psp, entries) => {
        await note(tx, psp, entries);
        if (psp !== bad) return;
        tries++;
        if (poisoned) throw new Error('cannot be read');
      },
    });
    await until('the other is read', async () => (await seen(good)).length >= 3);
    await until('it was tried again', () => tries >= 5);
    await until('it is shown', () => reader.troubled === 1);
    await until('only its entries are left', async () => (await reader.lag()) === 3);
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
