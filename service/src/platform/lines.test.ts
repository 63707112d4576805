// Splitting bytes into lines: the same whatever the chunks, each with its number and offset.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from './lines.ts';

interface Line {
  readonly number: number;
  readonly text: string;
  readonly fault?: string;
  readonly offset: number;
  readonly bytes: string;
}

async function linesOf(bytes: Buffer, sizes: readonly number[], maxLineBytes = 1000): Promise<Line[]> {
  async function* pieces() {
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const size = sizes.length === 0 ? bytes.length : (sizes[i % sizes.length] as number);
      yield bytes.subarray(at, at + size);
      at += size;
    }
  }
  const out: Line[] = [];
  for await (const b of readLines(pieces(), { maxLineBytes }))
    for (const [i, text] of b.lines.entries()) {
      const fault = b.faults.get(i);
      out.push({
        number: b.firstLine + i,
        text,
        ...(fault ? { fault } : {}),
        offset: b.offsetOf(i),
        bytes: b.bytesOf(i).toString('latin1'),
      });
    }
  return out;
}

/** The same in the simplest way. */
function expected(bytes: Buffer, maxLineBytes = 1000): Line[] {
  const out: Line[] = [];
  let at = bytes.subarray(0, 3).toString('latin1') === '\xef\xbb\xbf' ? 3 : 0;
  while (at < bytes.length) {
    const found = bytes.indexOf(10, at);
    const end = found < 0 ? bytes.length : found;
    let line = bytes.subarray(at, end);
    if (line.at(-1) === 13) line = line.subarray(0, -1);
    const kept = line.subarray(0, maxLineBytes);
    const base = { number: out.length + 1, offset: at, bytes: kept.toString('latin1') };
    const text = line.toString('utf8');
    if (line.length > maxLineBytes) out.push({ ...base, text: '', fault: 'LINE_TOO_LONG' });
    else if (Buffer.from(text).equals(line)) out.push({ ...base, text });
    else out.push({ ...base, text: '', fault: 'NOT_UTF8' });
    at = end + 1;
  }
  return out;
}

const part = fc
  .constantFrom('\n', '\r\n', 'a', ',', '"', 'é', '😀', '\ufeff', '\r', 'row', '')
  .map((s) => Buffer.from(s));
const wild = fc.oneof({ weight: 30, arbitrary: part }, { weight: 1, arbitrary: fc.constant(Buffer.from([0xff])) });
const file = fc.array(wild, { maxLength: 60 }).map((parts) => Buffer.concat(parts));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 });

describe('lines', () => {
  it('are the same whatever pieces the bytes come in', async () => {
    await fc.assert(
      fc.asyncProperty(file, sizes, async (bytes, cut) => {
        expect(await linesOf(bytes, cut)).toEqual(expected(bytes));
      }),
      { numRuns: 3000 },
    );
  });

  it('that are too long are told, and harm no other', async () => {
    await fc.assert(
      fc.asyncProperty(file, sizes, fc.integer({ min: 1, max: 12 }), async (bytes, cut, max) => {
        const found = await linesOf(bytes, cut, max);
        const wanted = expected(bytes, max);
        expect(found.map((l) => [l.number, l.offset, l.text, l.fault === undefined])).toEqual(
          wanted.map((l) => [l.number, l.offset, l.text, l.fault === undefined]),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('without an end take no memory', async () => {
    const chunk = Buffer.alloc(1 << 20, 'x');
    async function* endless() {
      for (let i = 0; i < 200; i++) yield chunk;
      yield Buffer.from('\nb\n');
    }
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const seen: [string, string | undefined][] = [];
    for await (const b of readLines(endless(), { maxLineBytes: 1000 })) {
      most = Math.max(most, process.memoryUsage().arrayBuffers);
      for (const [i, text] of b.lines.entries()) seen.push([text, b.faults.get(i)]);
      expect(b.offsetOf(1)).toBe((200 << 20) + 1);
    }
    expect(seen).toEqual([
      ['', 'LINE_TOO_LONG'],
      ['b', undefined],
    ]);
    expect(most - before).toBeLessThan(20 << 20);
  });

  it('of nothing are none; a first mark of UTF-8 is no text', async () => {
    expect(await linesOf(Buffer.alloc(0), [])).toEqual([]);
    expect(await linesOf(Buffer.from('\ufeffcdr_id\r\n'), [])).toEqual([
      { number: 1, text: 'cdr_id', offset: 3, bytes: 'cdr_id' },
    ]);
  });

  it('of the rest of a longer stream keep the numbers and places they have in it', async () => {
    const seen: unknown[] = [];
    const rest = (async function* () {
      yield Buffer.from('\ufeffb\nc\n');
    })();
    for await (const b of readLines(rest, { maxLineBytes: 1000, line: 7, offset: 40 }))
      seen.push(b.firstLine, b.lines, b.offsetOf(1));
    // A UTF-8 byte order mark counts only at the beginning of the stream.
    expect(seen).toEqual([7, ['\ufeffb', 'c'], 45]);
  });
});
