// The embedded database server of a test's data folder, used from outside: its owner's URL, its processes, and ways to
// kill them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from '../../../src/platform/database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { until } from './conditions.ts';

/** The owner's connection to the server in a data folder. */
export function ownerPool(dataDir: string): Pool {
  const access = JSON.parse(readFileSync(join(dataDir, 'secrets', 'postgres.json'), 'utf8'));
  const at = access.host.startsWith('/')
    ? `@/assay?host=${encodeURIComponent(access.host)}&port=${access.port}`
    : `@${access.host}:${access.port}/assay`;
  return new Pool(`postgres://postgres:${access.adminPassword}${at}`, { max: 2, log: makeLog('silent') });
}

interface Process {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly parent: number;
}

function readProcess(pid: number): Process | undefined {
  try {
    const m = /^\d+ \((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return m ? { pid, name: m[1] as string, state: m[2] as string, parent: Number(m[3]) } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process runs and is not a zombie. */
export const runs = (pid: number): boolean => {
  const p = readProcess(pid);
  return p !== undefined && p.state !== 'Z' && p.state !== 'X';
};

/** The server's main process, if the pid file names a running PostgreSQL server. */
export function postmaster(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    return runs(pid) && readProcess(pid)?.name === 'postgres' ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((p) => p > 0 && readProcess(p)?.parent === pid);
}

/** Backends that serve the application's role. */
export function backendsOf(main: number): number[] {
  return childrenOf(main).filter((p) => {
    try {
      return readFileSync(`/proc/${p}/cmdline`, 'utf8').includes('assay_app');
    } catch {
      return false;
    }
  });
}

export function kill(pids: readonly number[], signal: NodeJS.Signals = 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== 'ESRCH') throw e;
    }
  }
}

/** Ends the server of a folder that will be removed, if one still runs: a fast but orderly shutdown. */
export async function endServer(dataDir: string): Promise<void> {
  const main = postmaster(dataDir);
  if (main === undefined) return;
  const all = [main, ...childrenOf(main)];
  kill([main], 'SIGQUIT');
  try {
    await until('the database server is gone', () => !all.some(runs), 10_000);
  } catch {
    kill(all);
    await until('the database server is dead', () => !all.some(runs));
  }
}
