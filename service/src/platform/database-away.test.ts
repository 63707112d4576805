// Which errors mean that the database is temporarily unavailable: real ones, from connections that fail in each way.
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Pool } from './database.ts';
import { hasNoRoom, isAway, isShut, tookTooLong, untilNotGivingWay, withWorkersCode } from './database-away.ts';
import { makeLog } from './log.ts';

const pool = (port: number, waitMs = 200) =>
  new Pool(`postgres://nobody:x@127.0.0.1:${port}/none`, { max: 1, waitMs, log: makeLog('silent') });
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (e: unknown) => e,
  );

it('tells a server that is not there, one that says nothing and one that hangs up', async () => {
  for (const serve of [
    undefined,
    () => undefined,
    (socket: import('node:net').Socket) => void socket.once('data', () => socket.destroy()),
  ]) {
    const server = createServer(serve);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    if (!serve) await new Promise((closed) => server.close(closed));
    const p = pool(port);
    expect(isAway(await errorOf(p.query('SELECT 1')))).toBe(true);
    expect(await p.answersWithin(50)).toBe(false);
    await p.end();
    server.close();
  }
});

it.each(['57P01', '57P03', '57014', '53100', '53300', '08006', '25006', '58030'])('tells SQLSTATE %s', (code) => {
  const e = Object.assign(new Error('said by the server'), { code });
  expect([isAway(e), isAway(new Error('while reading', { cause: e }))]).toEqual([true, true]);
});

it.each([
  ['28P01', true],
  ['28000', true],
  ['3D000', true],
  ['57P03', true],
  ['42P01', false],
  ['ENOENT', false],
])('knows of %s whether the database lets nobody in: %s', (code, shut) => {
  const e = Object.assign(new Error('said by the server'), { code });
  expect([isShut(e), isShut(new Error('at the start', { cause: e }))]).toEqual([shut, shut]);
});

it.each(['23505', '22P02', '40001', '42P01', 'ENOENT', ''])('does not take %j for it', (code) => {
  expect(isAway(Object.assign(new Error('something else'), { code }))).toBe(false);
});

it('knows the code of what a worker of a cluster refused, which the coordinator tells in words only', () => {
  const told = (message: string, routine: string) => Object.assign(new Error(message), { code: 'XX000', routine });
  const timeout = 'canceling statement due to statement timeout';
  expect(tookTooLong(withWorkersCode(told(timeout, 'ReportCopyError')))).toBe(true);
  expect(withWorkersCode(told('deadlock detected', 'ReportCopyError'))).toMatchObject({ code: '40P01' });
  const taken = 'duplicate key value violates unique constraint "refs_pkey_102197"';
  expect(withWorkersCode(told(taken, 'ReportCopyError'))).toMatchObject({ code: '23505' });
  // Somebody else's words, and words that nobody knows.
  for (const e of [told(timeout, 'exec_stmt_raise'), told('something else', 'ReportCopyError')])
    expect(withWorkersCode(e)).toMatchObject({ code: 'XX000' });
});

it('tells a full disk, of the database and of this machine, from all else', () => {
  const withCode = (code: string) => Object.assign(new Error('said'), { code });
  const full = ['53100', 'ENOSPC', 'EDQUOT'];
  for (const code of [...full, '53200', '53300', '53400', '57014', 'ENOENT', '']) {
    const e = withCode(code);
    expect([hasNoRoom(e), hasNoRoom(new Error('while writing', { cause: e }))]).toEqual(
      Array(2).fill(full.includes(code)),
    );
  }
});

it('does not take the broken connection of somebody else for it', () => {
  for (const code of ['ECONNRESET', 'EPIPE']) {
    const e = Object.assign(new Error('aborted'), { code });
    expect([isAway(e), isAway(new Error('while reading', { cause: e }))]).toEqual([false, false]);
  }
});

describe('work that gave way to others', () => {
  const failing = (code: string, times: number) => {
    let tries = 0;
    const work = async () => {
      if (++tries <= times) throw Object.assign(new Error(code), { code });
      return tries;
    };
    return { work, tries: () => tries };
  };

  it.each(['40001', '40P01'])('is done again after %s', async (code) => {
    await expect(untilNotGivingWay(failing(code, 4).work)).resolves.toBe(5);
  });

  it('is given up after five tries', async () => {
    const { work, tries } = failing('40001', 5);
    await expect(untilNotGivingWay(work)).rejects.toThrow('40001');
    expect(tries()).toBe(5);
  });

  it('is not done again after another error', async () => {
    const { work, tries } = failing('23505', 1);
    await expect(untilNotGivingWay(work)).rejects.toThrow('23505');
    expect(tries()).toBe(1);
  });
});
