// The sealer: it signs the journal and nothing else, whichever process seals and whenever it is interrupted.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Flaw } from '../../src/core/audit/flaw.ts';
import { verifyInclusion } from '../../src/core/audit/merkle.ts';
import { type Checkpoint, openCheckpoint } from '../../src/core/audit/note.ts';
import { entryHash } from '../../src/core/audit/receipt.ts';
import { Edge } from '../../src/core/audit/tiles.ts';
import { replacement } from '../../src/modules/audit/audit-key.ts';
import {
  findAuditKeys,
  findLastCheckpoint,
  insertAuditKey,
  leafHashes,
  listCheckpoints,
  type StoredAuditKey,
} from '../../src/modules/audit/audit-store.ts';
import { type AuditKey, CheckpointFolder, logKey, openAuditKeys, Sealer } from '../../src/modules/audit/index.ts';
import { proveInclusion } from '../../src/modules/audit/stored-tree.ts';
import { Pool } from '../../src/platform/database.ts';
import { primitives, sha256 } from '../../src/platform/hashing.ts';
import { readJournal } from '../../src/platform/journal-entries.ts';
import { makeLog } from '../../src/platform/log.ts';
import { IdMaker } from '../../src/platform/random.ts';
import { openVault, type Vault } from '../../src/platform/sealed-secrets.ts';
import { until } from '../durability/support/conditions.ts';
import { connectMs } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { audited, type Copy, freshCopy } from './support/copies.ts';

const ids = new IdMaker(() => Date.now());
const clock = () => Date.parse('2026-11-21T10:00:00Z');
let database: Copy;
let pool: Pool;
let vault: Vault;
let key: AuditKey;
let folder: string;
let sealers: Sealer[] = [];

beforeAll(async () => {
  database = await freshCopy();
  pool = new Pool(database.url, { max: 6, log: makeLog('silent'), role: 'assay_app', connectMs });
  vault = await openVault(pool, Buffer.alloc(32, 7));
  [key] = (await openAuditKeys(pool, vault, clock, 'https://pay.example:8443/assay')) as [AuditKey];
});
beforeEach(() => {
  folder = makeFolder('assay-checkpoints-');
});
afterEach(async () => {
  await Promise.all(sealers.map((s) => s.stop()));
  sealers = [];
  await database.admin.query('TRUNCATE journal, journal_heads, journal_cursors, audit_tiles, audit_checkpoints');
  rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const bodies = [
  '{"version":1}',
  '{"name":"Ọlá 株式会社 😀 \\u0000","text":"\\\\n"}',
  'line\nline\r\n\ttab',
  '',
  'x'.repeat(20_000),
];

/** Entries as the committer numbers them, of all sorts of text. */
async function write(psp: string, count: number): Promise<void> {
  await database.admin.transaction(async (tx) => {
    const [head] = await tx.query(
      'INSERT INTO journal_heads AS h VALUES ($1, $2) ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + $2 RETURNING seq',
      [psp, count],
    );
    const seqs = Array.from({ length: count }, (_, i) => (head?.seq as number) - count + 1 + i);
    await tx.query(
      `INSERT INTO journal SELECT $1, e.seq, e.id, 'wager.created', e.id, e.id, e.body
       FROM unnest($2::bigint[], $3::uuid[], $4::text[]) AS e(seq, id, body)`,
      [psp, seqs, seqs.map(() => ids.next()), seqs.map((seq) => bodies[seq % bodies.length])],
    );
  });
}

function start(over: Partial<ConstructorParameters<typeof Sealer>[0]> = {}): Sealer {
  const sealer = new Sealer({
    pool,
    log: makeLog('silent'),
    clock,
    keys: async () => [key],
    outside: new CheckpointFolder(folder),
    everyMs: 10,
    ...over,
  });
  sealers.push(sealer);
  sealer.start();
  return sealer;
}

/** What the tests write wakes nobody, and a sealer that is at rest looks about once a second. */
const sealedTo = (psp: string, size: number) =>
  until(`${size} entries are sealed`, async () => {
    for (const s of sealers) s.wake();
    const [r] = await database.admin.query('SELECT max(size) AS size FROM audit_checkpoints WHERE psp_id = $1', [psp]);
    return r?.size === size;
  });

/** Every stored checkpoint is signed and has the root of the journal up to its size; every entry can be proved. */
async function expectSound(psp: string, size: number): Promise<number> {
  const entries = await readJournal(database.admin, 'WHERE psp_id = $1 ORDER BY seq', [psp]);
  const leaves = entries.map((e) => entryHash(sha256, e));
  const checkpoints = await listCheckpoints(pool, psp, 0, size);
  const edge = new Edge(sha256);
  for (const c of checkpoints) {
    for (const leaf of leaves.slice(edge.size, c.size)) edge.append(leaf);
    const opened = openCheckpoint(c.note, logKey(key, psp), primitives);
    expect(opened).toEqual({ origin: logKey(key, psp).name, size: c.size, root: new Uint8Array(edge.root()) });
  }
  const last = checkpoints.at(-1);
  expect(last?.size).toBe(size);
  const seqs = leaves.map((_, i) => i + 1);
  const proofs = await proveInclusion(pool, last as NonNullable<typeof last>, seqs);
  const held = seqs.map((seq) =>
    verifyInclusion(sha256, leaves[seq - 1] as Uint8Array, seq - 1, size, proofs[seq - 1] as Uint8Array[], edge.root()),
  );
  expect(held).not.toContain(false);
  return checkpoints.length;
}

describe('a leaf', () => {
  it('has the same hash where the database makes it as where a third party does, whatever the text', async () => {
    const psp = ids.next();
    await write(psp, 10);
    const entries = await readJournal(database.admin, 'WHERE psp_id = $1 ORDER BY seq', [psp]);
    const here = entries.map((e) => Buffer.from(entryHash(sha256, e)).toString('hex'));
    expect(
      (await leafHashes(pool, [{ psp, from: 0, to: 10 }])).get(psp)?.map((h) => Buffer.from(h).toString('hex')),
    ).toEqual(here);
  });

  it('is not made where the numbers have a gap', async () => {
    const psp = ids.next();
    await write(psp, 5);
    await database.admin.query('DELETE FROM journal WHERE psp_id = $1 AND seq = 3', [psp]);
    await expect(leafHashes(pool, [{ psp, from: 0, to: 5 }])).rejects.toThrow(
      'entries 1 to 5 of the journal are not numbered one by one',
    );
  });
});

describe('the sealer', () => {
  it.each([1, 31, 32, 33, 1024, 1100])('seals a journal of %i entries, in portions of any size', async (size) => {
    const psp = ids.next();
    await write(psp, size);
    start({ limit: 100 });
    await sealedTo(psp, size);
    expect(await expectSound(psp, size)).toBe(Math.ceil(size / 100));
  });

  it('goes on where an earlier one stopped, journal by journal', async () => {
    const psps = [ids.next(), ids.next()];
    const sizes = [0, 0];
    for (const more of [3, 40, 1, 900, 90]) {
      const sealer = start({ limit: 64 });
      for (const [i, psp] of psps.entries()) {
        await write(psp, more + i);
        sizes[i] = (sizes[i] as number) + more + i;
        await sealedTo(psp, sizes[i] as number);
      }
      await sealer.stop();
    }
    for (const [i, psp] of psps.entries()) await expectSound(psp, sizes[i] as number);
    const { findings } = await audited(database, { folders: [new CheckpointFolder(folder)] });
    expect(findings).toEqual([]);
  });

  it('writes each checkpoint outside the database, the same note, as one of several processes too', async () => {
    const psp = ids.next();
    for (let i = 0; i < 3; i++) start({ limit: 16 });
    for (let i = 0; i < 12; i++) await write(psp, 20);
    await sealedTo(psp, 240);
    await Promise.all(sealers.map((s) => s.stop()));
    await expectSound(psp, 240);
    const inside = (await listCheckpoints(pool, psp, 0, 240)).map((c) => c.note);
    const outside: string[] = [];
    for await (const k of new CheckpointFolder(folder).read(psp)) outside.push(k.note);
    // A process that finds what it has not written itself yet may add the last one a second time.
    expect(new Set(outside)).toEqual(new Set(inside));
  });

  it('loses and repeats nothing when it is killed before the commit, again and again', async () => {
    const psp = ids.next();
    await write(psp, 300);
    let kills = 0;
    const flaky = {
      query: pool.query.bind(pool),
      transaction: <T>(work: Parameters<Pool['transaction']>[0]) =>
        pool.transaction(async (tx) => {
          const done = await work(tx);
          const [backend] = await tx.query('SELECT pg_backend_pid() AS pid');
          if (kills++ % 3 !== 2) await database.admin.query('SELECT pg_terminate_backend($1::integer)', [backend?.pid]);
          return done as T;
        }),
    } as Pick<Pool, 'query' | 'transaction'>;
    start({ limit: 100, pool: flaky });
    await sealedTo(psp, 300);
    await expectSound(psp, 300);
    expect(kills).toBeGreaterThanOrEqual(9);
  });

  it('writes the last checkpoint outside where a process ended before it could', async () => {
    const psp = ids.next();
    await write(psp, 5);
    await start().stop();
    start();
    await sealedTo(psp, 5);
    await Promise.all(sealers.map((s) => s.stop()));
    rmSync(folder, { recursive: true });
    await write(psp, 1);
    start();
    await sealedTo(psp, 6);
    await Promise.all(sealers.map((s) => s.stop()));
    const sizes: (number | undefined)[] = [];
    for await (const k of new CheckpointFolder(folder).read(psp)) sizes.push((k.checkpoint as Checkpoint).size);
    expect(sizes).toEqual([5, 6]);
  });

  it('does not sign over a tree that is not the one it signed before', async () => {
    const psp = ids.next();
    await write(psp, 40);
    const first = start();
    await sealedTo(psp, 40);
    await first.stop();
    await database.admin.query("UPDATE audit_tiles SET root = sha256('other') WHERE psp_id = $1", [psp]);
    await write(psp, 5);
    const second = start();
    await until('it stands still', () => second.troubled === 1);
    expect(await second.lag()).toBe(5);
    expect(await listCheckpoints(pool, psp, 40, 1000)).toEqual([]);
  });

  it('stands still where the database is set back under it', async () => {
    const psp = ids.next();
    await write(psp, 10);
    const sealer = start({ limit: 5 });
    await sealedTo(psp, 10);
    await database.admin.transaction(async (tx) => {
      await tx.query('DELETE FROM audit_checkpoints WHERE psp_id = $1 AND size > 5', [psp]);
      await tx.query('DELETE FROM journal WHERE psp_id = $1 AND seq > 5', [psp]);
      await tx.query('UPDATE journal_heads SET seq = 5 WHERE psp_id = $1', [psp]);
      await tx.query('UPDATE journal_cursors SET seq = 5 WHERE psp_id = $1', [psp]);
    });
    await write(psp, 2);
    await until('it stands still', () => sealer.troubled === 1);
    expect(await listCheckpoints(pool, psp, 5, 100)).toEqual([]);
  });

  it('does not sign over another history than it published', async () => {
    const psp = ids.next();
    await write(psp, 10);
    const first = start();
    await sealedTo(psp, 10);
    await first.stop();
    await database.admin.query("UPDATE journal SET body = 'other' WHERE psp_id = $1 AND seq = 4", [psp]);
    await database.admin.query('TRUNCATE audit_tiles, audit_checkpoints, journal_cursors');
    const thief = start({ outside: new CheckpointFolder(join(folder, 'elsewhere')) });
    await sealedTo(psp, 10);
    await thief.stop();
    await write(psp, 1);
    const second = start();
    await until('it stands still', () => second.troubled === 1);
    expect(await listCheckpoints(pool, psp, 10, 100)).toEqual([]);
  });
});

describe('the key', () => {
  it('is made once, named after the public address of that moment, and sealed', async () => {
    const [again] = await openAuditKeys(pool, vault, clock, 'https://other.example');
    expect([again?.name, again?.publicKey]).toEqual(['pay.example:8443', key.publicKey]);
    const [row] = await database.admin.query('SELECT * FROM audit_keys');
    expect(row?.private_sealed).toMatch(/^v1:/);
    const other = await openVault(pool, Buffer.alloc(32, 8)).catch((e: Error) => e.message);
    expect(other).toContain('the master key is not the one');
  });

  it('is the same for processes that make it at once', async () => {
    const fresh = await freshCopy();
    try {
      const pools = [1, 2, 3].map(
        () => new Pool(fresh.url, { max: 1, log: makeLog('silent'), role: 'assay_app', connectMs }),
      );
      const keys = await Promise.all(
        pools.map(async (p) => openAuditKeys(p, await openVault(p, Buffer.alloc(32, 9)), clock, undefined)),
      ).then((made) => made.flat());
      expect(new Set(keys.map((k) => Buffer.from(k.publicKey).toString('hex'))).size).toBe(1);
      expect(keys[0]?.name).toBe('assay');
      await Promise.all(pools.map((p) => p.end()));
    } finally {
      await fresh.drop();
    }
  });
});

describe('the signing of what was sealed before, with a new key', () => {
  it('goes on with the later checkpoint where another process seals in between, and nothing is told as a fault', async () => {
    const fresh = await freshCopy();
    const its = new Pool(fresh.url, { max: 6, log: makeLog('silent'), role: 'assay_app', connectMs });
    const kept = { database, pool, vault, key };
    try {
      [database, pool] = [fresh, its];
      vault = await openVault(its, Buffer.alloc(32, 7));
      const keys = () => openAuditKeys(its, vault, clock, 'https://pay.example');
      [key] = (await keys()) as [AuditKey];
      const psp = ids.next();
      await write(psp, 5);
      const first = start();
      await sealedTo(psp, 5);
      await first.stop();

      const [former] = (await findAuditKeys(its)) as [StoredAuditKey];
      expect(await insertAuditKey(its, replacement(vault, former, clock(), undefined).row)).toBe(true);
      const [renewed] = (await keys()) as [AuditKey];
      const logged: string[] = [];
      /** Before its first answer, another process with the former key seals on; nothing is looked for at the start. */
      class Overtaken extends CheckpointFolder {
        #asked = 0;
        override async psps(): Promise<string[]> {
          return [];
        }
        override async last(of: string) {
          if (of === psp && this.#asked++ === 0) {
            await write(of, 4);
            const other = start();
            await sealedTo(of, 9);
            await other.stop();
          }
          return super.last(of);
        }
      }
      const outside = new Overtaken(folder);
      const log = makeLog('error', { write: (line) => void logged.push(line) });
      // It looks for new entries so seldom that the other one is first.
      start({ keys, outside, log, keyEveryMs: 10, everyMs: 600_000 });
      await until('the later checkpoint is signed with the new key', async () => {
        const last = await findLastCheckpoint(its, psp);
        if (last?.size !== 9) return false;
        return !(openCheckpoint(last.note, logKey(renewed, psp), primitives) instanceof Flaw);
      });
      expect(logged).toEqual([]);
    } finally {
      await Promise.all(sealers.map((s) => s.stop()));
      ({ database, pool, vault, key } = kept);
      await its.end();
      await fresh.drop();
    }
  });
});

describe('a file of checkpoints', () => {
  it('is plain text that a person can read and copy', async () => {
    const psp = ids.next();
    await write(psp, 2);
    start();
    await sealedTo(psp, 2);
    await Promise.all(sealers.map((s) => s.stop()));
    const name = logKey(key, psp).name.replaceAll('.', '\\.');
    const text = readFileSync(join(new CheckpointFolder(folder).folderOf(psp), '2026-11.notes'), 'utf8');
    expect(text).toMatch(
      new RegExp(
        `^\\n= 2026-11-21T10:00:00\\.000Z\\n${name}\\n2\\n[A-Za-z0-9+/]{43}=\\n\\n— ${name} [A-Za-z0-9+/]+=*\\n$`,
      ),
    );
  });
});
