// The process `assay`: its streams, exit code and signals. What commands do is tested in the test's own process, with
// the function that the process calls.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { makeDatabase, type TestDatabase } from '../support/app.ts';
import { assayProcessWith, assayWith, clean } from './run.ts';

const bin = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
let dir: string;
let database: TestDatabase;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'assay-process-'));
  database = await makeDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dir, { recursive: true, force: true });
});

/** No database answers there. */
const nowhere = () => ({ DATA_DIR: dir, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });

describe('the process assay', () => {
  it('prints its answer to stdout and ends with 0', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    const r = await assayProcessWith({ DATA_DIR: dir })('--version');
    expect([r.exitCode, r.stdout, r.stderr]).toEqual([0, `${version}\n`, '']);
  });

  it('does and prints what the same command does in another process that calls it', async () => {
    const env = { DATA_DIR: dir, DATABASE_URL: database.url };
    const made = await assayProcessWith(env)('psp', 'create', '--name', 'Process Pay', '--country', 'NG', '--json');
    expect([made.exitCode, made.json()]).toEqual([0, expect.objectContaining({ pspId: expect.any(String) })]);
    expect(made.stderr).toBe('Keep the key and the secret: they are not shown again.\n');
    const [process, here] = [await assayProcessWith(env)('psp', 'list'), await assayWith(env)('psp', 'list')];
    expect(process).toMatchObject({ exitCode: 0, stdout: here.stdout, stderr: here.stderr });
    expect(here.stdout).toContain(made.json().pspId);
  });

  it('ends with 2 on what was mistyped, and says so on stderr alone', async () => {
    const r = await assayProcessWith(nowhere())('sing', '--json');
    expect([r.exitCode, r.stdout]).toEqual([2, '']);
    expect(r.stderr).toContain("unknown command 'sing'");
  });

  it('ends with 1 where no database answers, once both streams are written to their end', async () => {
    const r = await assayProcessWith(nowhere())('psp', 'list', '--json');
    expect(r.exitCode).toBe(1);
    expect(r.json()).toEqual({ success: false, code: 'FAULT', message: expect.stringContaining('ECONNREFUSED') });
    expect(r.stderr).toContain('ECONNREFUSED');
  });

  it('reads what is piped into it', async () => {
    const r = await assayProcessWith(nowhere(), '{"piped": true}')('verify-receipt', '-', '--key', 'none', '--json');
    expect([r.exitCode, r.json().valid]).toEqual([1, false]);
    const half = await assayProcessWith(nowhere(), '{"piped"')('verify-receipt', '-', '--key', 'none');
    expect([half.exitCode, half.stderr]).toEqual([2, expect.stringContaining('- is not JSON')]);
  });

  it('ends well where its reader has seen enough', async () => {
    const line = `"${process.execPath}" "${bin}" tax check --json | head -c 1; echo "\${PIPESTATUS[0]}"`;
    const said = await new Promise((resolve) =>
      execFile('bash', ['--norc', '-c', line], { env: clean(nowhere()) }, (_, stdout, stderr) =>
        resolve([stdout, stderr]),
      ),
    );
    expect(said).toEqual(['{0\n', '']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('is ended by %s with 130 and leaves its work to others', async (signal) => {
    const env = { DATA_DIR: dir, DATABASE_URL: database.url };
    const psp = (await assayWith(env)('psp', 'create', '--name', `${signal} Pay`, '--country', 'NG', '--json')).json();
    const words = ['report', 'create', 'chargebacks', '--client', psp.pspId, '--period', '2025-10'];
    await database.admin.transaction(async (held) => {
      await held.query('LOCK TABLE chargebacks IN ACCESS EXCLUSIVE MODE');
      const child = spawn(process.execPath, [bin, ...words], { env: clean(env), stdio: 'ignore' });
      const ended = new Promise((resolve) => child.once('exit', (code, by) => resolve([code, by])));
      await until('it waits for the table', async () => (await waiting()) > 0);
      child.kill(signal);
      expect(await ended).toEqual([130, null]);
    });
    const { items } = (await assayWith(env)('report', 'list', '--client', psp.pspId, '--json')).json();
    expect(items.map((r: { state: string }) => r.state)).toEqual([expect.stringMatching(/^(QUEUED|RUNNING)$/)]);
  });
});

/** Statements that wait for a lock. */
const waiting = async (): Promise<number> => {
  const rows = await database.admin.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
};

describe('assay in a process that calls it', () => {
  it('leaves nothing behind there, whether it succeeded, was refused, was mistyped or broke', async () => {
    const env = { DATA_DIR: dir, DATABASE_URL: database.url };
    let listening = 0;
    const onEnding = () => {
      listening++;
      return () => void listening--;
    };
    const connections = async () =>
      (await database.admin.query('SELECT 1 FROM pg_stat_activity WHERE datname = current_database()')).length;
    const left = () => ({
      exitCode: process.exitCode,
      env: { ...process.env },
      cwd: process.cwd(),
      listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
    });
    await database.admin.query('SELECT 1');
    const connected = await connections();
    const before = left();
    const codes: number[] = [];
    for (const words of [['psp', 'list'], ['client', 'show', 'cli_none'], ['psp', 'list', '--limit', '0'], ['--help']])
      codes.push((await assayWith(env, { onEnding })(...words)).exitCode);
    codes.push((await assayWith(nowhere(), { onEnding })('psp', 'list')).exitCode);
    expect(codes).toEqual([0, 3, 2, 0, 1]);
    expect(listening).toBe(0);
    await until('its connections are gone', async () => (await connections()) <= connected);
    expect(left()).toEqual(before);
  });

  it('finds files where it is told to stand, not where the process stands', async () => {
    writeFileSync(join(dir, 'receipt.json'), '{}');
    const r = await assayWith(nowhere(), { cwd: dir })('verify-receipt', 'receipt.json', '--key', 'none', '--json');
    expect([r.exitCode, r.json().valid]).toEqual([1, false]);
  });
});
