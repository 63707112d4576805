// A file drop of the service under test on a free port, logins for it, and a client that connects over a real socket.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import { makeSftp, type SftpOptions, type SftpServer } from '../../../src/adapters/sftp/server.ts';
import { system } from '../../../src/modules/kernel/principal.ts';
import { createSftpLogin } from '../../../src/modules/telecom/sftp-credentials.ts';
import { type Account, makeTestApp, type TestApp } from '../../support/app.ts';

export { ed25519Pair } from '../../support/ssh-keys.ts';

export interface Login {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly account: string;
}

export interface TestDrop {
  readonly t: TestApp;
  readonly host: string;
  readonly port: number;
  readonly sftp: SftpServer;
  /** The folder of all drops. */
  readonly root: string;
  /** Starts another SFTP server for the same service. */
  another(options: SftpOptions): Promise<{ host: string; port: number; stop(): Promise<void> }>;
  login(account: Account, psp?: Account, publicKey?: string): Promise<Login>;
  /** Names of files in an account's folder on the disk. */
  files(folder: 'incoming' | 'status' | 'staging', account: string): string[];
  sha256(account: string, name: string): string;
  stop(): Promise<void>;
}

const addressOf = (text: string) => {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at), port: Number(text.slice(at + 1)) };
};

export async function makeTestDrop(options: SftpOptions = {}): Promise<TestDrop> {
  const t = await makeTestApp({ env: { CDR_SFTP: 'off', SFTP_PORT: '0' } });
  const sftp = makeSftp(t.app.services, options);
  const { host, port } = addressOf(await sftp.listen());
  const root = join(t.app.services.settings.dataDir, 'cdr');
  const others: SftpServer[] = [];
  return {
    t,
    host,
    port,
    sftp,
    root,
    async another(more) {
      const made = makeSftp(t.app.services, more);
      others.push(made);
      return { ...addressOf(await made.listen()), stop: () => made.stop() };
    },
    async login(account, psp = account, publicKey) {
      const { login, password } = await createSftpLogin(
        t.app.services,
        system,
        { psp: psp.uuid, account: account.uuid },
        { name: 'test', publicKey, password: true },
        t.now(),
      );
      return { id: login.id, username: login.username, password: password as string, account: account.uuid };
    },
    files(folder, account) {
      return readdirSync(join(root, folder, account), { recursive: true, withFileTypes: true })
        .filter((e) => !e.isDirectory())
        .map((e) => e.name)
        .sort();
    },
    sha256: (account, name) =>
      createHash('sha256')
        .update(readFileSync(join(root, 'incoming', account, name)))
        .digest('hex'),
    async stop() {
      await Promise.all(others.map((o) => o.stop()));
      await sftp.stop();
      await t.stop();
    },
  };
}

/** Signs in, or rejects with the server's error. */
export function connect(at: { host: string; port: number }, how: Partial<Login> & ConnectConfig): Promise<Client> {
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client();
    client.on('ready', () => {
      // Otherwise each small request waits for the acknowledgement of the previous one.
      client.setNoDelay(true);
      resolve(client);
    });
    client.on('error', reject);
    client.on('close', () => reject(new Error('the connection was closed')));
    const { account: _account, id: _id, ...config } = how;
    client.connect({ ...at, readyTimeout: 60_000, keepaliveInterval: 0, ...config });
  });
}

export const sftpOf = (client: Client): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => client.sftp((e, sftp) => (e ? reject(e) : resolve(sftp))));

/** One call of the client, as a promise. */
export const call = <T = void>(run: (done: (error: Error | null | undefined, value?: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value as T))));

export const upload = (sftp: SFTPWrapper, path: string, content: string | Buffer): Promise<void> =>
  call((done) => sftp.writeFile(path, content as Buffer, (e) => done(e)));

export const names = async (sftp: SFTPWrapper, path: string): Promise<string[]> =>
  (await call<{ filename: string }[]>((done) => sftp.readdir(path, done as never))).map((e) => e.filename).sort();

/** The protocol's error code; 0 for success. */
export const codeOf = (attempt: Promise<unknown>): Promise<number> =>
  attempt.then(
    () => 0,
    (e: { code?: number }) => {
      if (typeof e.code !== 'number') throw e;
      return e.code;
    },
  );

export const status = ssh2.utils.sftp.STATUS_CODE;
