// Reads a backup's archive and believes none of it: every entry has a plain path and stands in the manifest with the size
// and hash that were read, or the archive is refused whole. What is done with the files is the visitor's affair.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { archiveFormat, type Cover, coverName, type Listed, type Manifest, manifestName } from './backup-archive.ts';

/** An archive that cannot be used, with a sentence that says why. */
export class BadArchive extends Error {}

/** Takes the content of a file. */
export interface Sink {
  write(chunk: Buffer): void;
  end(): void;
}

export interface ArchiveVisitor {
  /** May refuse by throwing; nothing else has been read by then. */
  cover?(cover: Cover): void;
  folder?(path: string, mode: number): void;
  file?(path: string, mode: number, size: number): Sink | undefined;
  /** Compressed bytes read so far. */
  read?(bytes: number): void;
}

/** Ends the reading where the cover is all that was asked for. */
const enough = new Error('enough');

/** @throws BadArchive where it is none, or of a form that this version does not know */
export async function readCover(file: string): Promise<Cover> {
  let found: Cover | undefined;
  try {
    const cover = (c: Cover) => {
      found = c;
      throw enough;
    };
    await readArchive(file, { cover }, new AbortController().signal);
  } catch (e) {
    if (e !== enough) throw e;
  }
  return found as Cover;
}

/**
 * Reads an archive to its end and checks all of it against its manifest.
 * @throws BadArchive where it is none, is cut off or was changed
 */
export async function readArchive(file: string, visitor: ArchiveVisitor, signal: AbortSignal): Promise<Manifest> {
  const reading = new Reading(file, visitor);
  try {
    const source = createReadStream(file, { highWaterMark: 1 << 18 });
    await pipeline(
      source,
      createZstdDecompress(),
      async (tar: AsyncIterable<Buffer>) => {
        for await (const chunk of tar) {
          reading.take(chunk);
          visitor.read?.(source.bytesRead);
        }
        reading.end();
      },
      { signal },
    );
  } catch (e) {
    // What the visitor threw is no damage: a refusal, a full disk.
    if (reading.ownFault !== undefined) throw reading.ownFault;
    const { code } = e as NodeJS.ErrnoException;
    if (e instanceof BadArchive || signal.aborted || (code !== undefined && /^E[A-Z]+$/.test(code))) throw e;
    throw reading.bad((e as Error).message);
  }
  return reading.manifest();
}

/** One archive while it is read: entries in, checked files out. */
class Reading {
  readonly #file: string;
  readonly #visitor: ArchiveVisitor;
  readonly #parser = new Parser({ strict: true });
  readonly #seen = new Map<string, Listed>();
  #cover: Cover | undefined;
  #manifest: Manifest | undefined;
  #failed: unknown;
  /** What the visitor threw. */
  ownFault: unknown;

  constructor(file: string, visitor: ArchiveVisitor) {
    this.#file = file;
    this.#visitor = visitor;
    this.#parser.on('entry', (entry: ReadEntry) => this.#enter(entry));
    this.#parser.on('error', (e: unknown) => {
      this.#failed ??= e;
    });
  }

  take(chunk: Buffer): void {
    this.#parser.write(chunk);
    if (this.#failed) throw this.#failed;
  }

  end(): void {
    this.#parser.end();
    if (this.#failed) throw this.#failed;
  }

  bad(why: string): BadArchive {
    return new BadArchive(
      this.#cover ? `${this.#file} is cut off or damaged (${why})` : `${this.#file} is no backup of Assay`,
    );
  }

  /** @throws BadArchive where it does not list exactly what was read */
  manifest(): Manifest {
    const manifest = this.#manifest;
    if (!manifest) throw this.bad('it has no manifest');
    if (manifest.files.length !== this.#seen.size) throw this.bad('files are missing, or too many');
    for (const f of manifest.files) {
      const seen = this.#seen.get(f.path);
      if (seen?.sha256 !== f.sha256 || seen.size !== f.size) throw this.bad(`${f.path} is not what was backed up`);
    }
    return manifest;
  }

  #enter(entry: ReadEntry): void {
    // What is thrown here would leave the parser in the middle of its work: kept, and thrown by who called it.
    const attempt = (work: () => void) => {
      if (this.#failed) return;
      try {
        work();
      } catch (e) {
        this.#failed = e;
      }
    };
    let sink: Sink | undefined;
    attempt(() => {
      sink = this.#open(entry);
    });
    entry.on('data', (chunk: Buffer) => attempt(() => sink?.write(chunk)));
    entry.on('end', () => attempt(() => sink?.end()));
  }

  #open(entry: ReadEntry): Sink | undefined {
    const path = entry.path.replace(/\/$/, '');
    if (!this.#cover && path !== coverName) throw this.bad('no cover');
    if (this.#manifest || !isPlain(path) || this.#seen.has(path)) throw this.bad(`${path} should not be there`);
    if (path === coverName) return this.#document((value) => this.#begin(value as Cover));
    if (path === manifestName)
      return this.#document((value) => {
        this.#manifest = value as Manifest;
      });
    const mode = (entry.mode ?? 0) & 0o777;
    if (entry.type === 'Directory') {
      this.#visit(() => this.#visitor.folder?.(path, mode));
      return undefined;
    }
    if (entry.type !== 'File') throw this.bad(`${path} is neither file nor folder`);
    const hash: Hash = createHash('sha256');
    const own = this.#visit(() => this.#visitor.file?.(path, mode, entry.size));
    return {
      write: (chunk) => {
        hash.update(chunk);
        this.#visit(() => own?.write(chunk));
      },
      end: () => {
        this.#visit(() => own?.end());
        this.#seen.set(path, { path, size: entry.size, sha256: hash.digest('hex') });
      },
    };
  }

  #begin(cover: Cover): void {
    if (!Number.isInteger(cover?.format)) throw this.bad('no cover');
    if (cover.format > archiveFormat)
      throw new BadArchive(
        `${this.#file} was made by Assay ${cover.assay} in a form that this version does not know; use that version or a later one`,
      );
    this.#cover = cover;
    this.#visit(() => this.#visitor.cover?.(cover));
  }

  #document(take: (value: unknown) => void): Sink {
    const chunks: Buffer[] = [];
    return { write: (chunk) => void chunks.push(chunk), end: () => take(JSON.parse(Buffer.concat(chunks).toString())) };
  }

  #visit<T>(work: () => T): T {
    try {
      return work();
    } catch (e) {
      this.ownFault ??= e;
      throw e;
    }
  }
}

/** A path to where backups keep things, and nowhere else. */
const isPlain = (path: string): boolean =>
  /^((postgres|secrets|cdr|checkpoints)(\/|$)|assay-backup\.json$|manifest\.json$)/.test(path) &&
  !/[\\\0]/.test(path) &&
  path.split('/').every((s) => s !== '' && s !== '.' && s !== '..');
