// Reads a backup without trusting it: the bytes must match its hash, and files may only be in the folders that backups
// contain. The visitor decides what to do with each section.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { addAbortSignal, pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import {
  backupFormat,
  type Cover,
  earliestFormat,
  formatWithTrailer,
  type Head,
  type Manifest,
  magic,
  mostChunk,
  type Summary,
} from './backup-file.ts';
import { endsWithItsHash } from './backup-trailer.ts';

/** A file that cannot be used as a backup; the message says why. */
export class BadBackup extends Error {}

/** Receives the bytes of a section. */
export interface Sink {
  write(chunk: Buffer): Promise<void> | void;
  end(): Promise<void> | void;
  /** Called in place of `end` where the reading ends early. */
  drop?(): void;
}

export interface BackupVisitor {
  /** Called first, before any section is read. Throwing ends the reading. */
  cover?(cover: Cover): void;
  section?(head: Head): Promise<Sink | undefined>;
  /** Called with the number of compressed bytes read so far. */
  read?(bytes: number): void;
}

/**
 * Reads a backup to its end and compares it with its hash.
 * @throws BadBackup if the file is not a backup, is cut off or was changed
 */
export async function readBackup(file: string, visitor: BackupVisitor, signal: AbortSignal): Promise<Manifest> {
  const source = createReadStream(file, { highWaterMark: 1 << 18 });
  // An error of either stream is thrown where `unpacked` is read.
  const unpacked = pipeline(source, createZstdDecompress(), () => undefined);
  addAbortSignal(signal, unpacked);
  const bytes = new Bytes(file, unpacked, () => visitor.read?.(source.bytesRead));
  try {
    const manifest = await readFrom(bytes, visitor);
    // The decompressor may end before the file does: what follows is read here.
    if (manifest.format >= formatWithTrailer && !(await endsWithItsHash(file, signal)))
      throw bytes.bad('its bytes are not those of its hash');
    return manifest;
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

async function readFrom(bytes: Bytes, visitor: BackupVisitor): Promise<Manifest> {
  const cover = await readCover(bytes);
  visitor.cover?.(cover);
  let files = 0;
  let size = 0;
  for (;;) {
    const head = bytes.parse<Head | { readonly end: Summary }>(await bytes.frame());
    if ('end' in head) {
      await bytes.end();
      return { ...cover, ...head.end, files, bytes: size };
    }
    if ('file' in head) {
      if (!isPlain(head.file)) throw bytes.bad(`${head.file} should not be there`);
      files++;
    }
    const sink = await visitor.section?.(head);
    try {
      for (let chunk = await bytes.frame(); chunk.length > 0; chunk = await bytes.frame()) {
        size += chunk.length;
        await sink?.write(chunk);
      }
      await sink?.end();
    } catch (e) {
      sink?.drop?.();
      throw e;
    }
  }
}

/** @throws BadBackup if the file is not a backup, or has a format that this version cannot read */
async function readCover(bytes: Bytes): Promise<Cover> {
  const start = await bytes.take(magic.length);
  // In the earlier format a backup was a tar of the server's files that began with its cover.
  if (start.equals(Buffer.from('assay-backup.json').subarray(0, magic.length))) {
    const size = Number.parseInt((await bytes.take(512 - start.length)).toString('latin1', 124 - start.length), 8);
    const { assay, postgres } = bytes.parse<Cover>(await bytes.take(Math.min(size, mostChunk)));
    throw bytes.named(
      `holds the files of a PostgreSQL ${postgres} server, which only the version reads that made it; restore it with that one (Assay ${assay}) and make a backup with this version`,
    );
  }
  if (!start.equals(magic)) throw bytes.named('is no backup of Assay');
  const cover = bytes.parse<Cover>(await bytes.frame());
  if (!(cover.format >= earliestFormat && cover.format <= backupFormat))
    throw bytes.named(
      `was made by Assay ${cover.assay} in a form that this version does not know; use that version or a later one`,
    );
  bytes.begun = true;
  return cover;
}

/** Reads a stream in pieces of requested lengths, and hashes them. */
class Bytes {
  readonly #file: string;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  readonly #read: () => void;
  #held: Buffer = Buffer.alloc(0);
  /** Whether the cover was read: the file is a backup, so later errors mean that it is damaged. */
  begun = false;

  constructor(file: string, stream: AsyncIterable<Buffer>, read: () => void) {
    this.#file = file;
    this.#chunks = stream[Symbol.asyncIterator]();
    this.#read = read;
  }

  named(what: string): BadBackup {
    return new BadBackup(`${this.#file} ${what}`);
  }

  bad(why: string): BadBackup {
    return this.named(this.begun ? `is cut off or damaged (${why})` : 'is no backup of Assay');
  }

  /** @throws BadBackup if fewer bytes are left; the file system's error if the file cannot be read */
  async take(length: number): Promise<Buffer> {
    const bytes = await this.#next(length);
    this.#hash.update(bytes);
    return bytes;
  }

  async frame(): Promise<Buffer> {
    const length = (await this.take(4)).readUInt32BE();
    if (length > mostChunk) throw this.bad('a piece is too long');
    return length === 0 ? Buffer.alloc(0) : this.take(length);
  }

  parse<T>(bytes: Buffer): T {
    try {
      return JSON.parse(bytes.toString()) as T;
    } catch {
      throw this.bad('a part of it cannot be read');
    }
  }

  /** @throws BadBackup if the hash at the end does not match, or more bytes follow */
  async end(): Promise<void> {
    const hash = this.#hash.digest();
    if (!(await this.#next(hash.length)).equals(hash)) throw this.bad('its hash is of other bytes');
    if (this.#held.length > 0 || (await this.#more())) throw this.bad('it goes on after its end');
  }

  async #next(length: number): Promise<Buffer> {
    const pieces = [this.#held];
    for (let have = this.#held.length; have < length; have += this.#held.length) {
      if (!(await this.#more())) throw this.bad('it ends too early');
      pieces.push(this.#held);
    }
    const all = pieces.length === 1 ? this.#held : Buffer.concat(pieces);
    this.#held = all.subarray(length);
    return all.subarray(0, length);
  }

  async #more(): Promise<boolean> {
    try {
      const { value, done } = await this.#chunks.next();
      this.#read();
      this.#held = done ? Buffer.alloc(0) : value;
      return !done;
    } catch (e) {
      const { name, code } = e as NodeJS.ErrnoException;
      if (name === 'AbortError' || (code !== undefined && /^E[A-Z]+$/.test(code))) throw e;
      throw this.bad((e as Error).message);
    }
  }
}

/** Whether a path leads into a folder that backups contain, and not out of it. */
const isPlain = (path: string): boolean =>
  /^(secrets|cdr|checkpoints)\//.test(path) &&
  !/[\\\0]/.test(path) &&
  path.split('/').every((s) => s !== '' && s !== '.' && s !== '..');
