// A primary and its standby as in docs/how-to/high-availability.md: two database servers of a test, over TCP on
// loopback, which may be killed, promoted and made standby again.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from '../../../src/platform/database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import {
  type Binaries,
  binaries,
  type Identity,
  identify,
  own,
  reachable,
} from '../../../src/platform/postgres-programs.ts';
import type { TestDatabase } from '../../support/database.ts';
import { freePorts } from '../../support/free-ports.ts';
import { until } from './conditions.ts';
import { childrenOf, kill, postmaster, runs } from './postgres-process.ts';
import type { Stage } from './service-process.ts';

const run = promisify(execFile);
const log = makeLog('silent');
const password = 'of-this-test-only';

type Conf = Readonly<Record<string, string>>;

/** Settings of both servers; all others have PostgreSQL's defaults. */
const common: Conf = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  max_connections: '100',
  wal_keep_size: '512MB',
  wal_retrieve_retry_interval: '200ms',
  jit: 'off',
  timezone: 'UTC',
};

export class DatabaseServer {
  readonly folder: string;
  readonly port: number;
  readonly #data: string;
  readonly #programs: Binaries;
  readonly #as: Identity;

  constructor(folder: string, port: number, programs: Binaries, as: Identity) {
    this.folder = folder;
    this.port = port;
    this.#programs = programs;
    this.#as = as;
    mkdirSync(join(folder, 'postgres'), { mode: 0o700, recursive: true });
    this.#data = realpathSync(join(folder, 'postgres'));
    own(this.#data, as);
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** A pool of superuser connections to this server only; the caller ends it. */
  pool(database = 'assay', by = password): Pool {
    return new Pool(`postgres://postgres:${by}@${this.host}/${database}`, { max: 2, log });
  }

  async create(): Promise<void> {
    const secret = join(this.folder, 'password');
    writeFileSync(secret, password, { mode: 0o600 });
    own(secret, this.#as);
    const options = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '--locale=C', '-N'];
    await this.#call(this.#programs.initdb, ['-D', this.#data, ...options]);
  }

  /** Replaces the previous configuration. */
  configure(settings: Conf): void {
    const lines = Object.entries({ ...common, port: String(this.port), ...settings });
    writeFileSync(
      join(this.#data, 'postgresql.auto.conf'),
      lines.map(([k, v]) => `${k} = '${v.replaceAll("'", "''")}'\n`).join(''),
    );
  }

  /** Copies a stopped server, and follows it once both run. */
  async follow(primary: DatabaseServer): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true });
    await run('cp', ['-a', primary.#data, this.#data]);
    rmSync(join(this.#data, 'postmaster.pid'), { force: true });
    writeFileSync(join(this.#data, 'standby.signal'), '');
    own(join(this.#data, 'standby.signal'), this.#as);
    this.configure({
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres password=${password} application_name=standby`,
    });
  }

  async start(): Promise<void> {
    // A killed server may need a moment: until then its child processes use the shared memory.
    await until('the database server starts', async () => {
      await this.#call(this.#programs.pgCtl, ['start', '-w', '-s', '-l', join(this.#data, 'server.log')]);
      return true;
    });
  }

  stop(): Promise<void> {
    return this.#call(this.#programs.pgCtl, ['stop', '-w', '-s', '-m', 'fast']);
  }

  promote(): Promise<void> {
    return this.#call(this.#programs.pgCtl, ['promote', '-w', '-s']);
  }

  processes(): number[] {
    const main = postmaster(this.folder);
    if (main === undefined) throw new Error(`no database server runs on ${this.host}`);
    return [main, ...childrenOf(main)];
  }

  /** kill -9 of every process. */
  async kill(): Promise<void> {
    const all = this.processes();
    kill(all);
    await until('the database server is dead', () => !all.some(runs));
  }

  async #call(program: string, args: string[]): Promise<void> {
    await run(program, args, {
      ...this.#as,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', PGDATA: this.#data },
      timeout: 120_000,
    });
  }
}

export interface Cluster {
  /** The server that accepts writes. */
  primary: DatabaseServer;
  standby: DatabaseServer;
  /** The value of DATABASE_URL, with the servers in the order in which they were created. */
  readonly database: TestDatabase;
}

/** Whether every commit on the primary waits for the standby, or the standby follows later. */
export type Replication = 'synchronous' | 'asynchronous';

/**
 * The primary with a database; the other server is made its standby by joinStandby, once the database is filled.
 */
export async function makeCluster(stage: Stage): Promise<Cluster> {
  const programs = await binaries();
  const [one, two] = (await freePorts(2)).map((port) => makeServer(stage, port, programs)) as [
    DatabaseServer,
    DatabaseServer,
  ];
  await (stage.fill(one.folder) ? startMade(one) : startEmpty(one));
  const hosts = `${one.host},${two.host}/assay?target_session_attrs=read-write`;
  const looking = new Pool(`postgres://postgres:${password}@${hosts}`, { max: 2, log });
  return {
    primary: one,
    standby: two,
    database: {
      url: `postgres://assay_owner:${password}@${hosts}`,
      admin: looking,
      drop: () => looking.end(),
    },
  };
}

const owner = `CREATE ROLE assay_owner LOGIN CREATEROLE PASSWORD '${password}'`;

/** On a copy of a migrated folder, which saves initdb and all migrations: the owner is a member of the role that has made them. */
async function startMade(server: DatabaseServer): Promise<void> {
  const { adminPassword } = JSON.parse(readFileSync(join(server.folder, 'secrets', 'postgres.json'), 'utf8'));
  server.configure({});
  await server.start();
  const admin = server.pool('postgres', adminPassword);
  await admin.query(`${owner} IN ROLE postgres, assay_app`);
  await admin.query(`ALTER ROLE postgres PASSWORD '${password}'`);
  await admin.end();
}

async function startEmpty(server: DatabaseServer): Promise<void> {
  await server.create();
  server.configure({});
  await server.start();
  const admin = server.pool('postgres');
  await admin.query(owner);
  await admin.query('CREATE DATABASE assay OWNER assay_owner');
  await admin.end();
}

/** Creates the standby from the primary, which is stopped meanwhile, and waits until it follows. */
export async function joinStandby(c: Cluster, how: Replication): Promise<void> {
  await c.primary.stop();
  await c.standby.follow(c.primary);
  c.primary.configure(how === 'synchronous' ? { synchronous_standby_names: 'standby', synchronous_commit: 'on' } : {});
  await Promise.all([c.primary.start(), c.standby.start()]);
  await followed(c, how);
}

export async function followed(c: Cluster, how: Replication): Promise<void> {
  const admin = c.primary.pool();
  try {
    await until('the standby follows', async () => {
      const rows = await admin.query('SELECT sync_state FROM pg_stat_replication WHERE state = $1', ['streaming']);
      return rows[0]?.sync_state === (how === 'synchronous' ? 'sync' : 'async');
    });
  } finally {
    await admin.end();
  }
}

function makeServer(stage: Stage, port: number, programs: Binaries): DatabaseServer {
  const folder = stage.folder();
  const as = identify(folder, log);
  return new DatabaseServer(folder, port, reachable(programs, as), as);
}
