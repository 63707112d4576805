// Service processes of a test, started as by an operator, and their folders. Kills only processes that were started
// here, by pid, and leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { settingRows } from '../../../src/setting-rows.ts';
import { makeFolder } from '../../support/folder.ts';
import { fillFolder } from '../../support/made-folder.ts';
import { until } from './conditions.ts';
import { endServer } from './postgres-process.ts';

const start = join(import.meta.dirname, '..', '..', '..', 'bin', 'start.js');

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServiceProcess {
  readonly pid: number;
  readonly address: string;
  /** Key of the demo PSP, which the very first start prints some lines below its address. */
  demoKey(): Promise<string>;
  /** Everything that the process has written so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  readonly exited: Promise<Exit>;
}

export interface Spawned {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  /** Everything that the process has written so far. */
  output(): string;
}

/**
 * Settings that differ from the defaults; a test's own settings override them. One process, so that a test knows which one
 * it kills, and as long to stop as a busy machine takes.
 */
const unlikeShipped = { PORT: '0', CDR_SFTP: 'off', LOG_LEVEL: 'warn', ROLE: 'all', STOP_LIMIT_MS: '120000' };

/** For services whose callers are all to be answered: a busy machine makes them wait longer than a service by itself lets them. */
export const patient = { QUEUE_AGE_MS: '60000', DATABASE_WAIT_MS: '120000' };

/** All settings with which this process has started services, and their values. */
export const settingsUsed = new Map<string, Set<string>>();

function noteSettings(env: Readonly<Record<string, string>>): void {
  for (const { name, default: shipped } of settingRows) {
    const value = env[name] ?? '';
    if (value === '' || value === shipped) continue;
    const values = settingsUsed.get(name);
    if (values) values.add(value);
    else settingsUsed.set(name, new Set([value]));
  }
}

/** Everything that a test file starts; `end` in afterAll stops it. */
export class Stage {
  readonly #children = new Set<ChildProcess>();
  readonly #folders: string[] = [];
  readonly #later: (() => Promise<unknown>)[] = [];
  readonly #made: string;

  /** @param made a data folder to copy, if the run has one */
  constructor(made = '') {
    this.#made = made;
  }

  folder(): string {
    const dir = makeFolder('assay-dur-');
    this.#folders.push(dir);
    return dir;
  }

  /** A data folder for a service with a server of its own, whose first start need not be a test's. */
  async madeFolder(): Promise<string> {
    const dir = this.folder();
    this.fill(dir);
    return dir;
  }

  /** Copies a migrated data folder into an empty one. @returns false if the run has none */
  fill(dir: string): boolean {
    fillFolder(this.#made, dir);
    return this.#made !== '';
  }

  /** Registers work to run before the folders are removed, the last one first. */
  defer(work: () => Promise<unknown>): void {
    this.#later.push(work);
  }

  /** Starts a process, which may end before it answers. */
  spawn(env: Readonly<Record<string, string>>, script = start): Spawned {
    let text = '';
    // Passes on only the variables needed to run programs, so that no setting of this environment applies.
    const { PATH = '', HOME = '', TMPDIR } = process.env;
    const settings = { ...unlikeShipped, ...env };
    noteSettings(settings);
    const child = spawn(process.execPath, [script], {
      env: { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.stdout?.on('data', (b) => (text += b));
    child.stderr?.on('data', (b) => (text += b));
    const exited = new Promise<Exit>((resolve) => {
      child.once('exit', (code, signal) => {
        this.#children.delete(child);
        resolve({ code, signal });
      });
    });
    return { child, exited, output: () => text };
  }

  /** Starts a service and waits until it answers. */
  service(env: Readonly<Record<string, string>>, script = start): Promise<ServiceProcess> {
    return this.ready(this.spawn(env, script));
  }

  /** Waits until a service that was started answers. */
  async ready({ child, exited, output }: Spawned): Promise<ServiceProcess> {
    let gone: Exit | undefined;
    exited.then((e) => (gone = e));
    const printed = () => (gone ? 'gone' : /API\s+(http:\/\/\S+)\n/.exec(output())?.[1]);
    const address = await until('the service prints its address', printed, 240_000).catch((e: Error) => {
      throw new Error(`${e.message}\n${output()}`, { cause: e });
    });
    if (address === 'gone') throw new Error(`the service ended: ${JSON.stringify(gone)}\n${output()}`);
    return {
      pid: child.pid as number,
      address,
      demoKey: () => until('the service prints the demo key', () => /^ {2}(asy_\S+)\n/m.exec(output())?.[1]),
      output,
      signal: (name) => void child.kill(name),
      exited,
    };
  }

  /** Prints figures of a run if DURABILITY_REPORT=1. */
  report(...what: unknown[]): void {
    if (process.env.DURABILITY_REPORT)
      process.stderr.write(`${what.map((w) => (typeof w === 'string' ? w : JSON.stringify(w))).join(' ')}\n`);
  }

  async end(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = async (work: () => unknown) => {
      try {
        await work();
      } catch (e) {
        failures.push(e);
      }
    };
    const left = [...this.#children];
    for (const child of left) child.kill('SIGKILL');
    await attempt(() => until('killed processes are gone', () => this.#children.size === 0));
    for (const work of this.#later.reverse()) await attempt(work);
    for (const dir of this.#folders) {
      await attempt(() => endServer(dir));
      await attempt(() => rmSync(dir, { recursive: true, force: true }));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be taken down');
  }
}
