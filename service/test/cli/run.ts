// Runs the command line: in this process with test surroundings, or in a process of its own as people and scripts do.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assay } from '../../src/adapters/cli/assay.ts';
import type { CommandEnvironment } from '../../src/adapters/cli/surroundings.ts';

const bin = join(import.meta.dirname, '..', '..', 'bin');

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one JSON document on stdout; fails the test when there is more or less. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever a command prints
  readonly json: () => any;
}

/** The environment of a child: nothing of the test run's own but its path. */
export const clean = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  ...env,
});

/** Where a command of a test runs, and what it wrote there. */
export function surroundings(given: Partial<Omit<CommandEnvironment, 'stdout' | 'stderr'>>) {
  const written = { stdout: '', stderr: '' };
  const around: CommandEnvironment = {
    env: {},
    cwd: tmpdir(),
    stdin: () => {
      throw new Error('nothing is piped into it');
    },
    onEnding: () => () => undefined,
    ...given,
    stdout: { write: (text) => void (written.stdout += text) },
    stderr: { write: (text) => void (written.stderr += text) },
  };
  return { around, written };
}

/** A function that runs `assay` in this process, with settings by their environment names. */
export function assayWith(env: Readonly<Record<string, string>>, more: Partial<CommandEnvironment> = {}) {
  return async (...args: string[]): Promise<Ran> => {
    const { around, written } = surroundings({ env, ...more });
    const exitCode = await assay(args, around);
    return { exitCode, ...written, json: () => JSON.parse(written.stdout) };
  };
}

/** A function that runs `assay` as a process of its own, with settings by their environment names. */
export function assayProcessWith(env: Readonly<Record<string, string>>, stdin = '') {
  return (...args: string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const options = { env: clean(env), timeout: 300_000, maxBuffer: 64 << 20 };
      const child = execFile(process.execPath, [join(bin, 'assay.js'), ...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        resolve({
          exitCode: typeof code === 'number' ? code : -1,
          stdout,
          stderr,
          json: () => JSON.parse(stdout),
        });
      });
      child.stdin?.end(stdin);
    });
}

export interface RunningService {
  readonly address: string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the service as a process of its own and waits until it says where it listens. */
export function startService(env: Readonly<Record<string, string>>): Promise<RunningService> {
  const child: ChildProcess = spawn(process.execPath, [join(bin, 'start.js')], {
    // A busy machine takes its time to stop, which is no fault.
    env: clean({ PORT: '0', CDR_SFTP: 'off', LOG_LEVEL: 'error', STOP_LIMIT_MS: '120000', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk;
      const address = /^ {2}API +(\S+)$/m.exec(said)?.[1];
      if (address)
        resolve({
          address,
          stop() {
            child.kill('SIGTERM');
            return ended;
          },
        });
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    ended.then((code) => reject(new Error(`the service ended with ${code}: ${said}`)));
  });
}
