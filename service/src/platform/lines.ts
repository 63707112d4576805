// Splits a stream of bytes into lines, many at a time, with constant memory. Gives the number and offset of every line;
// a line that is not UTF-8 or has no end does not affect others.
import { TextDecoder } from 'node:util';

type LineFault = 'NOT_UTF8' | 'LINE_TOO_LONG';

/** Consecutive lines. */
export interface LineBlock {
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  /** Without line ends (LF or CRLF); empty if a line has a fault. */
  readonly lines: readonly string[];
  /** By index in `lines`. */
  readonly faults: ReadonlyMap<number, LineFault>;
  /** Bytes of the stream before the line at this index. */
  offsetOf(index: number): number;
  /** The line's bytes as received, without its end; only the beginning of a line that is too long. */
  bytesOf(index: number): Buffer;
}

export interface LineOptions {
  readonly maxLineBytes: number;
  /** Number and offset of the first line, if the stream is the rest of a longer one. */
  readonly line?: number;
  readonly offset?: number;
}

const newline = 10;
const carriageReturn = 13;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The stream's lines. The last line needs no end; nothing follows a final LF. */
export async function* readLines(
  source: AsyncIterable<Buffer>,
  { maxLineBytes, line: firstLine = 1, offset: start = 0 }: LineOptions,
): AsyncGenerator<LineBlock> {
  let line = firstLine;
  let offset = start;
  /** The beginning of a line whose end has not arrived yet. */
  let begun: Buffer[] = [];
  let begunBytes = 0;
  /** Bytes of it that were dropped because it is too long. */
  let lost = 0;

  const take = (end: Buffer): LineBlock | undefined => {
    let bytes = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    const next = offset + bytes.length + lost;
    if (offset === 0 && bytes.subarray(0, 3).equals(mark)) {
      bytes = bytes.subarray(3);
      offset = 3;
    }
    const block = bytes.length === 0 ? undefined : new Block(bytes, line, offset, lost, maxLineBytes);
    line += block?.lines.length ?? 0;
    offset = next;
    begun = [];
    begunBytes = 0;
    lost = 0;
    return block;
  };

  for await (const chunk of source) {
    const end = chunk.lastIndexOf(newline) + 1;
    const block = end > 0 ? take(chunk.subarray(0, end)) : undefined;
    if (block) yield block;
    const rest = chunk.subarray(end);
    // Room for a UTF-8 byte order mark and a carriage return in addition to the line's maximum.
    const kept = rest.subarray(0, Math.max(0, maxLineBytes + 4 - begunBytes));
    // A copy, so that the chunk can be freed.
    if (kept.length > 0) begun.push(Buffer.from(kept));
    begunBytes += kept.length;
    lost += rest.length - kept.length;
  }
  const block = take(Buffer.alloc(0));
  if (block) yield block;
}

class Block implements LineBlock {
  readonly firstLine: number;
  readonly lines: string[];
  readonly faults = new Map<number, LineFault>();
  readonly #bytes: Buffer;
  readonly #offset: number;
  readonly #lost: number;
  readonly #maxLineBytes: number;
  #starts: readonly number[] | undefined;

  constructor(bytes: Buffer, firstLine: number, offset: number, lost: number, maxLineBytes: number) {
    this.#bytes = bytes;
    this.firstLine = firstLine;
    this.#offset = offset;
    this.#lost = lost;
    this.#maxLineBytes = maxLineBytes;
    this.lines = this.#decode();
    for (const [i, text] of this.lines.entries()) {
      if (text.endsWith('\r')) this.lines[i] = text.slice(0, -1);
      // A UTF-16 unit takes at most three bytes.
      if ((i > 0 || lost === 0) && (text.length * 3 <= maxLineBytes || this.#lengthOf(i) <= maxLineBytes)) continue;
      this.faults.set(i, 'LINE_TOO_LONG');
      this.lines[i] = '';
    }
  }

  offsetOf(index: number): number {
    // The dropped bytes were in the first line.
    return this.#offset + this.#startOf(index) + (index > 0 ? this.#lost : 0);
  }

  bytesOf(index: number): Buffer {
    const start = this.#startOf(index);
    return this.#bytes.subarray(start, start + Math.min(this.#lengthOf(index), this.#maxLineBytes));
  }

  /** Decodes everything at once if all of it is UTF-8, else line by line. */
  #decode(): string[] {
    try {
      const lines = utf8.decode(this.#bytes).split('\n');
      if (this.#bytes.at(-1) === newline) lines.pop();
      return lines;
    } catch {
      this.#startOf(0);
      return (this.#starts ?? []).map((start, i) => {
        try {
          return utf8.decode(this.#bytes.subarray(start, this.#endOf(i)));
        } catch {
          this.faults.set(i, 'NOT_UTF8');
          return '';
        }
      });
    }
  }

  #startOf(index: number): number {
    if (!this.#starts) {
      const starts = [0];
      for (let at = this.#bytes.indexOf(newline); at >= 0; at = this.#bytes.indexOf(newline, at + 1))
        starts.push(at + 1);
      if (starts.at(-1) === this.#bytes.length) starts.pop();
      this.#starts = starts;
    }
    return this.#starts[index] as number;
  }

  /** Position of the line's LF, or where it would be. */
  #endOf(index: number): number {
    const found = this.#bytes.indexOf(newline, this.#startOf(index));
    return found < 0 ? this.#bytes.length : found;
  }

  /** Number of bytes without the line's end. */
  #lengthOf(index: number): number {
    const start = this.#startOf(index);
    const end = this.#endOf(index);
    return end - start - (end > start && this.#bytes[end - 1] === carriageReturn ? 1 : 0);
  }
}
