// The thread that judges call detail files serves one file after the other, and is given back.
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../../test/durability/support/conditions.ts';
import { makeFolder } from '../../../../test/support/folder.ts';
import { Vault } from '../../../platform/sealed-secrets.ts';
import { Judging } from './judging.ts';

const vault = new Vault(new Map([0, 1].map((version) => [version, randomBytes(32)])));
let path: string;
beforeAll(() => {
  path = join(makeFolder('assay-judging-'), 'calls.csv');
  writeFileSync(path, 'cdr_id\n');
});

afterAll(() => rmSync(dirname(path), { recursive: true }));

describe('the thread that judges files', () => {
  const made: Judging[] = [];
  afterAll(() => Promise.all(made.map((j) => j.stop())));
  const start = (rest?: number) => {
    const judging = new Judging(vault, 0, rest);
    made.push(judging);
    return judging;
  };

  it('ends by itself once no file has come for a while, and refuses orders from then on', async () => {
    const judging = start(1);
    await judging.order('inspect', { path, bytes: 1 << 20 });
    expect(judging.ended).toBe(false);
    judging.rest();
    await until('it has ended', () => judging.ended);
    await expect(judging.order('inspect', { path, bytes: 1 << 20 })).rejects.toThrow('was ended');
  });

  it('takes the next file while it rests', async () => {
    const judging = start(60_000);
    const first = await judging.order('inspect', { path, bytes: 1 << 20 });
    judging.rest();
    expect(await judging.order('inspect', { path, bytes: 1 << 20 })).toEqual(first);
    expect(judging.ended).toBe(false);
  });

  it('reads a file through piece by piece, several files by turns, to the same end as at once', async () => {
    const judging = start(60_000);
    const other = join(dirname(path), 'other.csv');
    writeFileSync(other, `cdr_id\n${'0123456789\n'.repeat(100_000)}`);
    const whole = await judging.order('inspect', { path: other, bytes: 1 << 30 });
    let pieces = 0;
    for (; ; pieces++) {
      const opened = await judging.order('inspect', { path: other, bytes: 1 });
      expect(await judging.order('inspect', { path, bytes: 1 << 20 })).toMatchObject({ lines: 0 });
      if (!opened) continue;
      expect(opened).toEqual(whole);
      break;
    }
    expect(pieces).toBeGreaterThan(3);
  });

  it('refuses orders from the moment it is stopped, and those it was given before', async () => {
    const judging = start();
    const waiting = expect(judging.order('inspect', { path, bytes: 1 << 20 })).rejects.toThrow('was ended');
    const stopped = judging.stop();
    expect(judging.ended).toBe(true);
    await Promise.all([waiting, stopped]);
  });
});
