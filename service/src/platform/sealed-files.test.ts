// A sealed file opens to its original, whatever its size, and not at all after any change.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomSecret } from './random.ts';
import { openFile, sealFile } from './sealed-files.ts';
import { Vault } from './sealed-secrets.ts';

const vault = new Vault(new Map([0, 1].map((version) => [version, randomSecret(32)])));
const mebibyte = 1 << 20;
const head = 44;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'assay-sealed-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const [plain, sealed] = ['plain.csv', 'sealed'].map((name) => () => join(dir, name)) as [() => string, () => string];
/** Content that is unique at each position, so that chunks can be distinguished. */
const bytesOf = (size: number) => Buffer.alloc(size, `+2348031234567,${size};`);
async function seal(size: number): Promise<Buffer> {
  writeFileSync(plain(), bytesOf(size));
  await sealFile(vault, plain(), sealed(), 'file 1');
  return readFileSync(sealed());
}
async function opened(place = 'file 1', by = vault): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const bytes of openFile(by, sealed(), place)) all.push(bytes);
  return Buffer.concat(all);
}

describe('a sealed file', () => {
  it.each([0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte])('of %i bytes opens to the same', async (size) => {
    const raw = await seal(size);
    expect(raw.includes('2348031234567')).toBe(false);
    expect((await opened()).equals(bytesOf(size))).toBe(true);
    expect(readdirSync(dir).sort()).toEqual(['plain.csv', 'sealed']);
  });

  it('opens under a vault that has a newer key besides, and neither as another file nor under other keys', async () => {
    await seal(100);
    const newer = new Vault(new Map([...vault.keys(), [2, randomSecret(32)]]));
    expect((await opened('file 1', newer)).equals(bytesOf(100))).toBe(true);
    await expect(opened('file 2')).rejects.toThrow();
    await expect(opened('file 1', new Vault(new Map([0, 1].map((v) => [v, randomSecret(32)]))))).rejects.toThrow();
  });

  it.each<[string, (raw: Buffer) => Buffer]>([
    [
      'a byte of it was changed',
      (raw) => Buffer.concat([raw.subarray(0, 2000), Buffer.from([(raw[2000] ?? 0) ^ 1]), raw.subarray(2001)]),
    ],
    ['its last chunk is missing', (raw) => raw.subarray(0, head + mebibyte + 16)],
    ['its end is missing', (raw) => raw.subarray(0, -20)],
    ['nothing but its head is left', (raw) => raw.subarray(0, head)],
    ['its first chunk is missing', (raw) => Buffer.concat([raw.subarray(0, head), raw.subarray(head + mebibyte + 16)])],
    ['a chunk occurs twice', (raw) => Buffer.concat([raw.subarray(0, head + mebibyte + 16), raw.subarray(head)])],
    [
      'its salt was changed',
      (raw) => Buffer.concat([raw.subarray(0, head - 1), Buffer.from([(raw[head - 1] ?? 0) ^ 1]), raw.subarray(head)]),
    ],
    ['it is no sealed file', () => bytesOf(100)],
  ])('does not open where %s', async (_, change) => {
    writeFileSync(sealed(), change(await seal(2 * mebibyte + 5)));
    await expect(opened()).rejects.toThrow();
  });
});
