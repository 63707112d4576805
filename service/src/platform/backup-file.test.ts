// A backup file is refused if it is cut at any byte, if any byte of it is another one, or if it goes on after its end.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupFormat, type Cover, type Section, type Summary, writeBackup } from './backup-file.ts';
import { BadBackup, readBackup } from './read-backup.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-backup-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { signal } = new AbortController();
const cover: Cover = {
  ...{ format: backupFormat, assay: '1.0.0', postgres: '18.4', madeAt: '2026-11-26T00:00:00.000Z', migrations: [] },
  masterKey: true,
};
const summary: Summary = { rows: { t: 1 }, months: [] };

async function* sections(content: readonly Buffer[]): AsyncGenerator<Section, Summary> {
  async function* pieces() {
    yield* content;
  }
  yield { head: { table: 't', columns: ['a'] }, content: pieces() };
  yield { head: { file: 'secrets/master.key', mode: 0o600 }, content: pieces() };
  return summary;
}

const made = join(folder, 'made');
const changed = join(folder, 'changed');
async function written(...content: Buffer[]): Promise<Buffer> {
  await writeBackup(made, cover, sections(content), signal);
  return readFileSync(made);
}
const read = (bytes: Buffer) => {
  writeFileSync(changed, bytes);
  return readBackup(changed, {}, signal);
};
/** @returns where a file that is not the whole one was taken for it */
async function accepted(variants: Iterable<readonly [at: number, bytes: Buffer]>): Promise<number[]> {
  const at: number[] = [];
  for (const [n, bytes] of variants)
    await read(bytes).then(
      () => at.push(n),
      (e) => expect(e).toBeInstanceOf(BadBackup),
    );
  return at;
}
const flipped = (bytes: Buffer, at: number, bits: number): Buffer => {
  const other = Buffer.from(bytes);
  other[at] = (bytes[at] as number) ^ bits;
  return other;
};

describe('a backup file', () => {
  let whole: Buffer;
  beforeAll(async () => {
    whole = await written(Buffer.from('one row\n'.repeat(20)), Buffer.from([...Array(64).keys()]));
  });

  it('is read as it was written', async () => {
    expect(await read(whole)).toEqual({ ...cover, ...summary, files: 1, bytes: 2 * (160 + 64) });
  });

  it('is refused when it is cut at any byte', async () => {
    const cuts = function* () {
      for (let at = 0; at < whole.length; at++) yield [at, whole.subarray(0, at)] as const;
    };
    expect(await accepted(cuts())).toEqual([]);
  });

  it('is refused when a bit of any byte is another one', async () => {
    const flips = function* () {
      for (let at = 0; at < whole.length; at++) yield [at, flipped(whole, at, 1 << (at % 8))] as const;
    };
    expect(await accepted(flips())).toEqual([]);
  });

  it('is refused when it goes on after its end', async () => {
    expect(
      await accepted([
        [0, Buffer.concat([whole, Buffer.from([0])])],
        [1, Buffer.concat([whole, whole])],
      ]),
    ).toEqual([]);
  });

  it('is refused when it is compressed again without the hash at its end', async () => {
    expect(await accepted([[0, zstdCompressSync(zstdDecompressSync(whole))]])).toEqual([]);
  });

  it('of any content is refused when it is cut or a byte of it is another one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        async (content, where, bits) => {
          const bytes = await written(Buffer.from(content));
          const at = Math.floor(where * bytes.length);
          await expect(read(bytes)).resolves.toMatchObject(summary);
          expect(
            await accepted([
              [at, bytes.subarray(0, at)],
              [at, flipped(bytes, at, bits)],
            ]),
          ).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of the format before, without a hash at its end, is read, and refused when it is cut within its content', async () => {
    const earlier = { ...cover, format: 2 };
    await writeBackup(made, earlier, sections([Buffer.from('one row\n'.repeat(20))]), signal);
    const stream = zstdCompressSync(zstdDecompressSync(readFileSync(made)), {
      params: { [constants.ZSTD_c_checksumFlag]: 1 },
    });
    expect(await read(stream)).toMatchObject({ format: 2, ...summary });
    const cuts = function* () {
      for (let at = 0; at < stream.length - 4; at++) yield [at, stream.subarray(0, at)] as const;
    };
    expect(await accepted(cuts())).toEqual([]);
  });
});
