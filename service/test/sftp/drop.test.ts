// The file drop as clients use it: files in, status out, each file once and complete.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, SFTPWrapper } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import type { Account } from '../support/app.ts';
import {
  call,
  codeOf,
  connect,
  type Login,
  makeTestDrop,
  names,
  sftpOf,
  status,
  type TestDrop,
  upload,
} from './support/drop.ts';

let d: TestDrop;
let psp: Account;
let login: Login;
let client: Client;
let sftp: SFTPWrapper;
let made = 0;
const fresh = (ending = '.csv') => `CDR_TEST_${++made}${ending}`;
const incoming = (name: string) => `/cdr/incoming/${name}`;

beforeAll(async () => {
  d = await makeTestDrop();
  psp = await d.t.makePsp();
  login = await d.login(psp);
  client = await connect(d, login);
  sftp = await sftpOf(client);
});
afterAll(async () => {
  client.end();
  await d.stop();
});

// Spec 4.15
describe('an upload', () => {
  it("stands in the account's incoming folder, byte for byte, once it is closed", async () => {
    const name = fresh();
    const content = Buffer.from('cdr_id,caller_number\nø,1\n'.repeat(50_000));
    await upload(sftp, incoming(name), content);
    expect(readFileSync(join(d.root, 'incoming', psp.uuid, name)).equals(content)).toBe(true);
    expect(await names(sftp, '/cdr/incoming')).toContain(name);
    expect(d.files('staging', psp.uuid)).toEqual([]);
  });

  it('is nowhere to be seen before it is closed', async () => {
    const name = fresh();
    const handle = await call<Buffer>((done) => sftp.open(incoming(name), 'w', done));
    await call((done) => sftp.write(handle, Buffer.from('abc'), 0, 3, 0, done));
    expect(await names(sftp, '/cdr/incoming')).not.toContain(name);
    expect(await codeOf(call((done) => sftp.stat(incoming(name), done)))).toBe(status.NO_SUCH_FILE);
    expect(d.files('incoming', psp.uuid)).not.toContain(name);
    expect((await call<{ size: number }>((done) => sftp.fstat(handle, done as never))).size).toBe(3);
    await call((done) => sftp.close(handle, done));
    expect(d.files('incoming', psp.uuid)).toContain(name);
  });

  it('is never promoted when the connection is cut in the middle', async () => {
    const name = fresh();
    const other = await connect(d, login);
    const theirs = await sftpOf(other);
    const handle = await call<Buffer>((done) => theirs.open(incoming(name), 'w', done));
    await call((done) => theirs.write(handle, Buffer.alloc(100_000, 'x'), 0, 100_000, 0, done));
    expect(d.files('staging', psp.uuid)).toHaveLength(1);
    other.destroy();
    await until('the rest of the upload is cleared away', () => d.files('staging', psp.uuid).length === 0);
    expect(d.files('incoming', psp.uuid)).not.toContain(name);
    expect(await names(sftp, '/cdr/incoming')).not.toContain(name);
  });

  it('that was closed is finished though the client hangs up without waiting for an answer', async () => {
    for (let round = 0; round < 5; round++) {
      const [name, half] = [fresh(), fresh()];
      const other = await connect(d, login);
      other.on('error', () => undefined);
      const theirs = await sftpOf(other);
      const open = (path: string) => call<Buffer>((done) => theirs.open(incoming(path), 'w', done));
      const [whole, cut] = [await open(name), await open(half)];
      const piece = Buffer.alloc(30_000, 'x');
      const late = () => undefined;
      for (let i = 0; i < 20; i++)
        for (const handle of [whole, cut]) theirs.write(handle, piece, 0, piece.length, i * piece.length, late);
      theirs.close(whole, late);
      for (let i = 0; i < 100; i++) theirs.stat('/cdr', late);
      (other as unknown as { _sock: import('node:net').Socket })._sock.end();
      await until('the session is over', () => d.files('staging', psp.uuid).length === 0);
      const found = d.files('incoming', psp.uuid);
      expect([found.includes(name), found.includes(half)]).toEqual([true, false]);
      expect(statSync(join(d.root, 'incoming', psp.uuid, name)).size).toBe(600_000);
    }
  });

  it('is refused when a finished file has the name, at its start and at its end', async () => {
    const name = fresh();
    const late = await call<Buffer>((done) => sftp.open(incoming(name), 'w', done));
    await upload(sftp, incoming(name), 'first');
    expect(await codeOf(upload(sftp, incoming(name), 'second'))).toBe(status.PERMISSION_DENIED);
    await call((done) => sftp.write(late, Buffer.from('third'), 0, 5, 0, done));
    expect(await codeOf(call((done) => sftp.close(late, done)))).toBe(status.PERMISSION_DENIED);
    expect(readFileSync(join(d.root, 'incoming', psp.uuid, name), 'utf8')).toBe('first');
    expect(d.files('staging', psp.uuid)).toEqual([]);
  });

  it('cannot be removed, renamed or opened for writing once it is finished, but read', async () => {
    const name = fresh();
    await upload(sftp, incoming(name), 'first');
    expect(await codeOf(call((done) => sftp.unlink(incoming(name), done)))).toBe(status.PERMISSION_DENIED);
    expect(await codeOf(call((done) => sftp.rename(incoming(name), incoming(fresh()), done)))).toBe(
      status.PERMISSION_DENIED,
    );
    expect(await codeOf(call((done) => sftp.open(incoming(name), 'r+', done)))).toBe(status.PERMISSION_DENIED);
    expect(await codeOf(call((done) => sftp.open(incoming(name), 'a', done)))).toBe(status.PERMISSION_DENIED);
    expect(String(await call<Buffer>((done) => sftp.readFile(incoming(name), done)))).toBe('first');
  });

  it('of any other kind of file is refused', async () => {
    for (const name of [
      'x.txt',
      'x.csv.gz',
      'csv',
      '.csv',
      '.hidden.csv',
      'a\\b.csv',
      'a\nb.csv',
      'ü'.repeat(120).concat('.csv'),
    ])
      expect([name, await codeOf(upload(sftp, incoming(name), 'x'))]).not.toEqual([name, 0]);
    expect(await codeOf(upload(sftp, '/cdr/status/x.csv', 'x'))).toBe(status.PERMISSION_DENIED);
    expect(d.files('incoming', psp.uuid).filter((n) => !n.startsWith('CDR_TEST_'))).toEqual([]);
  });

  it('takes attributes without a word and without an effect', async () => {
    const name = fresh();
    await upload(sftp, incoming(name), 'x');
    await call((done) => sftp.chmod(incoming(name), 0o777, done));
    await call((done) => sftp.utimes(incoming(name), 1, 1, done));
    const seen = await call<{ mode: number; mtime: number }>((done) => sftp.stat(incoming(name), done as never));
    expect(seen.mode).toBe(0o100640);
    expect(seen.mtime).toBeGreaterThan(1);
  });
});

describe('an upload under another name', () => {
  it.each(['.part', '.tmp', '.filepart'])(
    'ending in %s is a plain file until it is renamed to .csv',
    async (ending) => {
      const [name, final] = [fresh(`.csv${ending}`), fresh()];
      await upload(sftp, incoming(name), 'half');
      expect(await names(sftp, '/cdr/incoming')).toContain(name);
      expect(d.files('incoming', psp.uuid)).not.toContain(name);
      await upload(sftp, incoming(name), 'whole');
      await call((done) => sftp.rename(incoming(name), incoming(final), done));
      expect(readFileSync(join(d.root, 'incoming', psp.uuid, final), 'utf8')).toBe('whole');
      expect(await names(sftp, '/cdr/incoming')).not.toContain(name);
    },
  );

  it('is resumed after the connection was cut', async () => {
    const name = fresh('.csv.filepart');
    const other = await connect(d, login);
    const theirs = await sftpOf(other);
    const handle = await call<Buffer>((done) => theirs.open(incoming(name), 'w', done));
    await call((done) => theirs.write(handle, Buffer.from('first '), 0, 6, 0, done));
    other.destroy();
    await until('it is back', async () => (await names(sftp, '/cdr/incoming')).includes(name));
    await call((done) => sftp.appendFile(incoming(name), 'second', (e) => done(e)));
    const final = fresh();
    await call((done) => sftp.rename(incoming(name), incoming(final), done));
    expect(readFileSync(join(d.root, 'incoming', psp.uuid, final), 'utf8')).toBe('first second');
  });

  it('is never renamed over a finished file, nor while it is written', async () => {
    const [name, final] = [fresh('.part'), fresh()];
    await upload(sftp, incoming(final), 'finished');
    await upload(sftp, incoming(name), 'other');
    expect(await codeOf(call((done) => sftp.rename(incoming(name), incoming(final), done)))).toBe(
      status.PERMISSION_DENIED,
    );
    expect(readFileSync(join(d.root, 'incoming', psp.uuid, final), 'utf8')).toBe('finished');
    const handle = await call<Buffer>((done) => sftp.open(incoming(name), 'r+', done));
    expect(await codeOf(call((done) => sftp.rename(incoming(name), incoming(fresh()), done)))).toBe(
      status.NO_SUCH_FILE,
    );
    await call((done) => sftp.close(handle, done));
    await call((done) => sftp.unlink(incoming(name), done));
    expect(await names(sftp, '/cdr/incoming')).not.toContain(name);
  });
});

describe('the status folder', () => {
  it("shows the account's status files, which it may read and remove", async () => {
    const folder = join(d.root, 'status', psp.uuid);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.csv.json'), '{"state":"ACCEPTED"}');
    writeFileSync(join(folder, '.b.csv.half'), '{');
    expect(await names(sftp, '/cdr/status')).toEqual(['a.csv.json']);
    expect(String(await call<Buffer>((done) => sftp.readFile('/cdr/status/a.csv.json', done)))).toBe(
      '{"state":"ACCEPTED"}',
    );
    await call((done) => sftp.unlink('/cdr/status/a.csv.json', done));
    expect(d.files('status', psp.uuid)).toEqual(['.b.csv.half']);
  });

  it('is told name by name when there are many', async () => {
    const many = await d.t.makePsp('Many');
    const folder = join(d.root, 'status', many.uuid);
    mkdirSync(folder, { recursive: true });
    for (let i = 0; i < 350; i++) writeFileSync(join(folder, `${i}.csv.json`), '{}');
    const other = await connect(d, await d.login(many));
    expect(await names(await sftpOf(other), '/cdr/status')).toHaveLength(350);
    other.end();
  });
});

describe('the tree', () => {
  it('starts at the root and has nothing but the two folders', async () => {
    expect(await call<string>((done) => sftp.realpath('.', done))).toBe('/');
    expect(await call<string>((done) => sftp.realpath('/cdr/./incoming/../status//', done))).toBe('/cdr/status');
    expect(await names(sftp, '/')).toEqual(['cdr']);
    expect(await names(sftp, 'cdr')).toEqual(['incoming', 'status']);
  });
});

describe('a quota', () => {
  it('bounds a file, what waits in all and how many files wait; what went over it is not promoted', async () => {
    const small = await d.another({ drop: { fileBytes: 1000, bytes: 2500, files: 4 } });
    const account = await d.t.makePsp('Small');
    const other = await connect(small, await d.login(account));
    const theirs = await sftpOf(other);
    const put = (name: string, bytes: number) => codeOf(upload(theirs, incoming(name), Buffer.alloc(bytes, 'x')));
    expect(await put('a.csv', 1001)).toBe(status.FAILURE);
    expect(await put('a.csv', 1000)).toBe(0);
    expect(await put('b.csv', 1000)).toBe(0);
    expect(await put('c.csv', 501)).toBe(status.FAILURE);
    expect(await put('c.csv', 100)).toBe(0);
    expect(await put('d.csv', 100)).toBe(0);
    expect(await put('e.csv', 1)).toBe(status.FAILURE);
    expect(d.files('incoming', account.uuid)).toEqual(['a.csv', 'b.csv', 'c.csv', 'd.csv']);
    expect(d.files('staging', account.uuid)).toEqual([]);
    other.end();
  });

  it('refuses to finish a file when a write failed, though the sender did not look', async () => {
    const small = await d.another({ drop: { fileBytes: 1000 } });
    const account = await d.t.makePsp('Careless');
    const other = await connect(small, await d.login(account));
    const theirs = await sftpOf(other);
    const handle = await call<Buffer>((done) => theirs.open(incoming('x.csv'), 'w', done));
    const over = codeOf(call((done) => theirs.write(handle, Buffer.alloc(600), 0, 600, 600, done)));
    const within = codeOf(call((done) => theirs.write(handle, Buffer.alloc(600), 0, 600, 0, done)));
    const closed = codeOf(call((done) => theirs.close(handle, done)));
    expect(await Promise.all([over, within, closed])).toEqual([status.FAILURE, 0, status.FAILURE]);
    expect(d.files('incoming', account.uuid)).toEqual([]);
    other.end();
  });
});
