// The surroundings of a command: settings, folder, streams, and the signals that end it. They are passed in, so that a
// command can run in any process and change nothing there; only main.ts uses its own process.
import { accessSync, constants, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { readSettings, type Settings } from '../../settings.ts';

export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that paths are relative to. */
  readonly cwd: string;
  /** Reads all of the standard input; called only by commands that need it. */
  readonly stdin: () => string;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Registers a function to call when a signal ends the command. @returns a function that removes it */
  readonly onEnding: (call: () => void) => () => void;
}

/** A signal ended the command. */
export class Interrupted extends Error {}

/** The arguments or options are wrong as typed. */
export class UsageError extends Error {}

/** Reads the settings; the service may run elsewhere. @throws UsageError */
export function settingsAnywhere(around: CommandEnvironment, own: Readonly<Record<string, string>> = {}): Settings {
  const settings = readSettings({ ...around.env, ...own });
  if (settings.remote) checkRemote(settings.remote);
  return { ...settings, dataDir: resolve(around.cwd, settings.dataDir) };
}

/** Reads the settings of a service on this machine. @param own overrides some @throws UsageError */
export function settingsIn(around: CommandEnvironment, own: Readonly<Record<string, string>> = {}): Settings {
  const settings = settingsAnywhere(around, own);
  if (settings.remote)
    throw new UsageError('ASSAY_URL names a service elsewhere, and this is about the one on this machine; unset it');
  return settings;
}

/** A key is sent only over TLS or within this machine. */
function checkRemote({ url, apiKey }: { readonly url: string; readonly apiKey: string }): void {
  const { protocol, hostname } = URL.parse(url) ?? {};
  const here = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname ?? '');
  if (protocol !== 'https:' && !(protocol === 'http:' && here))
    throw new UsageError('ASSAY_URL must be an https:// address, or an http:// address of this machine');
  if (apiKey === '') throw new UsageError("ASSAY_URL needs ASSAY_API_KEY, an operator's key");
}

/** Runs `work` with a signal that is aborted when the command is interrupted. */
export async function endable<T>(around: CommandEnvironment, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const forget = around.onEnding(() => ended.abort(new Error('interrupted')));
  try {
    return await work(ended.signal);
  } finally {
    forget();
  }
}

/** Rejects when the command is interrupted. @throws Interrupted */
export const endedBy = (ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => ended.addEventListener('abort', () => reject(new Interrupted()), { once: true }));

/** The login name of the person at the keyboard. */
export function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Resolves when the command is interrupted. */
export const untilEnded = (around: CommandEnvironment): Promise<void> =>
  endable(around, (ended) => new Promise((done) => ended.addEventListener('abort', () => done(), { once: true })));

/** Reads the named file. @throws UsageError */
export const textOf = (around: CommandEnvironment, file: string): string =>
  readable(around, file, (path) => readFileSync(path, 'utf8'));

/** The path of a file or folder that can be read. @throws UsageError */
export const pathOf = (around: CommandEnvironment, name: string): string =>
  readable(around, name, (path) => {
    accessSync(path, constants.R_OK);
    return path;
  });

function readable(around: CommandEnvironment, name: string, read: (path: string) => string): string {
  try {
    return read(resolve(around.cwd, name));
  } catch (cause) {
    throw new UsageError(`${name} cannot be read: ${(cause as Error).message}`);
  }
}
