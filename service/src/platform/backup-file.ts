// The format of a backup and its writer: a zstd stream of a cover with versions, sections with a head and their bytes,
// a summary, and the SHA-256 of all of these; after the stream a hash of the file. It does not access a database.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { TrailerWriter } from './backup-trailer.ts';
import { syncPath } from './sync-path.ts';

export const backupFormat = 3;
/** The first format whose files end with a hash of all their bytes. */
export const formatWithTrailer = 3;
/** The earliest format that can be read. */
export const earliestFormat = 2;
/** The first bytes of the stream, before compression. */
export const magic = Buffer.from('assay backup\n');
/** Most bytes of a chunk, so that a reader needs little memory. */
export const mostChunk = 1 << 20;

export interface Cover {
  readonly format: number;
  /** Version of Assay that made the backup. */
  readonly assay: string;
  /** Full version of the PostgreSQL server of the rows, such as 18.4. */
  readonly postgres: string;
  /** ISO date and time. */
  readonly madeAt: string;
  /** The migrations behind the schema of the rows. */
  readonly migrations: readonly { readonly name: string; readonly hash: string }[];
  readonly masterKey: boolean;
}

/** The head of a section: it contains a file of the data folder, or the rows of a table as COPY writes them. */
export type Head =
  | { readonly file: string; readonly mode: number }
  | { readonly table: string; readonly columns: readonly string[] };

export interface Section {
  readonly head: Head;
  readonly content: AsyncIterable<Buffer>;
}

/** Facts that are known only at the end. */
export interface Summary {
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** First days of the months that have partitions. */
  readonly months: readonly string[];
}

export interface Manifest extends Cover, Summary {
  readonly files: number;
  /** Bytes of all sections before compression. */
  readonly bytes: number;
}

/**
 * Writes a backup to a temporary file, syncs it to the disk and renames it when it is complete. If it fails, no file is
 * left.
 */
export async function writeBackup(
  file: string,
  cover: Cover,
  sections: AsyncGenerator<Section, Summary>,
  signal: AbortSignal,
): Promise<Manifest> {
  const half = `${file}.half`;
  // A backup that was killed may have left its temporary file.
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
    await pipeline(
      stream,
      zstd,
      new TrailerWriter(),
      createWriteStream(half, { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    );
    await rename(half, file);
  } catch (e) {
    await rm(half, { force: true });
    throw e;
  }
  await syncPath(dirname(file));
  return manifest as Manifest;
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** The bytes, preceded by their length. */
function framed(bytes: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}
