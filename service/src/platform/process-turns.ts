// Processes that share a folder: takes turns, and finds which are alive.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { systemClock } from './clock.ts';
import { hasNoRoom } from './database-away.ts';
import { every } from './every.ts';

/**
 * Makes a small file. On a full disk it is made all the same and stays empty, for a name takes no room: who stops a service,
 * or saves what it holds, must not need any.
 * @returns whether there was room for the text
 */
export function leaveFile(file: string, text: string, flag: 'w' | 'wx'): boolean {
  try {
    writeFileSync(file, text, { flag, mode: 0o600 });
    return true;
  } catch (e) {
    if (!hasNoRoom(e) || statSync(file, { throwIfNoEntry: false }) === undefined) throw e;
    return false;
  }
}

/** An empty file of a turn older than this was left behind. */
const emptyMs = 1_000;

/** Allows one process at a time, by a file that names it; takes over the file of a killed one. */
export async function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  let named: boolean;
  for (;;) {
    try {
      named = leaveFile(file, String(process.pid), 'wx');
      break;
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
    }
    const now = systemClock();
    const age = now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now);
    // An empty file is being written; a process id may have been reused meanwhile.
    const holder = readPid(file);
    const holds = holder === process.pid ? turns.has(file) : isAlive(holder);
    if (age > (holds ? 180_000 : emptyMs)) rmSync(file, { force: true });
    else await new Promise((r) => setTimeout(r, 50));
  }
  turns.add(file);
  // A file that does not name its holder is one only while it is young.
  const kept = named
    ? undefined
    : every(emptyMs / 4, async () => utimesSync(file, systemClock() / 1000, systemClock() / 1000));
  try {
    return await work();
  } finally {
    await kept?.stop();
    turns.delete(file);
    rmSync(file, { force: true });
  }
}

/** Turns this process currently holds. */
const turns = new Set<string>();

export function readFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export interface Seen {
  readonly name: string;
  /** False once it has ended, though nobody has collected it. */
  readonly runs: boolean;
  readonly parent: number;
  /** When it began, in ticks since the machine did. */
  readonly begun: string;
}

/** What the system says of a process; undefined where it says nothing. */
export function look(pid: number): Seen | undefined {
  const m = /^\d+ \((.*)\) (\S) (\d+) (.*)/s.exec(readFile(`/proc/${pid}/stat`) ?? '');
  if (!m) return undefined;
  const [, name = '', state = '', parent, rest = ''] = m;
  // Field 22 of them all; the rest begins with field 5.
  return { name, runs: !/[ZX]/.test(state), parent: Number(parent), begun: rest.split(' ')[17] ?? '' };
}

/** Tells this process from a later one with its id. */
export const ownMark = (): string => look(process.pid)?.begun ?? '';

/** Whether the process that left the mark runs. Without a mark, as version 0.1 left none, its id has to do. */
export function stillRuns(pid: number, mark: string): boolean {
  if (!isAlive(pid)) return false;
  const seen = look(pid);
  return seen === undefined || (seen.runs && (mark === '' || mark === seen.begun));
}

/** The first line of a file, if it is a process id. */
export function readPid(file: string): number | undefined {
  const pid = Number(readFile(file)?.split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}
