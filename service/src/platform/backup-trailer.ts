// The end of a backup file: a zstd frame that decompressors skip, with the SHA-256 of every byte of the file before it. So
// a changed or missing byte is found even where it decompresses to the same.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform, type TransformCallback } from 'node:stream';

const head = Buffer.from('502a4d1820000000', 'hex');
const length = head.length + 32;

/** Passes the bytes of a file on, and the trailer after them. */
export class TrailerWriter extends Transform {
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.concat([head, this.#hash.digest()]));
  }
}

/** Whether a file ends with a trailer of just its bytes. @throws the file system's error */
export async function endsWithItsHash(file: string, signal: AbortSignal): Promise<boolean> {
  const hash = createHash('sha256');
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18, signal })) {
    const all = Buffer.concat([held, chunk]);
    const before = Math.max(0, all.length - length);
    hash.update(all.subarray(0, before));
    held = all.subarray(before);
  }
  return held.equals(Buffer.concat([head, hash.digest()]));
}
