// Attacks on the file drop by someone with or without a login.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import ssh2, { type Client, type SFTPWrapper } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { system } from '../../src/modules/kernel/principal.ts';
import { revokeSftpLogin } from '../../src/modules/telecom/sftp-credentials.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account } from '../support/app.ts';
import { setStanding } from '../support/guarantees.ts';
import {
  call,
  codeOf,
  connect,
  ed25519Pair,
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
let victim: Account;
let login: Login;
let client: Client;
let sftp: SFTPWrapper;

beforeAll(async () => {
  d = await makeTestDrop({ failures: 1000, exchanges: 1000 });
  psp = await d.t.makePsp('Mine');
  victim = await d.t.makePsp('Victim');
  login = await d.login(psp);
  const theirs = await connect(d, await d.login(victim));
  await upload(await sftpOf(theirs), '/cdr/incoming/secret.csv', 'secret');
  theirs.end();
  client = await connect(d, login);
  sftp = await sftpOf(client);
  writeFileSync(join(d.root, 'outside.csv'), 'outside');
});
afterAll(async () => {
  client.end();
  await d.stop();
});

const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'accepted',
    (e: Error) => e.message,
  );

describe('signing in', () => {
  it.each([
    ['a wrong password', () => ({ password: 'wrong' })],
    ['the password of another login', async () => ({ password: (await d.login(victim)).password })],
    ['an unknown name', () => ({ username: 'root' })],
    ['a name that is a pattern', () => ({ username: `${login.username.slice(0, -1)}_` })],
    ['an empty password', () => ({ password: '' })],
    ['a very long password', () => ({ password: 'x'.repeat(30_000) })],
    ['a name with a NUL', () => ({ username: `${login.username}\0` })],
  ])('with %s is refused', async (_, over) => {
    expect(await refused(connect(d, { ...login, ...(await over()) }))).toBe(
      'All configured authentication methods failed',
    );
  });

  it('by keyboard-interactive or with the key of nobody is refused', async () => {
    const pair = ed25519Pair();
    const { password: _, ...noPassword } = login;
    const all = 'All configured authentication methods failed';
    expect(await refused(connect(d, { ...noPassword, privateKey: pair.private }))).toBe(all);
    expect(await refused(connect(d, { ...noPassword, tryKeyboard: true }))).toBe(all);
  });

  it('works with the key of the login, and with a signature of that very key only', async () => {
    const [mine, other] = [ed25519Pair(), ed25519Pair()];
    const rsa = ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 });
    const ecdsa = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
    for (const pair of [mine, rsa, ecdsa]) {
      const { password: _, ...keyed } = await d.login(psp, psp, pair.public);
      (await connect(d, { ...keyed, privateKey: pair.private })).end();
      expect(await refused(connect(d, { ...keyed, privateKey: other.private }))).not.toBe('accepted');
    }
    // A public key that is known, signed for with another private one.
    const { password: _, ...keyed } = await d.login(psp, psp, mine.public);
    const [known, forger] = [mine.public, other.private].map((k) => ssh2.utils.parseKey(k)) as [
      ReturnType<typeof parsed>,
      ReturnType<typeof parsed>,
    ];
    const forged = Object.assign(Object.create(known), {
      isPrivateKey: () => true,
      getPrivatePEM: () => other.private,
      sign: forger.sign.bind(forger),
    });
    expect(
      await refused(
        connect(d, { ...keyed, authHandler: [{ type: 'publickey', username: keyed.username, key: forged }] as never }),
      ),
    ).not.toBe('accepted');
  });

  it('is tried six times on a connection and no more', async () => {
    let tries = 0;
    const attempt = connect(d, {
      username: login.username,
      authHandler: (_left, _partial, next) => {
        tries++;
        next({ type: 'password', username: login.username, password: `wrong ${tries}` });
      },
    });
    expect(await refused(attempt)).not.toBe('accepted');
    expect(tries).toBe(6);
  });

  it('from an address that failed too often is not heard for a while, even with the right password', async () => {
    const strict = await d.another({ failures: 3 });
    for (let i = 0; i < 4; i++)
      expect(await refused(connect(strict, { ...login, password: 'x' }))).not.toBe('accepted');
    expect(await refused(connect(strict, login))).not.toBe('accepted');
    d.t.advance(30_000);
    (await connect(strict, login)).end();
  });

  it('must come within the grace', async () => {
    const hasty = await d.another({ graceMs: 200 });
    const socket = createConnection(hasty.port, hasty.host);
    socket.resume();
    await new Promise((closed) => socket.once('close', closed));
    const client = new ssh2.Client();
    client.on('error', () => undefined);
    const closed = new Promise<void>((done) => client.once('close', () => done()));
    client.connect({ ...hasty, username: login.username, authHandler: () => undefined });
    await closed;
  });

  it('needs a modern algorithm of every kind', async () => {
    const weak = [
      { kex: ['diffie-hellman-group14-sha1'] },
      { kex: ['diffie-hellman-group-exchange-sha256'] },
      // 64 ms of the process for each who connects, without any login.
      { kex: ['diffie-hellman-group18-sha512'] },
      { cipher: ['aes256-cbc'] },
      { cipher: ['chacha20-poly1305@openssh.com'] },
      { cipher: ['aes128-ctr'], hmac: ['hmac-sha2-256'] },
      { cipher: ['aes128-ctr'], hmac: ['hmac-sha1-etm@openssh.com'] },
      { serverHostKey: ['ssh-rsa'] },
      { compress: ['zlib'] },
    ];
    for (const algorithms of weak)
      expect([algorithms, await refused(connect(d, { ...login, algorithms: algorithms as never }))]).toEqual([
        algorithms,
        expect.stringMatching(/no matching/),
      ]);
    for (const algorithms of [
      { kex: ['curve25519-sha256'], cipher: ['aes256-gcm@openssh.com'], serverHostKey: ['ssh-ed25519'] },
      { kex: ['ecdh-sha2-nistp521'], cipher: ['aes128-ctr'], hmac: ['hmac-sha2-512-etm@openssh.com'] },
      { kex: ['diffie-hellman-group16-sha512'], serverHostKey: ['rsa-sha2-512'] },
    ])
      (await connect(d, { ...login, algorithms: algorithms as never })).end();
  });

  it('leaves no password and no name of anybody in the log', () => {
    expect(d.t.logged.filter((line) => line.includes(login.username) || line.includes(login.password))).toEqual([]);
    expect(d.t.logged.some((line) => line.includes('an SFTP sign-in failed'))).toBe(true);
  });
});

describe('a path', () => {
  it.each([
    '/etc/passwd',
    '/cdr/incoming/../../../../etc/passwd',
    '../../outside.csv',
    '/cdr/incoming/../outside.csv',
    '/cdr/outside.csv',
    '/cdr/incoming/..\\..\\outside.csv',
    '/cdr/incoming/%2e%2e/outside.csv',
    '/cdr/incoming/secret.csv',
    '/cdr/incoming-evil/x.csv',
    '/cdr/incomin',
    '/cdr2/incoming/x.csv',
    '/cdr/incoming/x.csv/y.csv',
    '/cdr/incoming/x.csv\0.json',
    '/cdr/processing/x.csv',
    '/cdr/staging/x.csv',
    `/cdr/incoming/${'a'.repeat(5000)}.csv`,
  ])('%.60j leads nowhere: not read, listed, written, renamed to, or removed', async (path) => {
    const attempts = [
      call((done) => sftp.stat(path, done as never)),
      call((done) => sftp.lstat(path, done as never)),
      call((done) => sftp.readFile(path, done as never)),
      call((done) => sftp.readdir(path, done as never)),
      call((done) => sftp.unlink(path, done)),
      call((done) => sftp.rename(path, '/cdr/incoming/stolen.csv', done)),
    ];
    for (const attempt of attempts)
      expect([status.NO_SUCH_FILE, status.PERMISSION_DENIED]).toContain(await codeOf(attempt));
    if (path !== '/cdr/incoming/secret.csv') expect(await codeOf(upload(sftp, path, 'evil'))).not.toBe(0);
  });

  it('of another account does not exist, whatever is said of it', async () => {
    for (const path of [
      `/cdr/incoming/../${victim.uuid}/secret.csv`,
      `/cdr/incoming/${victim.uuid}/secret.csv`,
      `/cdr/incoming/../incoming/${victim.uuid}/secret.csv`,
      `/incoming/${victim.uuid}/secret.csv`,
    ])
      expect(await codeOf(call((done) => sftp.readFile(path, done as never)))).toBe(status.NO_SUCH_FILE);
    expect(await names(sftp, '/cdr/incoming')).toEqual([]);
  });

  it('that is a link on the disk is followed by nothing', async () => {
    const incoming = join(d.root, 'incoming', psp.uuid);
    const folder = join(d.root, 'status', psp.uuid);
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(d.root, 'outside.csv'), join(incoming, 'link.csv'));
    symlinkSync(join(d.root, 'outside.csv'), join(folder, 'link.csv.json'));
    expect(await names(sftp, '/cdr/incoming')).toEqual([]);
    expect(await names(sftp, '/cdr/status')).toEqual([]);
    for (const path of ['/cdr/incoming/link.csv', '/cdr/status/link.csv.json'])
      expect(await codeOf(call((done) => sftp.readFile(path, done as never)))).toBe(status.NO_SUCH_FILE);
    expect(await codeOf(upload(sftp, '/cdr/incoming/link.csv', 'evil'))).toBe(status.PERMISSION_DENIED);
    rmSync(join(incoming, 'link.csv'));
    rmSync(join(folder, 'link.csv.json'));
  });

  it("is never a link or a folder of a client's making", async () => {
    const no = status.PERMISSION_DENIED;
    expect(await codeOf(call((done) => sftp.symlink('/etc/passwd', '/cdr/incoming/x.csv', done)))).toBe(no);
    expect(await codeOf(call((done) => sftp.readlink('/cdr/incoming/x.csv', done as never)))).toBe(no);
    expect(await codeOf(call((done) => sftp.mkdir('/cdr/incoming/x', done)))).toBe(no);
    expect(await codeOf(call((done) => sftp.rmdir('/cdr/incoming', done)))).toBe(no);
    expect(
      await codeOf(
        call((done) => sftp.ext_openssh_hardlink('/cdr/incoming/x.csv', '/cdr/incoming/y.csv', done)).catch(() =>
          Promise.reject({ code: no }),
        ),
      ),
    ).toBe(no);
    expect(d.files('incoming', psp.uuid)).toEqual([]);
  });

  it('of a status file is not written, and one of incoming is not moved to status', async () => {
    await upload(sftp, '/cdr/incoming/x.part', 'x');
    const moved = call((done) => sftp.rename('/cdr/incoming/x.part', '/cdr/status/x.csv.json', done));
    expect(await codeOf(moved)).toBe(status.PERMISSION_DENIED);
    expect(await codeOf(upload(sftp, '/cdr/status/x.csv.json', 'x'))).toBe(status.PERMISSION_DENIED);
    await call((done) => sftp.unlink('/cdr/incoming/x.part', done));
  });
});

describe('a connection', () => {
  it('opens no shell, runs no command and forwards nothing', async () => {
    expect(await refused(call((done) => client.shell(done as never)))).not.toBe('accepted');
    expect(await refused(call((done) => client.exec('id', done as never)))).not.toBe('accepted');
    expect(await refused(call((done) => client.subsys('shell', done as never)))).not.toBe('accepted');
    expect(
      await refused(call((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', d.port, done as never))),
    ).not.toBe('accepted');
    expect(await refused(call((done) => client.forwardIn('127.0.0.1', 0, done as never)))).not.toBe('accepted');
    expect(await refused(call((done) => client.openssh_forwardOutStreamLocal('/tmp/x', done as never)))).not.toBe(
      'accepted',
    );
    expect(await refused(call((done) => client.openssh_forwardInStreamLocal('/tmp/x', done as never)))).not.toBe(
      'accepted',
    );
    expect(await names(sftp, '/cdr/incoming')).toEqual([]);
  });

  it('has 64 files open at most, over all its sessions', async () => {
    const other = await connect(d, login);
    const [one, two] = [await sftpOf(other), await sftpOf(other)];
    const open = (s: SFTPWrapper) => call<Buffer>((done) => s.opendir('/', done));
    const handles: Buffer[] = [];
    for (let i = 0; i < 63; i++) handles.push(await open(one));
    handles.push(await open(two));
    expect(await codeOf(open(two))).toBe(status.FAILURE);
    await call((done) => one.close(handles[0] as Buffer, done));
    await open(two);
    other.end();
  });

  it('has eight sessions at most', async () => {
    const other = await connect(d, login);
    for (let i = 0; i < 8; i++) await sftpOf(other);
    expect(await refused(sftpOf(other))).not.toBe('accepted');
    other.end();
  });

  it('is one of 20 of its address, the rest being refused until one ends', async () => {
    const narrow = await d.another({ perAddress: 3 });
    const open = await Promise.all([0, 1, 2].map(() => connect(narrow, login)));
    expect(await refused(connect(narrow, login))).not.toBe('accepted');
    open[0]?.end();
    const again = await until('there is room again', () => connect(narrow, login));
    for (const c of [...open, again]) c.end();
  });

  it('without a login takes no place from who has one: the oldest of the address with most of them goes', async () => {
    const full = await d.another({ connections: 4 });
    const signedIn = await connect(full, login);
    const silent = await Promise.all(
      [0, 1, 2].map(async () => {
        const socket = createConnection(full.port, full.host);
        socket.on('error', () => undefined);
        await new Promise((connected) => socket.once('data', connected));
        return { socket, closed: new Promise<void>((done) => socket.once('close', () => done())) };
      }),
    );
    const rest = [await connect(full, login)];
    await Promise.race(silent.map((s) => s.closed));
    rest.push(await connect(full, login), await connect(full, login));
    await Promise.all(silent.map((s) => s.closed));
    expect(await refused(connect(full, login))).not.toBe('accepted');
    expect(await names(await sftpOf(signedIn), '/cdr')).toEqual(['incoming', 'status']);
    for (const c of [signedIn, ...rest]) c.end();
  });

  it('exchanges no keys again before it has signed in, and none too often after', async () => {
    const stranger = new ssh2.Client();
    stranger.on('error', () => undefined);
    const closed = new Promise<void>((done) => stranger.once('close', () => done()));
    stranger.once('handshake', () => setImmediate(() => protocolOf(stranger).rekey()));
    stranger.connect({ ...d, username: login.username, authHandler: () => undefined });
    await closed;

    const sparing = await d.another({ exchanges: 3 });
    const other = await connect(sparing, login);
    const ended = new Promise<'ended'>((done) => other.once('close', () => done('ended')));
    const again = () => {
      const exchanged = new Promise<'exchanged'>((done) => other.once('handshake', () => done('exchanged')));
      protocolOf(other).rekey();
      return Promise.race([exchanged, ended]);
    };
    expect([await again(), await again()]).toEqual(['exchanged', 'exchanged']);
    void again();
    await ended;
    expect(await refused(connect(sparing, login))).not.toBe('accepted');
    d.t.advance(500);
    (await connect(sparing, login)).end();
  });

  it('ends when its login is revoked: nothing is taken from it any more', async () => {
    const doomed = await d.login(psp);
    const other = await connect(d, doomed);
    const theirs = await sftpOf(other);
    await upload(theirs, '/cdr/incoming/before.part', 'x');
    await revokeSftpLogin(d.t.app.services, system, { psp: psp.uuid }, doomed.id, 'left', d.t.now());
    const gone = new Promise<void>((done) => other.once('close', () => done()));
    const tried = [
      codeOf(upload(theirs, '/cdr/incoming/after.csv', 'x')),
      codeOf(call((done) => theirs.unlink('/cdr/incoming/before.part', done))),
    ];
    expect(await Promise.all(tried)).toEqual([status.PERMISSION_DENIED, status.PERMISSION_DENIED]);
    await gone;
    expect(await refused(connect(d, doomed))).not.toBe('accepted');
    await call((done) => sftp.unlink('/cdr/incoming/before.part', done));
    other.end();
  });

  const revoke = (doomed: Login) =>
    revokeSftpLogin(d.t.app.services, system, { psp: psp.uuid }, doomed.id, 'left', d.t.now());
  const opened = (theirs: SFTPWrapper, path: string) => call<Buffer>((done) => theirs.open(path, 'w', done));
  const written = (theirs: SFTPWrapper, handle: Buffer, at: number) =>
    call((done) => theirs.write(handle, Buffer.from('x'), 0, 1, at, done));

  it('has a file that was on its way when its login was revoked neither finished nor taken', async () => {
    // Never asked by itself: the end of the upload finds out.
    const unasked = await d.another({ recheckMs: 600_000 });
    const doomed = await d.login(psp);
    const other = await connect(unasked, doomed);
    const theirs = await sftpOf(other);
    const handle = await opened(theirs, '/cdr/incoming/on-its-way.csv');
    await written(theirs, handle, 0);
    await revoke(doomed);
    const gone = new Promise<void>((done) => other.once('close', () => done()));
    expect(await codeOf(call((done) => theirs.close(handle, done)))).toBe(status.PERMISSION_DENIED);
    await gone;
    expect(d.files('incoming', psp.uuid)).not.toContain('on-its-way.csv');
  });

  it('is ended by itself when its login is revoked, also while it goes on writing to an open file', async () => {
    const asking = await d.another({ recheckMs: 50 });
    const doomed = await d.login(psp);
    const [busy, idle] = await Promise.all([connect(asking, doomed), connect(asking, doomed)]);
    const theirs = await sftpOf(busy);
    const handle = await opened(theirs, '/cdr/incoming/endless.csv');
    const gone = Promise.all([busy, idle].map((c) => new Promise<void>((done) => c.once('close', () => done()))));
    let over = false;
    void gone.then(() => (over = true));
    await revoke(doomed);
    for (let at = 0; !over; at++) await Promise.race([written(theirs, handle, at).catch(() => undefined), gone]);
    await gone;
    expect(d.files('incoming', psp.uuid)).not.toContain('endless.csv');
  });

  it.each(['the account', 'its PSP'])('is ended, and opens no more, when %s is closed', async (which) => {
    const asking = await d.another({ recheckMs: 50 });
    const house = await d.t.makePsp();
    const account = which === 'its PSP' ? await d.t.makeClient(house) : house;
    const doomed = await d.login(account, house);
    const other = await connect(asking, doomed);
    const theirs = await sftpOf(other);
    await upload(theirs, '/cdr/incoming/in-time.csv', 'x');
    const gone = new Promise<void>((done) => other.once('close', () => done()));
    await setStanding(d.t, house, { operationalStanding: 'CLOSED' });
    await gone;
    expect(await refused(connect(asking, doomed))).not.toBe('accepted');
    expect(d.files('incoming', account.uuid)).toEqual(['in-time.csv']);
  });

  it('is ended where nothing is asked of it', async () => {
    const busy = await d.another({ idleMs: 300 });
    const other = await connect(busy, login);
    await new Promise<void>((closed) => other.once('close', () => closed()));
  });

  it('that sends rubbish instead of SSH harms nobody', async () => {
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', 'SSH-2.0-x\r\n\0\0\0\xff'.repeat(100), '\0'.repeat(100_000)]) {
      const socket = createConnection(d.port, d.host);
      socket.on('error', () => undefined);
      const closed = new Promise((done) => socket.once('close', done));
      socket.end(Buffer.from(bytes, 'latin1'));
      socket.resume();
      await closed;
    }
    expect(await names(sftp, '/cdr/incoming')).toEqual([]);
  });

  it('that reads nothing of what it asked for is given no more than it has room for', async () => {
    const account = await d.t.makePsp('Deaf');
    const deaf = await connect(d, await d.login(account));
    const theirs = await sftpOf(deaf);
    await upload(theirs, '/cdr/incoming/big.csv', Buffer.alloc(2 << 20, 'x'));
    const handle = await call<Buffer>((done) => theirs.open('/cdr/incoming/big.csv', 'r', done));
    const socket = (deaf as unknown as { _sock: import('node:net').Socket })._sock;
    socket.pause();
    const before = process.memoryUsage().arrayBuffers;
    const buffer = Buffer.alloc(64 << 10);
    const reads = Array.from({ length: 1200 }, (_, i) =>
      call((done) => theirs.read(handle, buffer, 0, buffer.length, (i % 32) * buffer.length, done as never)).catch(
        () => undefined,
      ),
    );
    // Another's request is answered meanwhile, so the requests above have been seen.
    for (let i = 0; i < 100; i++) await names(sftp, '/cdr/incoming');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 << 20);
    // Read again, it gets more than what was kept for it.
    socket.resume();
    await Promise.all(reads.slice(0, 100));
    deaf.destroy();
  });
});

describe('requests that are not read on', () => {
  /** A connection that reads nothing from here on, and a way to send what its library would not. */
  async function deafOne(to: { host: string; port: number } = d) {
    const deaf = await connect(to, await d.login(await d.t.makePsp('Deaf')));
    const theirs = await sftpOf(deaf);
    const { socket, channelData } = protocolOf(deaf);
    const { outgoing } = theirs as unknown as { outgoing: { id: number } };
    const closed = new Promise<void>((done) => deaf.once('close', () => done()));
    deaf.on('error', () => undefined);
    return { deaf, theirs, socket, closed, send: (requests: Buffer) => channelData(outgoing.id, requests) };
  }
  const request = (type: number, id: number, ...texts: (string | Buffer)[]) => {
    const body = Buffer.concat([
      Buffer.from([type]),
      uint32(id),
      ...texts.flatMap((t) => [uint32(Buffer.byteLength(t)), Buffer.from(t)]),
    ]);
    return Buffer.concat([uint32(body.length), body]);
  };
  const [opendir, realpath, stat, extended] = [11, 16, 17, 200];
  /** The answers fill what the other side may send: the next ones wait behind them. */
  const fill = (send: (requests: Buffer) => void) => {
    const long = `/${'y'.repeat(4000)}`;
    for (let id = 0; id < 1000; id++) send(request(realpath, id, long));
  };
  const inPieces = (all: Buffer) =>
    Array.from({ length: Math.ceil(all.length / 32_000) }, (_, i) => all.subarray(i * 32_000, (i + 1) * 32_000));
  /** Another's requests are answered meanwhile, so what was sent before has been seen. */
  const seen = async () => {
    for (let i = 0; i < 100; i++) await names(sftp, '/cdr/incoming');
  };

  it.each([
    ['stat', (id: number) => request(stat, id, `/${'x'.repeat(200_000)}`)],
    ['a listing', (id: number) => request(opendir, id, `/${'x'.repeat(200_000)}`)],
  ])('with huge words, for %s, are left in the socket from 8 MiB on', async (_, one) => {
    const { deaf, socket, send } = await deafOne();
    socket.pause();
    fill(send);
    for (let id = 1000; id < 1300; id++) for (const piece of inPieces(one(id))) send(piece);
    await seen();
    // Of 60 MB those that the kernel holds, and 8 MiB.
    expect(socket.writableLength).toBeGreaterThan(30_000_000);
    deaf.destroy();
  });

  it('is ended that asks for what is not there, more often than its answers are read', async () => {
    // More than what may wait for an answer in one piece of its words, so that only answers that it leaves unread end it.
    const few = await d.another({ unanswered: 6_000 });
    const { socket, send, closed } = await deafOne(few);
    socket.pause();
    fill(send);
    const all = Array.from({ length: 12_000 }, (_, id) => request(extended, id, 'x@y'));
    for (const piece of inPieces(Buffer.concat(all))) send(piece);
    await seen();
    socket.resume();
    await closed;
  });
});

const uint32 = (n: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
};

/** What the client's library does for itself. */
function protocolOf(client: Client) {
  const inner = client as unknown as {
    _sock: Socket;
    _protocol: { rekey(): void; channelData(channel: number, data: Buffer): void };
  };
  return {
    socket: inner._sock,
    rekey: () => inner._protocol.rekey(),
    channelData: (channel: number, data: Buffer) => inner._protocol.channelData(channel, data),
  };
}

const parsed = (text: string) => {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) throw key;
  return key;
};
