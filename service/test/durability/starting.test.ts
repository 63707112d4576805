// How the service is started: secrets that are shown once are not lost if the port is taken, and a signal reaches the
// service however it was started.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { usersIn } from '../../src/platform/embedded-postgres.ts';
import { readPid, stillRuns } from '../../src/platform/process-turns.ts';
import { makeDatabase } from '../support/app.ts';
import { until } from './support/conditions.ts';
import { Stage } from './support/service-process.ts';

const stage = new Stage(inject('madeFolder'));
afterAll(() => stage.end());

const repository = join(import.meta.dirname, '..', '..', '..');

/** A port that another program has. */
async function takenPort(): Promise<string> {
  const server: Server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  stage.defer(async () => void server.close());
  return String((server.address() as { port: number }).port);
}

const secrets = (output: string) => ({
  password: /^ {2}Password (\S+)$/m.exec(output)?.[1],
  key: /^ {2}(asy_\S+)$/m.exec(output)?.[1],
});

describe('a first start whose port is taken', () => {
  it('names the setting, PORT or SFTP_PORT, and the next start still shows the password and the key', async () => {
    const dir = await stage.madeFolder();
    for (const [setting, taken] of [
      ['PORT', { PORT: await takenPort(), CDR_SFTP: 'off' }],
      ['SFTP_PORT', { PORT: '0', CDR_SFTP: 'embedded', SFTP_PORT: await takenPort() }],
    ] as const) {
      const failed = stage.spawn({ DATA_DIR: dir, ...taken });
      expect((await failed.exited).code).toBe(1);
      expect(failed.output()).toMatch(new RegExp(`cannot listen on 127\\.0\\.0\\.1:\\d+.*\\bset ${setting} or`));
      expect(secrets(failed.output())).toEqual({ password: undefined, key: undefined });
      expect(existsSync(join(dir, 'postgres', 'postmaster.pid'))).toBe(false);
    }

    const service = await stage.service({ DATA_DIR: dir, PORT: '0', CDR_SFTP: 'off' });
    const { password, key } = await until('the secrets are printed', () => {
      const s = secrets(service.output());
      return s.password && s.key ? s : undefined;
    });
    const status = await fetch(`${service.address}/v1/client/verifyClientStatus`, {
      headers: { 'x-api-key': `${key}` },
    });
    expect(status.status).toBe(200);
    const session = await fetch(`${service.address}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.address },
      body: JSON.stringify({ email: 'admin@localhost', password }),
    });
    expect([session.status, await session.text()]).toEqual([200, expect.stringContaining('"success":true')]);
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a start on what cannot be used', () => {
  const failing = async (dir: string) => {
    const { exited, output } = stage.spawn({ DATA_DIR: dir, ROLE: 'all' });
    expect((await exited).code).toBe(1);
    return output();
  };

  it('says why the database server does not start, and which file cannot be read', async () => {
    const dir = await stage.madeFolder();
    const pgData = realpathSync(join(dir, 'postgres'));
    chmodSync(pgData, 0o777);
    expect(await failing(dir)).toMatch(/did not start; see \S+server\.log; because data directory .* has invalid perm/);
    chmodSync(pgData, 0o700);
    writeFileSync(join(dir, 'secrets', 'master.key'), 'short');
    expect(await failing(dir)).toContain(`the master key in ${join(dir, 'secrets', 'master.key')} must be 32 bytes`);
    writeFileSync(join(dir, 'secrets', 'postgres.json'), '');
    expect(await failing(dir)).toContain(`${join(dir, 'secrets', 'postgres.json')} cannot be read`);
  });
});

describe('a misspelt setting', () => {
  it('is named at the start', async () => {
    const { exited, output } = stage.spawn({ DATA_DIR: stage.folder(), WEBHOOK_ALOW_HTTP: 'false', WORKERS: 'many' });
    expect((await exited).code).toBe(1);
    expect(output()).toContain('no setting WEBHOOK_ALOW_HTTP and ignores it; is WEBHOOK_ALLOW_HTTP meant?');
  });
});

describe('a start that is ended', () => {
  const serverOf = (dir: string) => readPid(join(dir, 'postgres', 'postmaster.pid'));
  /** Databases that are being created, or were when a start was ended. */
  const halves = (dir: string) =>
    existsSync(join(dir, 'postgres')) ? readdirSync(join(dir, 'postgres')).filter((f) => f.startsWith('half-')) : [];
  /** What of a start has been reached, beside what an earlier one has left. */
  const moments: Record<string, (dir: string, left: readonly string[]) => unknown> = {
    'its database is created': (dir, left) => halves(dir).some((f) => !left.includes(f)),
    'its database server starts': serverOf,
    'its tables are made': (dir) => existsSync(join(dir, 'secrets', 'postgres.json')) && ready(dir),
  };
  const ready = (dir: string) => {
    const file = join(dir, 'postgres', 'postmaster.pid');
    return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready';
  };

  // On what one leaves, the next begins and comes as far: the folder is made once, and not for each of them.
  let dir: string;
  beforeAll(() => {
    dir = stage.folder();
  });

  it.each(
    Object.keys(moments).flatMap((when) => [
      [when, 'SIGTERM', 'all'],
      [when, 'SIGINT', ''],
    ]),
  )('while %s leaves no database server behind (%s, ROLE=%s), and the next one begins', async (when, signal, ROLE) => {
    const left = halves(dir);
    const ended = stage.spawn({ DATA_DIR: dir, ROLE });
    await until(when, () => moments[when]?.(dir, left), 240_000);
    const server = serverOf(dir);
    ended.child.kill(signal as NodeJS.Signals);
    expect([await ended.exited, ended.output()]).toEqual([
      { code: 0, signal: null },
      expect.not.stringContaining('Assay is ready'),
    ]);
    expect([serverOf(dir), server !== undefined && stillRuns(server, '')]).toEqual([undefined, false]);
    expect(usersIn(join(dir, 'secrets', 'processes'))).toEqual([]);
  });

  it('leaves, after all of these, what the next one makes whole', async () => {
    const service = await stage.service({ DATA_DIR: dir });
    expect(await service.demoKey()).toMatch(/^asy_/);
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('by a person at the keyboard of a command leaves no database server behind', async () => {
    const dir = await stage.madeFolder();
    const child = spawn(process.execPath, [join(repository, 'service', 'bin', 'assay.js'), 'psp', 'list'], {
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', DATA_DIR: dir },
      stdio: 'ignore',
    });
    const exited = new Promise((resolve) => child.once('exit', (code, by) => resolve([code, by])));
    const server = await until('its database server starts', () => serverOf(dir), 240_000);
    child.kill('SIGINT');
    expect(await exited).toEqual([130, null]);
    expect([serverOf(dir), stillRuns(server, '')]).toEqual([undefined, false]);
  });
});

describe('SIGTERM', () => {
  const kill = (pid: number) => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It is gone, as it should be.
    }
  };
  /** Answers while the service lives. */
  const lives = (address: string) =>
    fetch(`${address}/health/live`).then(
      (r) => r.ok,
      () => false,
    );

  it.each(['npm, which hands it to a shell', 'a launcher on a Node that is too old'])(
    'stops the service in order when it is sent to %s',
    async (starter) => {
      const { url, drop } = await makeDatabase();
      stage.defer(drop);
      const { PATH = '', HOME = '' } = process.env;
      const old = join(stage.folder(), 'old-node.mjs');
      writeFileSync(
        old,
        "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });\n",
      );
      const [program, args] = starter.startsWith('npm')
        ? ['npm', ['start']]
        : [process.execPath, ['--import', old, join('service', 'bin', 'start.js')]];
      const child = spawn(program, args, {
        cwd: repository,
        env: { PATH, HOME, PORT: '0', CDR_SFTP: 'off', LOG_LEVEL: 'info', DATABASE_URL: url, DATA_DIR: stage.folder() },
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own: whatever a failing test leaves of it is ended together.
        detached: true,
      });
      stage.defer(async () => kill(-(child.pid as number)));
      let output = '';
      child.stdout.on('data', (b) => (output += b));
      child.stderr.on('data', (b) => (output += b));
      const exited = new Promise((resolve) => child.once('exit', resolve));
      const address = await until('it is ready', () => /API\s+(http:\/\/\S+)\n/.exec(output)?.[1], 240_000);
      // A refusal is logged with the number of the process that answers.
      expect((await fetch(`${address}/v1/client/verifyClientStatus`)).status).toBe(401);
      const { pid } = JSON.parse(
        (await until('it logs', () => output.split('\n').find((l) => l.startsWith('{')))) as string,
      ) as { pid: number };
      expect(pid).not.toBe(child.pid);
      child.kill('SIGTERM');
      await exited;
      await until('the service has stopped', async () => !(await lives(address)));
      await until('its process is gone', () => {
        try {
          process.kill(pid, 0);
          return false;
        } catch {
          return true;
        }
      });
      expect(output).toContain('"stopping"');
    },
  );
});
