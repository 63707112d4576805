// What a superuser of the database can do to past records: each change is found and named.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseKey, type VerifierKey } from '../../src/core/audit/note.ts';
import { toWire } from '../../src/core/ids.ts';
import { type AuditOptions, CheckpointFolder } from '../../src/modules/audit/index.ts';
import { type Database, Pool } from '../../src/platform/database.ts';
import { ed25519FromSeed, sha256 } from '../../src/platform/hashing.ts';
import { IdMaker } from '../../src/platform/random.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp } from '../support/app.ts';
import { allSealed, keyOf, verified } from '../support/audit.ts';
import { connectMs } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { audited, type Copy, copyOf, freshCopy, sealAnew, silent } from './support/copies.ts';

let base: Copy;
let shared: Copy;
/** The state as a backup was made of it, before the last part was recorded. */
let backup: Copy;
let psp: Account;
let key: string;
let size: number;
let backedUp: number;
/** The copy a test has before it, and where its changes go. */
let c: Copy;
let db: Database;

const ids = new IdMaker(() => Date.now());
const sql = (text: string, values: unknown[] = []) => db.query(text, values);
const found = (over: Partial<AuditOptions> = {}) => audited(c, { db, ...over });
const where = 'psp_id = $1 AND seq = $2';
const moved = 1_000_000;

/** Records so many transactions and more, seals them in several checkpoints, and stops. @returns the journal's size */
async function run(entries: number): Promise<number> {
  const t = await makeTestApp({ database: base, env: { DATA_DIR: base.dir } });
  psp ??= await t.makePsp();
  for (let i = 0; i < entries; i++) {
    await verified(t, psp, { ref: `${entries}-${i}` });
    if (i % 20 === 19) await allSealed(t);
  }
  await t.post('/v1/transaction/chargeBack', { ref: `${entries}-3` }, psp.apiKey);
  await allSealed(t);
  key = await keyOf(t, psp);
  await t.stop();
  const [head] = await base.admin.query('SELECT seq FROM journal_heads WHERE psp_id = $1', [psp.uuid]);
  await base.detach();
  return head?.seq as number;
}

beforeAll(async () => {
  base = await freshCopy();
  backedUp = await run(60);
  backup = await copyOf(base);
  size = await run(90);
  shared = await copyOf(base);
});
afterAll(async () => {
  for (const copy of [shared, backup, base]) await copy.drop();
});

/** Tests of the block change one copy, and what they change is rolled back. */
function rollsBack(): void {
  const undo = new Error('rolled back');
  let end: () => void;
  let ended: Promise<void>;
  beforeEach(async () => {
    const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    c = shared;
    end = over.resolve;
    // Prepared: the same audit is planned once, not for each test.
    ended = shared.admin.prepared
      .transaction(async (tx) => {
        db = tx;
        begun.resolve();
        await over.promise;
        throw undo;
      })
      .catch((e) => {
        if (e !== undo) throw e;
      });
    await begun.promise;
  });
  afterEach(async () => {
    end();
    await ended;
  });
}

/** Each test of the block has a copy of its own. */
function ownCopies(): void {
  beforeEach(async () => {
    c = await copyOf(base);
    db = c.admin;
  });
  afterEach(() => c.drop());
}

const edit = (seq: number) =>
  sql(`UPDATE journal SET body = replace(body, '"currency":"NGN"', '"currency":"USD"') WHERE ${where}`, [
    psp.uuid,
    seq,
  ]);

describe('an audit', () => {
  rollsBack();

  it('finds nothing where nothing was changed, having compared all there is', async () => {
    const { psps, findings } = await found();
    expect(findings).toEqual([]);
    const own = psps.find((p) => p.psp === psp.uuid);
    expect(own).toMatchObject({ entries: size, sealed: size, remarks: [] });
    expect(own?.inside).toBeGreaterThan(5);
    expect(own?.outside).toBe(own?.inside);
  });

  it.each([1, 5, 32, 33, 64, 70, 'last'] as const)('names entry %s where its text was changed', async (which) => {
    const seq = which === 'last' ? size : which;
    await sql(`UPDATE journal SET body = body || ' ' WHERE ${where}`, [psp.uuid, seq]);
    const { findings } = await found();
    const [event] = await sql(`SELECT id FROM journal WHERE ${where}`, [psp.uuid, seq]);
    expect(findings).toEqual([
      {
        code: 'ENTRY_CHANGED',
        psp: psp.uuid,
        seq,
        message: expect.stringContaining(`entry ${seq} (${toWire('event', event?.id as string)},`),
      },
    ]);
  });

  it.each(['kind', 'account_id', 'resource_id', 'id'])('names an entry whose %s was changed', async (column) => {
    const value = column === 'kind' ? 'basket.updated' : ids.next();
    await sql(`UPDATE journal SET ${column} = $3 WHERE ${where}`, [psp.uuid, 40, value]);
    expect((await found()).findings[0]).toMatchObject({ code: 'ENTRY_CHANGED', seq: 40 });
  });

  it('names an entry that was deleted', async () => {
    await sql(`DELETE FROM journal WHERE ${where}`, [psp.uuid, 50]);
    expect((await found()).findings[0]).toMatchObject({
      code: 'ENTRY_MISSING',
      seq: 50,
      message: expect.stringContaining('entry 50 of the journal: missing'),
    });
  });

  it('names the place where an entry was deleted and the others closed the gap', async () => {
    await sql(`DELETE FROM journal WHERE ${where}`, [psp.uuid, 50]);
    await sql('UPDATE journal SET seq = seq - 1 WHERE psp_id = $1 AND seq > 50', [psp.uuid]);
    await sql('UPDATE journal_heads SET seq = seq - 1 WHERE psp_id = $1', [psp.uuid]);
    expect((await found()).findings[0]).toMatchObject({ code: 'ENTRY_CHANGED', seq: 50 });
  });

  it('names the first of entries that were put in another order', async () => {
    await sql(`UPDATE journal SET seq = $3 WHERE ${where}`, [psp.uuid, 44, moved]);
    await sql(`UPDATE journal SET seq = 44 WHERE ${where}`, [psp.uuid, 47]);
    await sql(`UPDATE journal SET seq = 47 WHERE ${where}`, [psp.uuid, moved]);
    expect((await found()).findings[0]).toMatchObject({ code: 'ENTRY_CHANGED', seq: 44 });
  });

  const insert = (seq: number, from: number) =>
    sql(`INSERT INTO journal SELECT psp_id, $3, $4, kind, account_id, resource_id, body FROM journal WHERE ${where}`, [
      psp.uuid,
      from,
      seq,
      ids.next(),
    ]);

  it('names a number that two entries have', async () => {
    await insert(61, 60);
    expect((await found()).findings[0]).toMatchObject({ code: 'ENTRY_INSERTED', seq: 61 });
  });

  it('names an entry that others were moved for', async () => {
    await sql('UPDATE journal SET seq = seq + $2 + 1 WHERE psp_id = $1 AND seq >= 61', [psp.uuid, moved]);
    await sql('UPDATE journal SET seq = seq - $2 WHERE psp_id = $1 AND seq > $2', [psp.uuid, moved]);
    await insert(61, 60);
    await sql('UPDATE journal_heads SET seq = seq + 1 WHERE psp_id = $1', [psp.uuid]);
    expect((await found()).findings[0]).toMatchObject({ code: 'ENTRY_CHANGED', seq: 61 });
  });

  it('names an entry beyond the count of the journal', async () => {
    await insert(size + 1, 60);
    expect((await found()).findings[0]).toMatchObject({ code: 'ENTRY_INSERTED', seq: size + 1 });
  });

  it('names the first of entries that were cut off the end', async () => {
    await sql('DELETE FROM journal WHERE psp_id = $1 AND seq > $2', [psp.uuid, size - 3]);
    expect((await found()).findings[0]).toMatchObject({ code: 'ENTRY_MISSING', seq: size - 2 });
    await sql('UPDATE journal_heads SET seq = $2 WHERE psp_id = $1', [psp.uuid, size - 3]);
    expect((await found()).findings[0]).toMatchObject({ code: 'SET_BACK', seq: size - 2 });
  });

  it('tells a changed tree from a changed journal', async () => {
    await sql(
      'UPDATE audit_tiles SET hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40)) WHERE psp_id = $1 AND level = 0 AND tile = 1',
      [psp.uuid],
    );
    expect((await found()).findings).toEqual([
      { code: 'TREE_CHANGED', psp: psp.uuid, message: expect.stringContaining('entries 33 to 64 (level 0, tile 1)') },
    ]);
    await sql('DELETE FROM audit_tiles WHERE psp_id = $1 AND tile = 1', [psp.uuid]);
    expect((await found()).findings[0]).toMatchObject({ code: 'TREE_CHANGED' });
  });

  it('finds a stored checkpoint that was not signed', async () => {
    await sql(
      "UPDATE audit_checkpoints SET note = overlay(note placing 'AAAA' from length(note) - 20) WHERE psp_id = $1 AND size = $2",
      [psp.uuid, size],
    );
    expect((await found()).findings[0]).toMatchObject({
      code: 'CHECKPOINT_INVALID',
      message: expect.stringContaining('signature'),
    });
  });
});

describe('a history that was rewritten as a whole, tree and checkpoints with it', () => {
  ownCopies();

  it('is found by stored checkpoints that are still the old ones', async () => {
    await sql('CREATE TABLE signed AS SELECT * FROM audit_checkpoints');
    await edit(70);
    await sealAnew(c, false);
    await sql('TRUNCATE audit_checkpoints');
    await sql("INSERT INTO audit_checkpoints SELECT psp_id, size, note, ''::bytea, sealed_at FROM signed");
    const [first] = (await found({ folders: [] })).findings;
    expect(first).toMatchObject({ code: 'HISTORY_REWRITTEN', message: expect.stringContaining('signed over others') });
    const [, from, to] = /^entries (\d+) to (\d+)/.exec(first?.message as string) as unknown as string[];
    expect([Number(from) <= 70, Number(to) >= 70]).toEqual([true, true]);
  });

  it('is found by the checkpoints outside, though the key was stolen and the database agrees with itself', async () => {
    await edit(70);
    await sealAnew(c, false);
    const without = await found({ folders: [] });
    expect(without.findings.map((f) => f.code)).toEqual(['RECORD_CHANGED']);
    const { findings } = await found();
    expect(findings[0]).toMatchObject({ code: 'HISTORY_REWRITTEN', psp: psp.uuid });
    const [, from, to] = /^entries (\d+) to (\d+)/.exec(findings[0]?.message as string) as unknown as string[];
    expect([Number(from) <= 70, Number(to) >= 70, findings[0]?.seq]).toEqual([true, true, Number(from)]);
  });

  it('is found by a single checkpoint that somebody kept', async () => {
    const [last] = readFileSync(join(c.folder.folderOf(psp.uuid), '2026-11.notes'), 'utf8')
      .split('\n= ')
      .slice(-1);
    const kept = makeFolder('assay-kept-');
    mkdirSync(join(kept, psp.id));
    writeFileSync(join(kept, psp.id, '2026-11.notes'), `= ${last}`);
    await edit(5);
    await sealAnew(c, false);
    const { findings } = await found({ folders: [new CheckpointFolder(kept)] });
    rmSync(kept, { recursive: true, force: true });
    expect(findings[0]).toMatchObject({ code: 'HISTORY_REWRITTEN', seq: 1 });
  });

  it('shows its new key as well, to the checkpoints outside and to a key that was noted', async () => {
    await edit(70);
    await sealAnew(c, true);
    const codes = (await found()).findings.map((f) => f.code);
    expect(codes).toEqual(expect.arrayContaining(['KEY_UNKNOWN', 'HISTORY_REWRITTEN']));
    const pinned = parseKey(sha256, key) as VerifierKey;
    const noted = (await found({ folders: [], pinned })).findings.map((f) => f.code);
    expect(noted).toContain('CHECKPOINT_INVALID');
  });

  it('cannot hand out another key than the noted one, with the checkpoints left as they are', async () => {
    const pinned = parseKey(sha256, key) as VerifierKey;
    const codes = async () => (await found({ folders: [], pinned })).findings.map((f) => f.code);
    expect(await codes()).toEqual([]);
    const strange = ed25519FromSeed(Buffer.alloc(32, 7)).publicKey;
    await db.query('UPDATE audit_keys SET public_key = $1', [Buffer.from(strange)]);
    const ofThePsp = async () =>
      (await found({ folders: [], pinned })).findings.filter((f) => 'psp' in f && f.psp === psp.uuid)[0];
    expect(await ofThePsp()).toMatchObject({ code: 'KEY_UNKNOWN' });
    expect((await ofThePsp())?.message).toMatch(/^the database hands out the key \S+, not the one that was noted: /);
    await db.query('DELETE FROM audit_keys');
    expect((await ofThePsp())?.message).toMatch(/^the database hands out no key/);
  });
});

describe('a database set back to a backup', () => {
  it('is found by what was sealed since', async () => {
    const { findings } = await audited(backup, { folders: [shared.folder] });
    expect(findings).toEqual([
      {
        code: 'SET_BACK',
        psp: psp.uuid,
        seq: backedUp + 1,
        message: expect.stringMatching(new RegExp(`^entries ${backedUp + 1} to ${size}: .*the database was set back`)),
      },
    ]);
  });

  it('is not sealed on: the service says so and keeps taking records', async () => {
    await backup.detach();
    const d = await copyOf({ url: backup.url, dir: base.dir });
    try {
      const t = await makeTestApp({ database: d, env: { DATA_DIR: d.dir } });
      try {
        for (let i = 0; i < 3; i++) await verified(t, psp, { ref: `after-${i}` });
        const said = `only ${backedUp} entries are sealed here, fewer than the checkpoint over ${size} entries`;
        await until('it says so', () => t.logged.some((l) => l.includes(said)));
        const largest = async () =>
          (await d.admin.query('SELECT max(size) AS size FROM audit_checkpoints WHERE psp_id = $1', [psp.uuid]))[0]
            ?.size;
        expect(await largest()).toBe(backedUp);
        // As the page on restoring says, once a person has looked.
        rmSync(d.folder.folderOf(psp.uuid), { recursive: true });
        await until('it is sealed on', async () => (await largest()) === backedUp + 3);
      } finally {
        await t.stop();
      }
    } finally {
      await d.drop();
    }
  });
});

describe('records beside the journal', () => {
  rollsBack();

  it('are named where one was changed, and with it what was changed', async () => {
    const [e] = await sql(
      "SELECT seq, resource_id FROM journal WHERE psp_id = $1 AND kind = 'transaction.created' AND seq = 60",
      [psp.uuid],
    );
    await sql("UPDATE transactions SET status = 'DECLINED' WHERE id = $1", [e?.resource_id]);
    expect((await found()).findings).toEqual([
      {
        code: 'RECORD_CHANGED',
        psp: psp.uuid,
        seq: 60,
        message: `the transaction ${toWire('transaction', e?.resource_id as string)} at entry 60: status is "DECLINED", the journal tells "APPROVED"`,
      },
    ]);
  });

  it('are counted where they are many, the first ones listed', async () => {
    await sql('UPDATE transactions SET amount = amount + 1 WHERE psp_id = $1', [psp.uuid]);
    const { psps, findings } = await found();
    expect(new Set(findings.map((f) => f.code))).toEqual(new Set(['RECORD_CHANGED']));
    expect(findings).toHaveLength(20);
    expect(psps.find((p) => p.psp === psp.uuid)?.remarks).toEqual([
      expect.stringMatching(/^1\d\d further findings on records are not listed$/),
    ]);
  });

  it('are named where one has no entry, or was deleted', async () => {
    const [id, gone] = [ids.next(), 55];
    await sql(
      `INSERT INTO transactions SELECT (jsonb_populate_record(t, jsonb_build_object('id', $2::text))).* FROM transactions t
       JOIN journal j ON j.psp_id = $1 AND j.resource_id = t.id WHERE t.psp_id = $1 AND j.seq = 54`,
      [psp.uuid, id],
    );
    await sql(
      'DELETE FROM transactions WHERE psp_id = $1 AND id = (SELECT resource_id FROM journal WHERE psp_id = $1 AND seq = $2)',
      [psp.uuid, gone],
    );
    const { findings } = await found();
    expect(findings.map((f) => [f.code, f.seq])).toEqual([
      ['RECORD_CHANGED', gone],
      ['RECORD_CHANGED', undefined],
    ]);
    expect(findings[0]?.message).toContain('revision 1 is missing');
    expect(findings[1]?.message).toContain(
      `${toWire('transaction', id)}: it is at revision 1, the journal has no entry`,
    );
  });
});

describe('a checkpoint that was written by half', () => {
  ownCopies();

  it('is left out with a remark, and those after it are compared', async () => {
    const file = join(c.folder.folderOf(psp.uuid), '2026-11.notes');
    const text = readFileSync(file, 'utf8');
    const second = text.indexOf('\n= ', 10);
    writeFileSync(file, `${text.slice(0, second)}\n= 2026-11-21T10:00:00.000Z\nassay/ps${text.slice(second)}`);
    const { psps, findings } = await found();
    const own = psps.find((p) => p.psp === psp.uuid);
    expect(findings).toEqual([]);
    expect(own?.remarks).toEqual([expect.stringMatching(/2026-11\.notes:\d+: not a whole checkpoint; left out$/)]);
    expect(own?.outside).toBe(own?.inside);
  });
});

describe("the service's own role", () => {
  it('can neither change nor delete what seals or what is sealed', async () => {
    const app = new Pool(shared.url, { max: 1, log: silent, role: 'assay_app', connectMs });
    try {
      for (const table of ['journal', 'audit_keys', 'audit_tiles', 'audit_checkpoints'])
        for (const text of [`UPDATE ${table} SET psp_id = psp_id`, `DELETE FROM ${table}`, `TRUNCATE ${table}`])
          await expect(
            app.query(text.replace(/audit_keys SET psp_id = psp_id/, 'audit_keys SET name = name')),
          ).rejects.toThrow('permission denied');
    } finally {
      await app.end();
    }
  });
});
