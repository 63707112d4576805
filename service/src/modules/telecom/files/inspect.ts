// The first reading of a call detail file: its hash, number of data lines, header and trailer. An error found here
// rejects the whole file before any line is recorded.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type CsvFault,
  type Header,
  isBlank,
  isCorrection,
  isFault,
  isTrailer,
  readCorrection,
  readHeader,
  readTrailer,
  type Trailer,
  trailerFault,
  trailerHead,
} from '../../../core/cdr/csv.ts';
import type { Finding } from '../../../core/cdr/file-findings.ts';
import { shownPlainly } from '../../../core/characters.ts';
import { said, stored } from '../../../core/said.ts';
import { readLines } from '../../../platform/lines.ts';

/** Longest line in bytes; a record with every field at its limit has less than a tenth of it. */
export const maxLineBytes = 1 << 16;

/** The result of the first reading of a file. */
export interface Opened {
  /** Undefined if the header is not usable. */
  readonly header: Header | undefined;
  /** As it stands in the file, with the line above it that marks a correction. */
  readonly headerLine: string;
  /** Number of its line. */
  readonly headerAt: number;
  /** Why the file corrects what is on record; undefined if it does not. */
  readonly correction: string | undefined;
  readonly trailerLine: number | undefined;
  readonly trailer: Trailer | undefined;
  readonly findings: readonly Finding[];
  readonly sha256: string;
  readonly lines: number;
}

interface Inspected {
  /** Hex. */
  readonly sha256: string;
  /** Lines that hold data: all but the header, the trailer and empty ones. */
  readonly lines: number;
  /** Number and place of the trailer's line. */
  readonly trailerLine: number | undefined;
  readonly trailerOffset: number | undefined;
  /** The line that the file ends in without a line end, unless that is the trailer. */
  readonly openLine: number | undefined;
}

const newline = 10;
const carriageReturn = 13;

/** The bytes of a file from `start` on. */
export const readFrom = (path: string, start = 0): AsyncIterable<Buffer> =>
  createReadStream(path, { start, highWaterMark: 1 << 18 });

const noRecords: Finding = {
  line: 1,
  code: 'NO_RECORDS',
  severity: 'warning',
  message: stored`the file has a header and no records: nothing was recorded`,
};

const lastLineOpen = (line: number): Finding => ({
  line,
  code: 'LAST_LINE_OPEN',
  severity: 'warning',
  message: stored`the last line does not end with LF: if the upload was broken off there, send the whole file again under another name`,
});

/**
 * Reads a whole file, yielding after about `bytes` bytes so that other work gets a turn. Nothing changes the file while
 * it is processed.
 */
export async function* openFile(path: string, bytes: number): AsyncGenerator<undefined, Opened> {
  const { header, line: headerLine, at: headerAt = 1, correction, findings } = await openHeader(readFrom(path));
  const { sha256, lines, trailerLine, trailerOffset, openLine } = yield* inspect(readFrom(path), bytes, headerAt);
  const found = [
    ...findings,
    ...(header && lines === 0 ? [noRecords] : []),
    ...(header && lines > 0 && openLine !== undefined ? [lastLineOpen(openLine)] : []),
  ];
  const opened = {
    header,
    headerLine,
    headerAt,
    correction,
    trailerLine,
    trailer: undefined,
    findings: found,
    sha256,
    lines,
  };
  if (!header || trailerLine === undefined || trailerOffset === undefined) return opened;
  const read = checkTrailer(await readText(path, trailerOffset, 1000), trailerLine, lines);
  return 'records' in read ? { ...opened, trailer: read } : { ...opened, findings: [...found, read] };
}

/** The line that begins at byte `start`, without its line end; at most `most` bytes of it. */
async function readText(path: string, start: number, most: number): Promise<string> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, start);
    return (buffer.subarray(0, bytesRead).toString('utf8').split('\n')[0] as string).replace(/\r$/, '');
  } finally {
    await handle.close();
  }
}

/** Computes hash, lines and trailer in memory that does not grow with the file. */
async function* inspect(
  source: AsyncIterable<Buffer>,
  bytes: number,
  headerAt: number,
): AsyncGenerator<undefined, Inspected> {
  const hash = createHash('sha256');
  let read = 0;
  let line = 1;
  let filled = 0;
  let lastFilled = 0;
  /** Beginning of the current line and of the last one that is not empty. */
  let begun = '';
  let last = '';
  let length = 0;
  let offset = 0;
  let lastOffset = 0;
  let holds = false;
  const grow = (bytes: Buffer) => {
    length += bytes.length;
    if (begun.length < trailerHead) begun += bytes.subarray(0, trailerHead).toString('latin1');
    // Most lines hold something in their first bytes.
    holds ||= !isBlank(bytes.toString('latin1', 0, 32)) || !isBlank(bytes.toString('latin1', 32));
  };
  const end = () => {
    if (holds) {
      if (line > headerAt) filled++;
      lastFilled = line;
      last = begun;
      lastOffset = offset;
    }
    offset += length + 1;
    line++;
    begun = '';
    holds = false;
    length = 0;
  };
  for await (const chunk of source) {
    hash.update(chunk);
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      grow(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    grow(chunk.subarray(from));
    read += chunk.length;
    if (read < bytes) continue;
    read = 0;
    yield undefined;
  }
  const openLine = holds ? line : undefined;
  end();
  const closed = lastFilled > headerAt && isTrailer(last.slice(0, trailerHead).trimEnd());
  return {
    sha256: hash.digest('hex'),
    lines: closed ? filled - 1 : filled,
    trailerLine: closed ? lastFilled : undefined,
    trailerOffset: closed ? lastOffset : undefined,
    openLine: closed ? undefined : openLine,
  };
}

/** A finding about the whole file, at the line where it was found. */
const whole = (line: number, f: CsvFault): Finding => ({
  line,
  code: f.code,
  severity: 'error',
  message: String(f.message),
});

const loneReturns = whole(1, {
  code: 'LINE_ENDS',
  message: said`the lines end with CR alone, as old Macintosh programs write them; end them with LF or CRLF`,
});

/** Reads the header. Unknown column names are reported as findings and ignored. */
async function openHeader(source: AsyncIterable<Buffer>): Promise<{
  header?: Header;
  line: string;
  at?: number;
  correction?: string;
  findings: readonly Finding[];
}> {
  for await (const block of readLines(source, { maxLineBytes })) {
    const fault = block.faults.get(0);
    const encoding = encodingOf(block.bytesOf(0));
    if (encoding) return { line: '', findings: [{ line: 1, code: 'NOT_UTF8', severity: 'error', message: encoding }] };
    // Line ends are known by the first one: a file with CR alone is one line, mostly too long to be one.
    if (block.bytesOf(0).includes(carriageReturn)) return { line: '', findings: [loneReturns] };
    if (fault !== undefined)
      return { line: '', findings: [{ line: 1, code: fault, severity: 'error', message: lineFaults[fault] }] };
    // PostgreSQL cannot store NUL in text.
    const line = (block.lines[0] ?? '').replaceAll('\0', '');
    if (isCorrection(line)) return openCorrection(line, block.lines[1]?.replaceAll('\0', '') ?? '');
    return { line, ...headerIn(line, 1) };
  }
  const message = stored`the file is empty; its first line must name the columns`;
  return { line: '', findings: [{ line: 1, code: 'HEADER_MISSING', severity: 'error', message }] };
}

function openCorrection(mark: string, header: string) {
  const line = `${mark}\r\n${header}`;
  const read = readCorrection(mark);
  if (isFault(read)) return { line, at: 2, findings: [whole(1, read)] };
  return { line, at: 2, correction: read.reason, ...headerIn(header, 2) };
}

/** @param at number of its line */
function headerIn(line: string, at: number): { header?: Header; findings: readonly Finding[] } {
  const header = readHeader(line);
  if (!('columns' in header)) return { findings: header.map((f) => whole(at, f)) };
  const { unknown } = header;
  if (unknown.length === 0) return { header, findings: [] };
  const names = unknown.slice(0, 10).map((n) => `'${shownPlainly(n.slice(0, 40))}'`);
  const rest = unknown.length - names.length;
  const message =
    rest > 0
      ? stored`columns that are not known are passed over: ${names.join(', ')} and ${rest} more`
      : stored`columns that are not known are passed over: ${names.join(', ')}`;
  return { header, findings: [{ line: at, code: 'COLUMN_UNKNOWN', severity: 'warning', message }] };
}

/** What a file is in place of text in UTF-8, by its first line; undefined for text. */
function encodingOf(first: Buffer): string | undefined {
  const begins = (...bytes: number[]) => bytes.every((b, i) => first[i] === b);
  if (begins(0x1f, 0x8b) || begins(0x50, 0x4b, 3, 4)) return stored`the file is compressed; send it unpacked`;
  // In UTF-16 each letter of a column's name has a NUL beside it.
  const letters = first.subarray(0, 8);
  const everySecond = [0, 1].some(
    (odd) => letters.length === 8 && letters.every((b, i) => (b === 0) === (i % 2 === odd)),
  );
  return begins(0xff, 0xfe) || begins(0xfe, 0xff) || everySecond
    ? stored`the file is not text in UTF-8, but as it seems in UTF-16; write it in UTF-8`
    : undefined;
}

/** Reads the trailer's line and compares it with the number of lines in the file. */
function checkTrailer(text: string, line: number, lines: number): Trailer | Finding {
  const trailer = readTrailer(text);
  if (isFault(trailer)) return whole(line, trailer);
  const fault = trailerFault(trailer, lines);
  return fault ? whole(line, fault) : trailer;
}

export const lineFaults = {
  NOT_UTF8: stored`the line is not text in UTF-8`,
  LINE_TOO_LONG: stored`the line is longer than ${maxLineBytes} bytes`,
} as const;
