// What killed processes leave in the staging folder, and who may be counted on to clear it.
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Drops } from './drops.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-drops-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('shows and reads the status of a file with the longest name, and removes it', async () => {
  const drop = await new Drops(root, () => 'hidden').of('long');
  const name = `${'a'.repeat(196)}.csv.2.json`;
  writeFileSync(join(root, 'status', 'long', name), '{}');
  expect(await drop.list('status')).toMatchObject([{ name, size: 2 }]);
  await (await drop.read('status', name)).close();
  await drop.remove('status', name);
  expect(await drop.list('status')).toEqual([]);
});

describe('an upload that nobody finished', () => {
  it('is removed a day after its last write; one that is alive and one that can be resumed stay', async () => {
    let made = 0;
    const drops = new Drops(root, () => `hidden-${++made}`);
    const drop = await drops.of('account');
    const mode = { create: true, exclusive: false, truncate: true };
    const resumable = await drop.upload('x.part', mode);
    await resumable.abandon();
    const dead = await drop.upload('dead.csv', mode);
    const alive = await drop.upload('alive.csv', mode);
    await alive.write(0, Buffer.from('x'));
    const hidden = join(root, 'staging', 'account', 'hidden');
    const now = Date.parse('2026-11-21T10:00:00Z');
    utimesSync(join(hidden, 'hidden-2'), now / 1000, (now - 86_400_001) / 1000);
    utimesSync(join(hidden, 'hidden-3'), now / 1000, (now - 86_300_000) / 1000);
    expect(await drops.sweep(now)).toBe(1);
    expect(readdirSync(hidden)).toEqual(['hidden-3']);
    await alive.finish();
    await expect(dead.finish()).rejects.toThrow();
    expect((await drop.list('incoming')).map((f) => f.name)).toEqual(['alive.csv', 'x.part']);
  });
});
