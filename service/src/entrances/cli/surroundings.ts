// What a command finds around it: settings, folder, streams, and the signals that end it. It is handed in, so that a
// command runs in any process and leaves nothing of its own behind there; only main.ts looks at its own process.
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { readSettings, type Settings } from '../../settings.ts';

export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that paths are relative to. */
  readonly cwd: string;
  /** All of the standard input; a command that takes none never asks. */
  readonly stdin: () => string;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Calls when the person ends the command, or the machine does. @returns what takes that back */
  readonly onEnding: (call: () => void) => () => void;
}

/** The person or the machine ended the command. */
export class Interrupted extends Error {}

/** What was asked for cannot be right as typed. */
export class UsageError extends Error {}

/** The settings of the environment; the service may be elsewhere. @throws UsageError */
export function settingsAnywhere(around: Surroundings, own: Readonly<Record<string, string>> = {}): Settings {
  const settings = readSettings({ ...around.env, ...own });
  if (settings.remote) checkRemote(settings.remote);
  return { ...settings, dataDir: resolve(around.cwd, settings.dataDir) };
}

/** The settings of a service on this machine, some of them in the command's own way. @throws UsageError */
export function settingsIn(around: Surroundings, own: Readonly<Record<string, string>> = {}): Settings {
  const settings = settingsAnywhere(around, own);
  if (settings.remote)
    throw new UsageError('ASSAY_URL names a service elsewhere, and this is about the one on this machine; unset it');
  return settings;
}

/** A key goes over the network sealed, or stays on this machine. */
function checkRemote({ url, apiKey }: { readonly url: string; readonly apiKey: string }): void {
  const { protocol, hostname } = URL.parse(url) ?? {};
  const here = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname ?? '');
  if (protocol !== 'https:' && !(protocol === 'http:' && here))
    throw new UsageError('ASSAY_URL must be an https:// address, or an http:// address of this machine');
  if (apiKey === '') throw new UsageError("ASSAY_URL needs ASSAY_API_KEY, an operator's key");
}

/** Gives `work` a signal that is aborted when the command is ended, however far it is. */
export async function endable<T>(around: Surroundings, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const forget = around.onEnding(() => ended.abort(new Error('interrupted')));
  try {
    return await work(ended.signal);
  } finally {
    forget();
  }
}

/** Rejects when the command is ended. @throws Interrupted */
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

/** Resolves when the command is ended. */
export const untilEnded = (around: Surroundings): Promise<void> =>
  endable(around, (ended) => new Promise((done) => ended.addEventListener('abort', () => done(), { once: true })));

/** A file that was named. @throws UsageError */
export function textOf({ cwd }: Surroundings, file: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`);
  }
}
