// The form of a backup and how one is written: a stream compressed with zstd, in which a cover says who can use the rest,
// then sections follow, each a head and its bytes, then a summary and the SHA-256 of all of it. It knows no database.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { syncPath } from './sync-path.ts';

export const backupFormat = 2;
/** The first bytes of the stream. */
export const magic = Buffer.from('assay backup\n');
/** No chunk is larger, so that a reader needs little memory. */
export const mostChunk = 1 << 20;

export interface Cover {
  readonly format: number;
  /** Version of Assay that made it. */
  readonly assay: string;
  /** Full version of the PostgreSQL that the rows come from, such as 18.4. */
  readonly postgres: string;
  /** ISO. */
  readonly madeAt: string;
  /** The schema that the rows are of. */
  readonly migrations: readonly { readonly name: string; readonly hash: string }[];
  readonly masterKey: boolean;
}

/** What a section holds: a file of the data folder, or the rows of a table as COPY writes them. */
export type Head =
  | { readonly file: string; readonly mode: number }
  | { readonly table: string; readonly columns: readonly string[] };

export interface Section {
  readonly head: Head;
  readonly content: AsyncIterable<Buffer>;
}

/** What is only known at the end. */
export interface Summary {
  /** The number of rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** First days of the months that had partitions. */
  readonly months: readonly string[];
}

export interface Manifest extends Cover, Summary {
  readonly files: number;
  /** Before the compression. */
  readonly bytes: number;
}

/**
 * Writes a backup beside its name, brings it to the disk and gives it its name when it is whole; leaves nothing where
 * it fails.
 */
export async function writeBackup(
  file: string,
  cover: Cover,
  sections: AsyncGenerator<Section, Summary>,
  signal: AbortSignal,
): Promise<Manifest> {
  const half = `${file}.half`;
  // One that was killed may have left its half.
  await rm(half, { force: true });
  let manifest: Manifest | undefined;
  async function* stream(): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let files = 0;
    let bytes = 0;
    const hashed = (...pieces: Buffer[]) => {
      for (const piece of pieces) hash.update(piece);
      return pieces;
    };
    yield* hashed(magic, ...framed(json(cover)));
    let next = await sections.next();
    for (; !next.done; next = await sections.next()) {
      const { head, content } = next.value;
      yield* hashed(...framed(json(head)));
      for await (const chunk of content)
        for (let at = 0; at < chunk.length; at += mostChunk) {
          const piece = chunk.subarray(at, at + mostChunk);
          bytes += piece.length;
          yield* hashed(...framed(piece));
        }
      yield* hashed(...framed(Buffer.alloc(0)));
      if ('file' in head) files++;
    }
    yield* hashed(...framed(json({ end: next.value })));
    manifest = { ...cover, ...next.value, files, bytes };
    yield hash.digest();
  }
  try {
    const zstd = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    await pipeline(stream, zstd, createWriteStream(half, { flags: 'wx', mode: 0o600, flush: true }), { signal });
    await rename(half, file);
  } catch (e) {
    await rm(half, { force: true });
    throw e;
  }
  await syncPath(dirname(file));
  return manifest as Manifest;
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** A piece after its length. */
function framed(bytes: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}
