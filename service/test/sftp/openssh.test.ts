// The file drop with OpenSSH's own sftp, by key and with a known host key. Where it is not installed, the library's
// client does the same, and the result says which was used.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSftp } from '../../src/adapters/sftp/server.ts';
import { type Account, makeTestApp } from '../support/app.ts';
import { call, connect, ed25519Pair, makeTestDrop, names, sftpOf, type TestDrop, upload } from './support/drop.ts';

const programAt = (name: string) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
const [installed, scp] = [programAt('sftp'), programAt('scp')];

let d: TestDrop;
let psp: Account;
let folder: string;

beforeAll(async () => {
  d = await makeTestDrop();
  psp = await d.t.makePsp();
  folder = mkdtempSync(join(tmpdir(), 'assay-sftp-'));
});
afterAll(async () => {
  await d.stop();
  rmSync(folder, { recursive: true, force: true });
});

const secret = (name: string) => join(d.t.app.services.settings.dataDir, 'secrets', name);
const publicLine = (file: string) => {
  const key = ssh2.utils.parseKey(readFileSync(file));
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString('base64')}`;
};

/** Arguments that sign OpenSSH's programs in by a key, the host's key known. */
function signedIn(username: string, privateKey: string, hostKey: 'ed25519' | 'rsa'): string[] {
  const [identity, known] = [join(folder, `id_${username}`), join(folder, 'known_hosts')];
  writeFileSync(identity, privateKey, { mode: 0o600 });
  writeFileSync(known, `[${d.host}]:${d.port} ${publicLine(secret(`sftp_host_${hostKey}_key`))}\n`);
  const options = ['StrictHostKeyChecking=yes', `UserKnownHostsFile=${known}`, 'IdentitiesOnly=yes', 'BatchMode=yes'];
  return ['-F', '/dev/null', '-i', identity, '-P', String(d.port), ...options.flatMap((o) => ['-o', o])];
}

/** Puts a file, by the program or the library, and says by which. */
async function put(type: 'ed25519' | 'rsa', local: string, remote: string): Promise<{ by: string; listed: string }> {
  const pair = type === 'rsa' ? ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }) : ed25519Pair();
  const { username } = await d.login(psp, psp, pair.public);
  if (installed === undefined) {
    const client = await connect(d, { username, privateKey: pair.private });
    const sftp = await sftpOf(client);
    await call((done) => sftp.fastPut(local, remote, done));
    const listed = (await names(sftp, '/cdr/incoming')).join('\n');
    client.end();
    return { by: 'ssh2', listed };
  }
  const args = signedIn(username, pair.private, type);
  const listed = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      installed,
      [...args, '-b', '-', `${username}@${d.host}`],
      { timeout: 300_000 },
      (error, out, err) => (error ? reject(new Error(`${error.message}\n${out}\n${err}`)) : resolve(out)),
    );
    child.stdin?.end(
      `cd /cdr/incoming\nput -p ${local} ${remote}\nls -l\n-put ${local} /etc/evil.csv\n-mkdir x\n-symlink ${remote} y.csv\nbye\n`,
    );
  });
  return { by: 'OpenSSH', listed };
}

// Spec 4.15
describe('an operator with OpenSSH', () => {
  it.each(['ed25519', 'rsa'] as const)('puts a file with a key of type %s and sees it', async (type) => {
    const local = join(folder, `${type}.csv`);
    const content = Buffer.from(`cdr_id,caller_number\n${'1,2\n'.repeat(400_000)}`);
    writeFileSync(local, content);
    const { by, listed } = await put(type, local, `/cdr/incoming/by-${type}.csv`);
    expect(by).toBe(installed === undefined ? 'ssh2' : 'OpenSSH');
    expect(listed).toContain(`by-${type}.csv`);
    expect(readFileSync(join(d.root, 'incoming', psp.uuid, `by-${type}.csv`)).equals(content)).toBe(true);
    expect(d.files('incoming', psp.uuid).every((n) => n.startsWith('by-'))).toBe(true);
  });
});

// scp of OpenSSH 9 speaks SFTP.
describe("an operator with OpenSSH's scp", () => {
  it.each([
    ['into the folder', [], '/cdr/incoming/'],
    ['under a name, with its times', ['-p'], '/cdr/incoming/named.csv'],
    ['under a path from where it begins', [], 'cdr/incoming/relative.csv'],
  ])('copies a file %s, and scp says that it did', async (_how, flags, to) => {
    const pair = ed25519Pair();
    const account = await d.t.makePsp('Copies');
    const { username } = await d.login(account, account, pair.public);
    const local = join(folder, 'calls.csv');
    writeFileSync(local, `cdr_id,caller_number\n${'1,2\n'.repeat(100_000)}`);
    if (scp !== undefined) {
      const target = `${username}@${d.host}:${to}`;
      const said = await new Promise<string>((resolve) => {
        execFile(
          scp,
          ['-v', '-s', ...flags, ...signedIn(username, pair.private, 'ed25519'), local, target],
          { timeout: 300_000 },
          (error, _out, err) => resolve(error ? `exit ${error.code}: ${err}` : ''),
        );
      });
      expect(said).toBe('');
    } else {
      const client = await connect(d, { username, privateKey: pair.private });
      const sftp = await sftpOf(client);
      await call((done) => sftp.fastPut(local, to.endsWith('/') ? `${to}calls.csv` : to, done));
      client.end();
    }
    const [name, ...others] = d.files('incoming', account.uuid);
    expect(others).toEqual([]);
    expect(readFileSync(join(d.root, 'incoming', account.uuid, name as string)).equals(readFileSync(local))).toBe(true);
  });
});

describe('the SFTP server', () => {
  it('keeps its host keys, readable by its own user alone, and shows the same ones at the next start', async () => {
    const hostKey = async (at: { host: string; port: number }) => {
      const { username, password } = await d.login(psp);
      let seen = '';
      const client = await connect(at, {
        username,
        password,
        hostVerifier: (key: Buffer) => {
          seen = key.toString('base64');
          return true;
        },
      });
      client.end();
      return seen;
    };
    const again = await d.another({});
    expect(await hostKey(again)).toBe(await hostKey(d));
    for (const name of ['sftp_host_ed25519_key', 'sftp_host_rsa_key'])
      expect(statSync(secret(name)).mode & 0o077).toBe(0);
    expect(await hostKey(d)).toBe(publicLine(secret('sftp_host_ed25519_key')).split(' ')[1]);
  });

  it('starts with the service, and says what to set when its port is taken', async () => {
    const t = await makeTestApp({ env: { CDR_SFTP: 'embedded', SFTP_PORT: '0' } });
    const [host, port] = (t.app.sftpAddress() as string).split(':') as [string, string];
    const { services } = t.app;
    const second = makeSftp({
      ...services,
      settings: { ...services.settings, sftpPort: Number(port), sftpHost: host },
    });
    const message = await second.listen().catch((e: Error) => e.message);
    await second.stop();
    expect(message).toContain('set SFTP_PORT or SFTP_HOST, or CDR_SFTP=off');
    await t.stop();
  });

  it('finishes what was closed when it stops, and nothing else', async () => {
    const stopping = await d.another({});
    const account = await d.t.makePsp('Late');
    const client = await connect(stopping, await d.login(account));
    client.on('error', () => undefined);
    const sftp = await sftpOf(client);
    await upload(sftp, '/cdr/incoming/whole.csv', 'whole');
    const handle = await call<Buffer>((done) => sftp.open('/cdr/incoming/half.csv', 'w', done));
    await call((done) => sftp.write(handle, Buffer.from('half'), 0, 4, 0, done));
    await stopping.stop();
    expect(d.files('incoming', account.uuid)).toEqual(['whole.csv']);
    expect(d.files('staging', account.uuid)).toEqual([]);
  });
});
