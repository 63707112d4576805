// A PostgreSQL server under the data directory. pg_ctl starts it as a daemon, so that it outlives a killed service and
// the next start takes it over. It refuses to run as root, so then it runs as a system user. fsync stays on.
import { type ExecFileOptions, execFile } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { makeInDataDir } from './data-dir.ts';
import { every } from './every.ts';
import { endLeft, leftBackends } from './left-backends.ts';
import type { Log } from './log.ts';
import { binaries, chooseAddress, identify, own, reachable } from './postgres-programs.ts';
import { inTurn, isAlive, leaveFile, look, ownMark, readFile, readPid, stillRuns } from './process-turns.ts';
import { randomSecret } from './random.ts';

const run = promisify(execFile);

export interface EmbeddedPostgres {
  /** Connection as owner: for migrations and partitions only. */
  readonly adminUrl: string;
  /** Connection as the service's own, restricted role. */
  readonly appUrl: string;
  readonly appPassword: string;
  /**
   * Leaves the server; the last process to leave stops it.
   * @param mode `immediate` where its database is thrown away: on a full disk it cannot shut down properly
   */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
}

/** How to connect to the server; stored in secrets/postgres.json. */
interface Access {
  readonly adminPassword: string;
  readonly appPassword: string;
  readonly host: string;
  readonly port: number;
  /** The data folder that the address is of; absent from folders of version 0.1. */
  readonly folder?: string;
}

const settings: Readonly<Record<string, string>> = {
  shared_buffers: '256MB',
  max_connections: '200',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  huge_pages: 'off',
  password_encryption: 'scram-sha-256',
  log_min_messages: 'warning',
  log_line_prefix: '%m_[%p]_',
  timezone: 'UTC',
};

/**
 * Starts the server under `dataDir`, or joins the one already running there.
 * @param ended gives the start up. A server that is being started is waited for, so that the caller can stop it
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: Log,
  ended?: AbortSignal | undefined,
): Promise<EmbeddedPostgres> {
  const secrets = makeInDataDir(dataDir, 'secrets');
  const identity = identify(dataDir, log);
  mkdirSync(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 });
  // The server needs the real path of its files: it may not be able to follow a link in a closed folder.
  const pgData = realpathSync(join(dataDir, 'postgres'));
  const folder = realpathSync(dataDir);
  const bin = reachable(await binaries(), identity);
  const users = join(secrets, 'processes');
  const accessFile = join(secrets, 'postgres.json');

  const call = (command: string, args: string[], options: ExecFileOptions = {}) => {
    return run(command, args, { ...identity, cwd: pgData, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...options });
  };

  // A folder with one file for each process that uses the server: services and commands. The last one stops it.
  mkdirSync(users, { recursive: true, mode: 0o700 });
  const others = () => usersIn(users).filter((pid) => pid !== process.pid);

  const address = async () => ({ ...(await chooseAddress(dataDir, identity)), folder });

  const create = async () => {
    if (existsSync(join(pgData, 'PG_VERSION'))) {
      if (existsSync(accessFile)) return;
      throw new Error(`${pgData} holds a database, but ${accessFile} is missing; restore it`);
    }
    // Created in a temporary folder and moved into place when complete, PG_VERSION last: an interrupted start leaves a
    // part that was never used, in which its initdb may still be running.
    own(pgData, identity);
    for (const f of readdirSync(pgData)) rmSync(join(pgData, f), { recursive: true, force: true, maxRetries: 10 });
    const half = join(pgData, `half-${randomSecret(6).toString('hex')}`);
    mkdirSync(half, { mode: 0o700 });
    own(half, identity);
    const adminPassword = randomSecret(24).toString('hex');
    const pwFile = join(tmpdir(), `assay-${randomSecret(6).toString('hex')}`);
    writeFileSync(pwFile, adminPassword, { mode: 0o600 });
    own(pwFile, identity);
    const options = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${pwFile}`, '-E', 'UTF8', '--locale=C'];
    const creating = call(bin.initdb, ['-D', half, ...options, '--data-checksums'], ended ? { signal: ended } : {});
    await creating.finally(() => rmSync(pwFile));
    writeAccess(accessFile, {
      adminPassword,
      appPassword: randomSecret(24).toString('hex'),
      ...(await address()),
    });
    const made = readdirSync(half).sort((a, b) => Number(a === 'PG_VERSION') - Number(b === 'PG_VERSION'));
    for (const f of made) renameSync(join(half, f), join(pgData, f));
    rmSync(half, { recursive: true, force: true });
    log.info('database created');
  };

  /** The address in a folder that was copied or moved is of the folder that it was made in, where another server may be. */
  const ownAddress = async (): Promise<Access> => {
    const known = readAccess(accessFile);
    if (serverPid(pgData) !== undefined || !isElsewhere(known, folder)) return known;
    const access = { ...known, ...(await address()) };
    writeAccess(accessFile, access);
    return access;
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
    const serverLog = join(pgData, 'server.log');
    const before = statSync(serverLog, { throwIfNoEntry: false })?.size ?? 0;
    const crashed = existsSync(join(pgData, 'postmaster.pid'));
    // After a crash its child processes may need a moment to exit; pg_ctl reports this and is called again. Hanging
    // ones never exit: those that remain are killed.
    let left: number[] = [];
    for (let attempt = 1; ; attempt++) {
      try {
        await call(bin.pgCtl, ['start', '-D', pgData, '-w', '-t', '60', '-s', '-l', serverLog, '-o', options], {
          timeout: 90_000,
        });
        return;
      } catch (e) {
        if (await answers(pgData)) return;
        clearStaleLock(pgData, join(access.host, `.s.PGSQL.${access.port}.lock`));
        if (!crashed || attempt >= 40) {
          throw new Error(`PostgreSQL did not start; see ${serverLog}`, { cause: await causeIn(serverLog, before, e) });
        }
        if (attempt === 3) left = leftBackends(pgData);
        if (attempt >= 8) endLeft(pgData, left, log);
        await new Promise((r) => setTimeout(r, 500));
      }
    }
  };

  // Processes that start and stop at once take turns: none starts on an incomplete folder, none is left with a server
  // that another is stopping.
  const turn = join(secrets, 'turn');
  const access = await inTurn(turn, async () => {
    ended?.throwIfAborted();
    leaveFile(join(users, String(process.pid)), ownMark(), 'w');
    await create();
    expectWhole(pgData);
    const known = await ownAddress();
    ended?.throwIfAborted();
    await start(known);
    return known;
  });

  // The processes using the server restart it when it dies; PostgreSQL recovers everything acknowledged.
  let stopping = false;
  const watch = every(
    250,
    async () => {
      if (stopping || serverPid(pgData) !== undefined) return;
      log.warn('the database server is gone; starting it again');
      await start(access);
      log.info('the database server is back');
    },
    (e) => log.error({ error: String(e) }, 'the database server could not be started'),
  );

  const url = (user: string, password: string) =>
    access.host.startsWith('/')
      ? `postgres://${user}:${password}@/assay?host=${encodeURIComponent(access.host)}&port=${access.port}`
      : `postgres://${user}:${password}@${access.host}:${access.port}/assay`;
  return {
    adminUrl: url('postgres', access.adminPassword),
    appUrl: url('assay_app', access.appPassword),
    appPassword: access.appPassword,
    async stop(mode = 'fast') {
      stopping = true;
      await watch.stop();
      await inTurn(turn, async () => {
        rmSync(join(users, String(process.pid)), { force: true });
        if (others().length > 0) return;
        await call(bin.pgCtl, ['stop', '-D', pgData, '-m', mode, '-w', '-t', '60', '-s']).catch((e) => {
          if (serverPid(pgData) !== undefined) throw e;
        });
      });
    },
  };
}

/** Processes that use the server, by the files they left in this folder; one that was killed left its file behind. */
export const usersIn = (folder: string): number[] =>
  readdirSync(folder)
    .map(Number)
    .filter((pid) => stillRuns(pid, readFile(join(folder, String(pid))) ?? ''));

/** @throws Error if it is not what `writeAccess` wrote */
function readAccess(file: string): Access {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Access;
  } catch (cause) {
    throw new Error(`${file} cannot be read; bring it back from a copy of the folder`, { cause });
  }
}

function writeAccess(file: string, access: Access): void {
  // Written completely or not at all: without it the database cannot be opened.
  const half = `${file}.half`;
  writeFileSync(half, `${JSON.stringify(access)}\n`, { mode: 0o600, flush: true });
  renameSync(half, file);
}

/** Why the server did not start: what it wrote last since then, that it had no room to write it, or what pg_ctl says. */
async function causeIn(serverLog: string, from: number, said: unknown): Promise<unknown> {
  const written = existsSync(serverLog) ? await text(createReadStream(serverLog, { start: from })) : '';
  const last = [...written.matchAll(/(?:FATAL|PANIC): +(?!the database system is)(.+)/g)].at(-1)?.[1];
  if (last !== undefined) return new Error(last);
  return statfsSync(dirname(serverLog)).bavail === 0 ? new Error('the disk of the database is full') : said;
}

/** Folders of version 0.1 do not say whose address it is; only a socket in the folder itself shows it. */
const isElsewhere = ({ host, folder }: Access, here: string): boolean =>
  folder === undefined ? basename(host) === 'run' && dirname(host) !== here : folder !== here;

/**
 * A copy of a folder whose server runs names that server: what took it for the copy's own would write into the original.
 * @throws if the folder is such a copy
 */
function expectWhole(pgData: string): void {
  const file = join(pgData, 'postmaster.pid');
  const of = readFile(file)?.split('\n')[1]?.trim();
  if (of === undefined || of === pgData || serverPid(pgData) === undefined) return;
  throw new Error(
    `${pgData} was copied from ${of} while its database ran, and files copied so are no whole database. Stop the service there and copy the folder again, or make a backup and restore it here. If it is a snapshot of one moment, remove ${file}`,
  );
}

/** The first line of postmaster.pid, if it names a running server. */
function serverPid(pgData: string): number | undefined {
  const pid = readPid(join(pgData, 'postmaster.pid'));
  return pid !== undefined && isServer(pid) ? pid : undefined;
}

/** Waits for a server to start or stop: true once it accepts connections, false if there is none. */
async function answers(pgData: string): Promise<boolean> {
  for (let waited = 0; serverPid(pgData) !== undefined; waited++) {
    // The file's last line is the server's state; one that recovers for minutes is still starting.
    if (readFile(join(pgData, 'postmaster.pid'))?.split('\n')[7]?.trim() === 'ready') return true;
    if (waited > 3000) throw new Error('PostgreSQL runs but takes no connections');
    await new Promise((r) => setTimeout(r, 100));
  }
  return false;
}

/**
 * After a crash the old server's process id may belong to another process, or to a zombie that nobody collects (if the
 * service is the first process of a container): PostgreSQL then assumes that it runs and does not start. The locks are
 * removed once nothing uses the old server's shared memory any more, which PostgreSQL itself also checks.
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

/** Whether a running process is a database server; a zombie is not. */
function isServer(pid: number): boolean {
  if (!isAlive(pid)) return false;
  const seen = look(pid);
  return seen === undefined ? !existsSync('/proc/self/stat') : seen.name === 'postgres' && seen.runs;
}
