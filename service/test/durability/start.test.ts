// Starts and stops of the embedded server under trouble: half-made folders, left-over locks, processes that
// come and go at once. Whatever happened before, the next start answers and has everything.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Checks } from './support/checks.ts';
import { until } from './support/conditions.ts';
import { settle } from './support/foundation.ts';
import { Client, History, type Party } from './support/history.ts';
import { childrenOf, kill, ownerPool, postmaster, runs } from './support/postgres-process.ts';
import { type ServiceProcess, Stage } from './support/service-process.ts';
import { askAgain, newRef, sale, storm } from './support/storm.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const stage = new Stage();
afterAll(() => stage.end());

/** kill -9 of the server of a folder, all of it. */
async function killServer(dataDir: string): Promise<void> {
  const main = postmaster(dataDir);
  if (main === undefined) throw new Error('no database server runs');
  const all = [main, ...childrenOf(main)];
  kill(all);
  await until('the server is dead', () => !all.some(runs));
}

async function expectStop(service: ServiceProcess): Promise<void> {
  service.signal('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
}

describe('two processes on one folder', () => {
  it('share one server from the very first start, and the one left brings it back', async () => {
    const dataDir = stage.folder();
    const env = { DATA_DIR: dataDir };
    const both = await Promise.all([stage.service(env), stage.service(env)]);
    const client = new Client();
    const db = ownerPool(dataDir);
    stage.defer(() => db.end());
    // Only one of them made the first PSP.
    const keys = both.map((s) => /^ {2}(asy_\S+)$/m.exec(s.output())?.[1]).filter(Boolean);
    expect(await db.query("SELECT 1 FROM accounts WHERE kind = 'psp'")).toHaveLength(1);
    const parties = await settle(client, both[0].address, keys[0] as string, db, 1);
    const history = new History();
    const checks = new Checks(db);
    const party = parties[1] as Party;
    const records = async (s: ServiceProcess) =>
      (await history.send(client, s.address, party, 'verifyTransaction', sale(newRef(), 12))).outcome === 'ok';
    for (const s of both) await until('it records', () => records(s));
    const [dying, left] = both;
    dying.signal('SIGKILL');
    await dying.exited;
    expect(await records(left)).toBe(true);
    await killServer(dataDir);
    await until('the other brings the server back', () => records(left));
    await askAgain(history, client, left.address);
    expect((await checks.look(history, 'after asking again')).violations).toEqual([]);
    // A third joins as this one leaves: it finds a server, or makes one.
    for (let n = 0, leaving = left; n < 3; n++) {
      leaving.signal('SIGTERM');
      const joining = await stage.service(env);
      expect(await leaving.exited).toEqual({ code: 0, signal: null });
      await until('the new one records', () => records(joining));
      leaving = joining;
      if (n === 2) await expectStop(leaving);
    }
    expect(postmaster(dataDir)).toBeUndefined();
    client.close();
  });
});

describe('a start that was cut off', () => {
  it('is made again from wherever it got to', async () => {
    const dataDir = stage.folder();
    const at = (...path: string[]) => join(dataDir, ...path);
    const moments: [string, () => boolean][] = [
      ['the folder is being filled', () => existsSync(at('secrets', 'turn'))],
      ['the database is being made', () => existsSync(at('postgres')) && statSync(at('postgres')).nlink > 2],
      ['it is made', () => existsSync(at('secrets', 'postgres.json'))],
      ['the server runs', () => postmaster(dataDir) !== undefined],
      ['the server has stopped being new', () => existsSync(at('secrets', 'master.key'))],
    ];
    for (const [what, reached] of moments) {
      const { child, exited, output } = stage.spawn({ DATA_DIR: dataDir });
      let gone = false;
      exited.then(() => {
        gone = true;
      });
      await until(what, () => gone || reached());
      expect(gone, output()).toBe(false);
      child.kill('SIGKILL');
      await exited;
    }
    const service = await stage.service({ DATA_DIR: dataDir });
    const client = new Client();
    const r = await client.call(service.address, 'GET', '/v1/transaction', { 'x-api-key': 'none' });
    expect(r.status).toBe(401);
    const db = ownerPool(dataDir);
    stage.defer(() => db.end());
    expect((await db.query("SELECT 1 FROM accounts WHERE kind = 'psp'")).length).toBe(1);
    client.close();
    await expectStop(service);
  });
});

describe('a start after everything was killed', () => {
  it('has all that was acknowledged, whoever has the old numbers now', async () => {
    const dataDir = stage.folder();
    const env = { DATA_DIR: dataDir };
    const client = new Client();
    let service = await stage.service(env);
    const db = ownerPool(dataDir);
    stage.defer(() => db.end());
    const parties = await settle(client, service.address, await service.demoKey(), db, 2);
    const history = new History();
    const checks = new Checks(db);
    const owner = statSync(join(dataDir, 'postgres', 'PG_VERSION'));
    const as = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {};

    /** Gives the dead server's number to somebody, in the files that remember it. */
    const giveNumber = (pid: number) => {
      for (const file of [join(dataDir, 'postgres', 'postmaster.pid'), join(dataDir, 'run', '.s.PGSQL.5432.lock')]) {
        if (!existsSync(file)) continue;
        const [, ...rest] = readFileSync(file, 'utf8').split('\n');
        writeFileSync(file, [pid, ...rest].join('\n'));
      }
    };
    const heirs: [string, () => Promise<{ pid: number; end: () => void } | undefined>][] = [
      ['nobody', async () => undefined],
      [
        'another program',
        async () => {
          const other = spawn('sleep', ['600'], { ...as, stdio: 'ignore' });
          return { pid: other.pid as number, end: () => void other.kill('SIGKILL') };
        },
      ],
      [
        'a dead process that nobody collects',
        async () => {
          // The shell starts it and becomes a program that never asks for its children.
          const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 600'], {
            ...as,
            stdio: ['ignore', 'pipe', 'ignore'],
          });
          let said = '';
          parent.stdout.on('data', (b) => (said += b));
          const pid = await until('the number of the dead', () => Number(/^(\d+)\n/.exec(said)?.[1]) || undefined);
          await until('it is dead', () => !runs(pid) && existsSync(`/proc/${pid}`));
          return { pid, end: () => void parent.kill('SIGKILL') };
        },
      ],
    ];
    for (const [who, make] of heirs) {
      const start = history.now();
      let over = false;
      const load = storm({
        history,
        client,
        parties,
        addresses: () => [service.address],
        workers: 16,
        max: 1500,
        seed: 700,
        stop: () => over,
      });
      await until('some were acknowledged', () => history.count('ok', start) >= 60);
      service.signal('SIGKILL');
      await service.exited;
      over = true;
      await killServer(dataDir);
      await load;
      const heir = await make();
      if (heir) giveNumber(heir.pid);
      try {
        service = await stage.service(env);
      } finally {
        heir?.end();
      }
      expect((await checks.look(history, 'before asking again')).violations, who).toEqual([]);
      const asked = await askAgain(history, client, service.address);
      expect((await checks.look(history, 'after asking again')).violations, who).toEqual([]);
      stage.report('everything killed, the number now of', who, { acknowledged: history.count('ok', start), ...asked });
    }
    client.close();
    await expectStop(service);
    expect(postmaster(dataDir)).toBeUndefined();
  });
});
