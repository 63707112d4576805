// What a command finds around it: settings, folder, streams, and the signals that end it. It is handed in, so that a
// command runs in any process and leaves nothing of its own behind there; only main.ts looks at its own process.
import { resolve } from 'node:path';
import { makeLog } from '../../platform/log.ts';
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

/** The settings of the environment, some of them in the command's own way. */
export function settingsIn(around: Surroundings, own: Readonly<Record<string, string>> = {}): Settings {
  const settings = readSettings({ ...around.env, ...own });
  return { ...settings, dataDir: resolve(around.cwd, settings.dataDir) };
}

/** A command's log is for what a person has to know: warnings and worse, beside the result. */
export const logIn = (around: Surroundings, { logLevel }: Settings) =>
  makeLog(logLevel === 'silent' ? 'silent' : 'warn', around.stderr);

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

/** Resolves when the command is ended. */
export const untilEnded = (around: Surroundings): Promise<void> =>
  endable(around, (ended) => new Promise((done) => ended.addEventListener('abort', () => done(), { once: true })));
