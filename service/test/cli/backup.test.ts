// assay backup and assay restore: a backup taken under load, the original destroyed, and the service started on the
// restored data; a restore that is killed; and all refusals, which leave nothing behind. That rows of every table and
// every earlier schema are restored is tested in test/upgrade.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { verifyWebhook } from '@assay/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { verifyReceipt } from '../../src/core/audit/receipt.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { primitives } from '../../src/platform/hashing.ts';
import { makeLog } from '../../src/platform/log.ts';
import { BadBackup } from '../../src/platform/read-backup.ts';
import { checkBackup, restoreBackup } from '../../src/platform/restore-backup.ts';
import { Checks } from '../durability/support/checks.ts';
import { until } from '../durability/support/conditions.ts';
import { settle } from '../durability/support/foundation.ts';
import { Client, History, type Party, type Sent } from '../durability/support/history.ts';
import { childrenOf, endServer, kill, ownerPool, postmaster } from '../durability/support/postgres-process.ts';
import { type ServiceProcess, Stage } from '../durability/support/service-process.ts';
import { askAgain, newRef, type Storm, sale, storm } from '../durability/support/storm.ts';
import { makeDatabase, makeEmptyDatabase } from '../support/app.ts';
import { Receivers } from '../webhooks/support/scene.ts';
import { assayWith, clean, type Ran } from './run.ts';

const stage = new Stage(inject('madeFolder'));
const client = new Client();
const log = makeLog('silent');
const receivers = new Receivers();
const history = new History();
const dataDir = await stage.madeFolder();
/** For backups, and folders that are restored into. */
const around = stage.folder();
const file = join(around, 'assay.backup');
/** One that was made before all tests. */
const sound = join(stage.folder(), 'sound.backup');
const masterKey = () => readFileSync(join(dataDir, 'secrets', 'master.key'), 'utf8').trim();

/** Files that a backup takes along: one of several pieces, one that is empty. */
const kept: readonly (readonly [string, Buffer])[] = [
  ['cdr/archive/2026-11-01/a.csv', Buffer.alloc(3_000_000, 'call detail records ')],
  ['cdr/status/a.json', Buffer.alloc(0)],
  ['secrets/sftp_host_rsa_key', Buffer.from('a host key')],
];

let service: ServiceProcess;
let parties: Party[];
let operator: string;

const assay = (...args: string[]): Promise<Ran> => assayWith({ DATA_DIR: dataDir })(...args);
const restore = (dir: string, archive: string, ...more: string[]): Promise<Ran> =>
  assayWith({ DATA_DIR: dir })('restore', archive, '--json', ...more);
const get = async (address: string, path: string, key: string) => {
  const r = await client.call(address, 'GET', path, { 'x-api-key': key });
  return { status: r.status, body: JSON.parse(r.text) };
};
const post = async (address: string, path: string, key: string, body: unknown) => {
  const r = await client.call(address, 'POST', path, { 'x-api-key': key }, JSON.stringify(body));
  expect(r.status, r.text).toBe(200);
  return JSON.parse(r.text).content;
};
const sell = (ref: string) =>
  history.send(client, service.address, parties[0] as Party, 'verifyTransaction', sale(ref, 107.5));

beforeAll(async () => {
  service = await stage.service({ DATA_DIR: dataDir });
  const db = ownerPool(dataDir);
  parties = await settle(client, service.address, await service.demoKey(), db, 2);
  await db.end();
  for (const [path, content] of kept) {
    mkdirSync(join(dataDir, path, '..'), { recursive: true });
    writeFileSync(join(dataDir, path), content, { mode: 0o640 });
  }
  expect((await assay('backup', sound)).exitCode).toBe(0);
  operator = (await assay('operator', 'create', '--name', 'Ada', '--json')).json().apiKey;
});
afterAll(async () => {
  client.close();
  await receivers.stop();
  await stage.end();
});

/** Sessions of the server that make a backup. */
async function backupsOnServer(): Promise<number[]> {
  const db = ownerPool(dataDir);
  const rows = await db
    .query<{ pid: number }>("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 727477")
    .finally(() => db.end());
  return rows.map((r) => r.pid);
}

/** A backup that is held in the middle of its copying. */
async function heldBackup(archive: string): Promise<{ child: ChildProcess; said(): string; ended: Promise<number> }> {
  const bin = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
  for (let tries = 0; tries < 20; tries++) {
    rmSync(archive, { force: true });
    const child = spawn(process.execPath, [bin, 'backup', archive], { env: clean({ DATA_DIR: dataDir }) });
    let said = '';
    child.stderr.on('data', (b) => (said += b));
    const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
    await until('the backup is under way', () => existsSync(`${archive}.half`) || existsSync(archive));
    child.kill('SIGSTOP');
    if (existsSync(`${archive}.half`)) return { child, said: () => said, ended };
    child.kill('SIGCONT');
    await ended;
  }
  throw new Error('every backup was faster than the test');
}

/** A command on an empty database of another server. */
async function besideEmpty(...args: string[]): Promise<Ran> {
  const empty = await makeEmptyDatabase();
  stage.defer(() => empty.drop());
  return assayWith({ DATABASE_URL: empty.url, DATA_DIR: stage.folder() })(...args);
}

describe('assay backup', () => {
  it.each<[string, () => Promise<Ran>, string]>([
    ['DATABASE_URL holds nothing', async () => besideEmpty('backup', file), 'holds nothing of Assay'],
    ['there is no database', () => assayWith({ DATA_DIR: around })('backup', file), 'holds no embedded database'],
    ['the file would stand in DATA_DIR', () => assay('backup', join(dataDir, 'x.backup')), 'lost with it'],
    ['there is no such folder', () => assay('backup', join(around, 'none', 'x')), 'there is no folder'],
    ['the file exists', () => assay('backup', around), 'exists already'],
  ])('is refused where %s, with 3 and what to do', async (_, run, says) => {
    const r = await run();
    expect([r.exitCode, r.stdout]).toEqual([3, '']);
    expect(r.stderr).toContain(says);
    expect(readdirSync(around)).toEqual([]);
  });

  it('leaves no file, no half and nothing on the server where the disk is full', async () => {
    const bin = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
    // As a full disk does, the limit ends the writing in the middle.
    const full = spawn('bash', ['-c', `ulimit -f 8; exec "${process.execPath}" "${bin}" backup "${file}"`], {
      env: { ...clean({ DATA_DIR: dataDir }), NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    let said = '';
    full.stderr.on('data', (b) => (said += b));
    expect(await new Promise((resolve) => full.once('exit', resolve)), said).toBe(1);
    expect(said).toMatch(/there is no room for \S+; nothing is left of it/);
    expect(readdirSync(around)).toEqual([]);
    await until('the server has ended it', async () => (await backupsOnServer()).length === 0);
  });

  it('is refused whole where the database is lost on the way', async () => {
    const held = await heldBackup(file);
    const db = ownerPool(dataDir);
    for (const pid of await backupsOnServer()) await db.query('SELECT pg_terminate_backend($1)', [pid]);
    await db.end();
    held.child.kill('SIGCONT');
    expect(await held.ended).toBe(1);
    expect(held.said()).toMatch(/no backup was made, and nothing is left of it; because /);
    expect(readdirSync(around)).toEqual([]);
  });

  it('leaves nothing that matters when it is killed, and the next one works', async () => {
    const held = await heldBackup(file);
    const beside = await assay('backup', `${file}.2`);
    expect([beside.exitCode, beside.stderr]).toEqual([3, expect.stringContaining('another backup')]);
    held.child.kill('SIGKILL');
    await held.ended;
    expect(readdirSync(around)).toEqual(['assay.backup.half']);
    await until('the server has ended it', async () => (await backupsOnServer()).length === 0);
    const r = await assay('backup', file, '--json');
    expect([r.exitCode, readdirSync(around)]).toEqual([0, ['assay.backup']]);
    expect(await assay('restore', file, '--check', '--json').then((c) => c.json().sound)).toBe(true);
    expect((await sell(newRef('after'))).outcome).toBe('ok');
    rmSync(file);
  });
});

/** Ends the server of a folder after the tests, and removes its files, which may be kept aside where this is root. */
function keepNothing(folder: string): void {
  const pgData = realpathSync(join(folder, 'postgres'));
  stage.defer(async () => {
    await endServer(folder);
    rmSync(pgData, { recursive: true, force: true });
  });
}

describe('a backup with the master key', () => {
  it('is restored with it and without a session that could begin again, and both say so', async () => {
    const [, password] = /Password (\S+)/.exec(service.output()) ?? [];
    const body = JSON.stringify({ email: 'admin@localhost', password });
    expect((await client.call(service.address, 'POST', '/v1/session', {}, body)).status).toBe(200);
    const backup = join(stage.folder(), 'with.backup');
    const taken = await assay('backup', backup, '--with-master-key', '--json');
    expect([taken.exitCode, taken.json().masterKey]).toEqual([0, true]);
    expect(taken.stderr).not.toContain('master key');
    const empty = await makeEmptyDatabase();
    stage.defer(() => empty.drop());
    const env = { DATABASE_URL: empty.url, DATA_DIR: join(stage.folder(), 'data') };
    const back = await assayWith(env)('restore', backup, '--json');
    expect([back.exitCode, back.json().masterKey], back.stderr).toEqual([0, true]);
    expect(back.stderr).toContain(`All that was done after ${taken.json().madeAt} is undone`);
    expect(readFileSync(join(env.DATA_DIR, 'secrets', 'master.key'), 'utf8').trim()).toBe(masterKey());
    expect(await empty.admin.query('SELECT ended_at IS NOT NULL AS ended FROM sessions')).toEqual([{ ended: true }]);
    const psps = await assayWith(env)('psp', 'list', '--json');
    expect(psps.json()).toEqual((await assay('psp', 'list', '--json')).json());
  });
});

describe('a restore that is killed', () => {
  it('leaves a folder on which nothing starts, and is done again by the same command', async () => {
    const folder = join(stage.folder(), 'data');
    const env = { DATA_DIR: folder, ASSAY_MASTER_KEY: masterKey() };
    const bin = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
    const child = spawn(process.execPath, [bin, 'restore', sound], { env: clean(env) });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // The database is just being made, and some seconds of work follow.
    await until('it is under way', () => existsSync(join(folder, 'secrets', 'postgres.json')));
    child.kill('SIGKILL');
    await ended;
    keepNothing(folder);
    const start = await assayWith(env)('psp', 'list');
    expect([start.exitCode, start.stderr]).toEqual([1, expect.stringContaining('was cut off; run `assay restore`')]);
    const again = await restore(folder, sound);
    expect(again.exitCode, again.stderr).toBe(0);
    const psps = await assayWith(env)('psp', 'list', '--json');
    expect(psps.json()).toEqual((await assay('psp', 'list', '--json')).json());
    expect(existsSync(join(folder, 'restoring'))).toBe(false);
    for (const [path, content] of kept) {
      expect(readFileSync(join(folder, path)).equals(content), path).toBe(true);
      expect(statSync(join(folder, path)).mode & 0o777, path).toBe(0o640);
    }
    expect(existsSync(join(folder, 'secrets', 'master.key'))).toBe(false);
  });
});

describe('a backup taken under load', () => {
  it('holds everything acknowledged before it began, and the service started on it serves as before', async () => {
    const hook = await receivers.start();
    const merchant = await post(service.address, '/v1/client/registerClient', (parties[0] as Party).apiKey, {
      registeredName: 'Told Ltd',
      registrationNumber: 'RC-told',
      countryCode: 'NG',
      email: 'told@example.com',
      phoneNumber: '+2348030000001',
      classification: 'ECOMM_LOCAL',
      organizationTin: '12345678-0001',
    });
    await post(service.address, '/v1/client/subscribeToClient', merchant.apiKey, { webhookUrl: hook.url });
    const first = await sell(newRef('first'));
    const receipt = await until('the first is sealed', async () => {
      const r = await get(service.address, `/v1/audit/receipt/${first.content.transactionId}`, first.party.apiKey);
      return r.status === 200 && r.body.content;
    });
    const { key } = (await get(service.address, '/v1/audit/key', first.party.apiKey)).body.content;

    const load = (more: Partial<Storm>) =>
      storm({ history, client, parties, addresses: () => [service.address], workers: 8, max: 150, seed: 6, ...more });
    await load({});
    const begun = history.now();
    let over = false;
    // New transactions only: whatever of them is lost is simply sent again.
    const going = load({ plain: true, max: 700, stop: () => over });
    await until('some were acknowledged', () => history.count('ok', begun) >= 50);
    const made = await assay('backup', file, '--json');
    expect([made.exitCode, readdirSync(around)], made.stderr).toEqual([0, ['assay.backup']]);
    expect(made.stderr).toMatch(/copied: \d+ % of [\d.]+ MB\n[\s\S]*The master key is not in it/);
    expect(history.count('ok', begun)).toBeGreaterThan(50);
    over = true;
    await going;
    expect(history.count('unknown')).toBe(0);
    const later = await sell(newRef('later'));
    expect(later.outcome).toBe('ok');
    // More than what is recorded before the audit below: a journal as long as before is rewritten, not set back.
    for (let i = 0; i < 8; i++) await sell(newRef('later'));
    // What is sealed is copied away before more is: with the last one sealed, the folder knows of the later one.
    for (const sold of [later, await sell(newRef('last'))])
      await until('it is sealed', async () => {
        const r = await get(service.address, `/v1/audit/receipt/${sold.content.transactionId}`, sold.party.apiKey);
        return r.status === 200;
      });

    // Destroyed: but the master key is kept elsewhere, and so are the checkpoints that were copied away.
    const master = masterKey();
    const kept = join(stage.folder(), 'kept');
    cpSync(join(dataDir, 'checkpoints'), kept, { recursive: true });
    service.signal('SIGKILL');
    await service.exited;
    await endServer(dataDir);
    rmSync(dataDir, { recursive: true });

    // Below a folder that only its owner may enter: as root the server's files are kept aside.
    const back = join(stage.folder(), 'data');
    const restored = await restore(back, file);
    expect([restored.exitCode, restored.json().masterKey], restored.stderr).toEqual([0, false]);
    expect(restored.stderr).toContain('The master key is not in the backup');
    keepNothing(back);
    const env = { DATA_DIR: back, ASSAY_MASTER_KEY: master };

    // With the checkpoints that are newer than the backup nothing is sealed until somebody has looked.
    const own = join(stage.folder(), 'own');
    cpSync(join(back, 'checkpoints'), own, { recursive: true });
    cpSync(kept, join(back, 'checkpoints'), { recursive: true });
    service = await stage.service(env);
    await until('it says that it seals nothing, before there is anything new', () =>
      /fewer than the checkpoint over \d+ entries/.test(service.output()),
    );
    const db = ownerPool(back);
    stage.defer(() => db.end());
    // What was told after the backup began may have come into it or not; all before it has.
    const told = new History();
    told.all.push(
      ...history.all.map((s): Sent => (s.answeredAt > begun ? { ...s, outcome: 'unknown', status: 0, code: '' } : s)),
    );
    const fresh = await told.send(client, service.address, first.party, 'verifyTransaction', sale(newRef('fresh'), 50));
    expect(fresh.outcome).toBe('ok');
    await until('the sealer stands still over what is new', () =>
      /"reader":"seal"[^\n]*fewer than the checkpoint over \d+ entries/.test(service.output()),
    );
    const audit = assayWith(env);
    const found = await audit('audit', 'verify', '--json');
    expect([
      found.exitCode,
      found.json().psps.flatMap((p: { findings: { code: string }[] }) => p.findings.map((f) => f.code)),
    ]).toEqual([1, ['SET_BACK']]);

    const checks = new Checks(db);
    expect((await checks.look(told, 'before asking again')).violations).toEqual([]);
    const gone = await get(service.address, `/v1/transaction/${later.content.transactionId}`, later.party.apiKey);
    expect(gone.status).toBe(404);
    const asked = await askAgain(told, client, service.address);
    expect(asked.asked).toBeGreaterThan(asked.hadBeenRecorded);
    expect((await checks.look(told, 'after asking again')).violations).toEqual([]);
    expect(verifyReceipt(receipt, key, primitives)).toMatchObject({ checkpoint: { origin: expect.any(String) } });
    expect((await get(service.address, '/v1/admin/account', operator)).status).toBe(200);

    // Announcements are signed as ever.
    const since = hook.received.length;
    const { transactionId } = await post(
      service.address,
      '/v1/transaction/verifyTransaction',
      merchant.apiKey,
      sale('told', 107.5),
    );
    const { headers, body } = await until('it is announced', () =>
      hook.received.slice(since).find((r) => r.body.includes(transactionId)),
    );
    const event = await verifyWebhook({ body, headers, secret: merchant.secret } as Parameters<
      typeof verifyWebhook
    >[0]);
    expect(event.data).toMatchObject({ transactionId });

    // Moved away, as the page on receipts says, for those of the backup: sealing goes on from there.
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    rmSync(join(back, 'checkpoints'), { recursive: true });
    cpSync(own, join(back, 'checkpoints'), { recursive: true });
    service = await stage.service(env);
    await until('what is new is sealed', async () => {
      return (await get(service.address, `/v1/audit/receipt/${transactionId}`, merchant.apiKey)).status === 200;
    });
    expect((await audit('audit', 'verify')).exitCode).toBe(0);
    // The other history shows to whoever holds a checkpoint of the lost one.
    const beside = await audit('audit', 'verify', '--checkpoints', kept, '--json');
    expect([beside.exitCode, beside.json().sound]).toEqual([1, false]);
  });
});

/** A piece of a backup after its length. */
const piece = (content: string | Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(content));
  return Buffer.concat([length, Buffer.from(content)]);
};
const start = Buffer.from('assay backup\n');
const cover = (over: object = {}): Buffer =>
  piece(JSON.stringify({ format: 2, assay: '9.9.9', postgres: '18.4', migrations: [], ...over }));
const fileSection = (path: string): Buffer =>
  Buffer.concat([piece(JSON.stringify({ file: path, mode: 0o644 })), piece('x'), piece('')]);
const end = (rows: object): Buffer => piece(JSON.stringify({ end: { rows, months: [] } }));

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
/** A backup as anybody may make one, with hashes that fit: within the stream, and of the file in a frame that zstd skips. */
const made = (...pieces: Buffer[]): Buffer => {
  const bytes = Buffer.concat(pieces);
  const file = zstdCompressSync(Buffer.concat([bytes, sha256(bytes)]));
  return Buffer.concat([file, Buffer.from('502a4d1820000000', 'hex'), sha256(file)]);
};

/** The former form: a tar of the files of PostgreSQL. */
const former = (): Buffer => {
  const text = JSON.stringify({ format: 1, assay: '0.1.0', postgres: '18.4' });
  const header = Buffer.alloc(512);
  header.write('assay-backup.json');
  header.write(`${text.length.toString(8).padStart(11, '0')} `, 124);
  return zstdCompressSync(Buffer.concat([header, Buffer.from(text), Buffer.alloc(4096)]));
};

const rewritten = (change: (bytes: Buffer) => Buffer): Buffer => change(Buffer.from(readFileSync(sound)));
const unpacked = (change: (bytes: Buffer) => Buffer): Buffer =>
  zstdCompressSync(change(zstdDecompressSync(readFileSync(sound))));
const tampered = (find: string, put: string): Buffer =>
  unpacked((bytes) => {
    const at = bytes.indexOf(find);
    expect(at).toBeGreaterThan(0);
    bytes.write(put, at, 'latin1');
    return bytes;
  });

describe('assay restore', () => {
  it.each<[string, () => Buffer, new (...args: never) => Error, string]>([
    ['that is cut off', () => rewritten((b) => b.subarray(0, b.length - 1000)), BadBackup, 'cut off or damaged'],
    ['that is cut off early', () => rewritten((b) => b.subarray(0, b.length >> 2)), BadBackup, 'cut off or damaged'],
    [
      'with one byte changed',
      () => rewritten((b) => b.fill(b[b.length >> 1]! ^ 1, b.length >> 1, (b.length >> 1) + 1)),
      BadBackup,
      'cut off or damaged',
    ],
    ['with a row changed', () => tampered('Demo PSP', 'Demo XSP'), BadBackup, 'its hash is of other bytes'],
    ['with more at its end', () => unpacked((b) => Buffer.concat([b, b])), BadBackup, 'it goes on after its end'],
    [
      'that is of something else',
      () => made(Buffer.from('another thing altogether')),
      BadBackup,
      'is no backup of Assay',
    ],
    ['that is no archive', () => Buffer.from('a backup'), BadBackup, 'is no backup of Assay'],
    [
      'of a later form',
      () => made(start, cover({ format: 4 })),
      BadBackup,
      'made by Assay 9.9.9 in a form that this version does not know',
    ],
    [
      'of the former form',
      former,
      BadBackup,
      'holds the files of a PostgreSQL 18.4 server, which only the version reads that made it; restore it with that one (Assay 0.1.0)',
    ],
    [
      'of a later schema',
      () => made(start, cover({ migrations: [{ name: '9999-x.sql', hash: '' }] }), end({})),
      Refusal,
      'made by a newer version of Assay (9999-x.sql',
    ],
    [
      'that leads out',
      () => made(start, cover(), fileSection('cdr/../../evil'), end({})),
      BadBackup,
      'should not be there',
    ],
    [
      'that leads to the root',
      () => made(start, cover(), fileSection('/tmp/evil'), end({})),
      BadBackup,
      'should not be',
    ],
    [
      'that holds what is none of it',
      () => made(start, cover(), fileSection('evil'), end({})),
      BadBackup,
      'should not be',
    ],
    ['without its end', () => made(start, cover(), fileSection('cdr/a')), BadBackup, 'cut off or damaged'],
  ])('refuses one %s, and leaves the folder as it was', async (_, bytes, refused, says) => {
    const folder = stage.folder();
    const backup = join(folder, 'x.backup');
    writeFileSync(backup, bytes());
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const o = { file: backup, signal: new AbortController().signal, progress: () => undefined };
    const into = { dataDir: empty, databaseUrl: undefined, now: new Date(), log };
    for (const attempt of [() => restoreBackup({ ...o, ...into }), () => checkBackup(o)]) {
      const e = await attempt().then(
        () => undefined,
        (e: unknown) => e as Error,
      );
      expect(e).toBeInstanceOf(refused);
      expect(e?.message).toContain(says);
    }
    expect([readdirSync(folder).sort(), readdirSync(empty)]).toEqual([['empty', 'x.backup'], []]);
  });

  it('refuses one that lacks a table or rows, and leaves folder and database as they were', async () => {
    const bytes = zstdDecompressSync(readFileSync(sound));
    const at = bytes.lastIndexOf('{"end":');
    const { rows, months } = JSON.parse(bytes.subarray(at, bytes.length - 32).toString()).end;
    const { accounts, ...others } = rows;
    for (const [counts, says] of [
      [others, 'lacks the table accounts'],
      [{ ...rows, accounts: accounts + 1 }, `accounts took ${accounts} rows of ${accounts + 1}`],
    ] as const) {
      const database = await makeEmptyDatabase();
      stage.defer(() => database.drop());
      const folder = stage.folder();
      const backup = join(stage.folder(), 'x.backup');
      const summary = piece(JSON.stringify({ end: { rows: counts, months } }));
      writeFileSync(backup, made(bytes.subarray(0, at - 4), summary));
      const r = await assayWith({ DATABASE_URL: database.url, DATA_DIR: folder })('restore', backup);
      expect([r.exitCode, r.stderr]).toEqual([1, expect.stringContaining(says)]);
      expect(readdirSync(folder)).toEqual([]);
      expect(
        await database.admin.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"),
      ).toEqual([]);
    }
  });

  it('ends where it is interrupted among the rows of a table, and leaves folder and database as they were', async () => {
    const database = await makeEmptyDatabase();
    stage.defer(() => database.drop());
    const [folder, end] = [stage.folder(), new AbortController()];
    const pieces = { checked: 0, restored: 0 };
    const interrupted = restoreBackup({
      ...{ file: sound, dataDir: folder, databaseUrl: database.url, now: new Date(), log, signal: end.signal },
      progress: (what) => void (++pieces[what] * 2 > pieces.checked && what === 'restored' && end.abort()),
    });
    await expect(interrupted).rejects.toThrow(/aborted/);
    expect(readdirSync(folder)).toEqual([]);
    expect(
      await database.admin.query("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"),
    ).toEqual([]);
  });

  it('ends with its own error, and leaves nothing, where the embedded server cannot shut down', async () => {
    const folder = join(stage.folder(), 'data');
    const end = new AbortController();
    const interrupted = restoreBackup({
      ...{ file: sound, dataDir: folder, databaseUrl: undefined, now: new Date(), log, signal: end.signal },
      progress(what) {
        if (what !== 'restored' || end.signal.aborted) return;
        // As on a full disk, its last checkpoint does not come to an end.
        const isIts = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('checkpointer');
        kill(childrenOf(postmaster(folder) as number).filter(isIts), 'SIGSTOP');
        end.abort();
      },
    });
    await expect(interrupted).rejects.toThrow(/aborted/);
    expect(existsSync(folder)).toBe(false);
  });

  it('ends with 1 on a file that is not sound, and says so in the document and to the person', async () => {
    const backup = join(stage.folder(), 'cut.backup');
    writeFileSync(
      backup,
      rewritten((b) => b.subarray(0, b.length - 100)),
    );
    const folder = stage.folder();
    const missing = join(folder, 'missing');
    const [put, checked] = await Promise.all([restore(missing, backup), restore(missing, backup, '--check')]);
    const message = expect.stringMatching(/cut\.backup is cut off or damaged/);
    expect([put.exitCode, put.json()]).toEqual([1, { success: false, code: 'FAULT', message }]);
    expect([checked.exitCode, checked.json()]).toEqual([1, { sound: false, message }]);
    expect([put.stderr, checked.stderr, readdirSync(folder)]).toEqual([message, message, []]);
  });

  it('refuses a folder and a database that hold anything', async () => {
    const folder = stage.folder();
    writeFileSync(join(folder, 'mine'), '');
    const r = await restore(folder, sound);
    expect([r.exitCode, r.json().message]).toEqual([3, expect.stringContaining('is not empty (mine)')]);
    expect(readdirSync(folder)).toEqual(['mine']);
    const used = await makeDatabase();
    stage.defer(() => used.drop());
    const beside = stage.folder();
    const url = await assayWith({ DATABASE_URL: used.url, DATA_DIR: beside })('restore', sound);
    expect([url.exitCode, url.stderr]).toEqual([3, expect.stringContaining('is not empty')]);
    expect(readdirSync(beside)).toEqual([]);
  });
});
