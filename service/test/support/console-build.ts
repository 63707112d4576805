// The built console that the tests' service serves. The first process to need it builds it, if a source is newer.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = join(import.meta.dirname, '../../..');
const room = join(root, 'console');
const dist = join(room, 'dist');
const lock = join(tmpdir(), `assay-console-build-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`);
const patienceMs = 500_000;

/** Returns the folder of built files, up to date. */
export async function builtConsole(): Promise<string> {
  await alone(async () => {
    if (!isFresh()) await build();
  });
  return dist;
}

/** Runs work that only one process on this machine may do at a time; others wait. */
export async function alone<T>(work: () => Promise<T>): Promise<T> {
  const until = Date.now() + patienceMs;
  while (!take()) {
    if (Date.now() > until) throw new Error(`somebody has held ${lock} for ${patienceMs / 1000} s`);
    await pause(200);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(): boolean {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch {
    if (isAbandoned()) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

/** Whether the process with the lock has ended. */
function isAbandoned(): boolean {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return false;
  } catch (e) {
    // For a moment after its creation the folder has no file with a pid.
    return (e as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const sources = ['console/src', 'console/public', 'client/src'];
const files = ['console/index.html', 'console/vite.config.ts', 'console/package.json', 'package-lock.json'];

function isFresh(): boolean {
  const made = mtime(join(dist, 'index.html'));
  const listed = sources.flatMap((dir) =>
    readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((f) => join(dir, f)),
  );
  return made > 0 && [...files, ...listed].every((f) => mtime(join(root, f)) <= made);
}

function mtime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Builds into another folder and then swaps the two, so that no incomplete build is served. */
async function build(): Promise<void> {
  const began = Date.now() / 1000;
  const next = join(room, `dist-${process.pid}`);
  const vite = join(dirname(createRequire(join(room, 'package.json')).resolve('vite/package.json')), 'bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--outDir', next, '--logLevel', 'warn'], {
    cwd: room,
    // With the test's own NODE_ENV, the build would contain React's development version.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let said = '';
  child.stdout.on('data', (d) => (said += d));
  child.stderr.on('data', (d) => (said += d));
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) {
    rmSync(next, { recursive: true, force: true });
    throw new Error(`the console could not be built:\n${said}`);
  }
  // Dated to the start of the build, so that sources changed meanwhile are newer.
  utimesSync(join(next, 'index.html'), began, began);
  rmSync(dist, { recursive: true, force: true });
  renameSync(next, dist);
}
