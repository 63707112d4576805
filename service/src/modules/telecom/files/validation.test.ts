// The thread that validates call detail files processes one file after another, and ends when it is no longer needed.
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../../test/durability/support/conditions.ts';
import { makeFolder } from '../../../../test/support/folder.ts';
import { Vault } from '../../../platform/sealed-secrets.ts';
import { Validation } from './validation.ts';

const vault = new Vault(new Map([0, 1].map((version) => [version, randomBytes(32)])));
let path: string;
beforeAll(() => {
  path = join(makeFolder('assay-validation-'), 'calls.csv');
  writeFileSync(path, 'cdr_id\n');
});

afterAll(() => rmSync(dirname(path), { recursive: true }));

describe('the thread that validates files', () => {
  const made: Validation[] = [];
  afterAll(() => Promise.all(made.map((j) => j.stop())));
  const start = (rest?: number) => {
    const validation = new Validation(vault, 0, rest);
    made.push(validation);
    return validation;
  };

  it('ends by itself once no file has come for a while, and refuses orders from then on', async () => {
    const validation = start(1);
    await validation.order('inspect', { path, bytes: 1 << 20 });
    expect(validation.ended).toBe(false);
    validation.rest();
    await until('it has ended', () => validation.ended);
    await expect(validation.order('inspect', { path, bytes: 1 << 20 })).rejects.toThrow('was ended');
  });

  it('takes the next file while it rests', async () => {
    const validation = start(60_000);
    const first = await validation.order('inspect', { path, bytes: 1 << 20 });
    validation.rest();
    expect(await validation.order('inspect', { path, bytes: 1 << 20 })).toEqual(first);
    expect(validation.ended).toBe(false);
  });

  it('reads a file through piece by piece, several files by turns, to the same end as at once', async () => {
    const validation = start(60_000);
    const other = join(dirname(path), 'other.csv');
    writeFileSync(other, `cdr_id\n${'0123456789\n'.repeat(100_000)}`);
    const whole = await validation.order('inspect', { path: other, bytes: 1 << 30 });
    let pieces = 0;
    for (; ; pieces++) {
      const opened = await validation.order('inspect', { path: other, bytes: 1 });
      expect(await validation.order('inspect', { path, bytes: 1 << 20 })).toMatchObject({ lines: 0 });
      if (!opened) continue;
      expect(opened).toEqual(whole);
      break;
    }
    expect(pieces).toBeGreaterThan(3);
  });

  it('refuses orders from the moment it is stopped, and those it was given before', async () => {
    const validation = start();
    const waiting = expect(validation.order('inspect', { path, bytes: 1 << 20 })).rejects.toThrow('was ended');
    const stopped = validation.stop();
    expect(validation.ended).toBe(true);
    await Promise.all([waiting, stopped]);
  });
});
