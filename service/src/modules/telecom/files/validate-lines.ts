// Validates the lines of a call detail file and groups them in portions: valid records, and rejected lines with all
// their findings. Every data line is in exactly one portion, once.
import { setImmediate as breathe } from 'node:timers/promises';
import { type CsvFault, firstId, type Header, isBlank, isFault, readRow } from '../../../core/cdr/csv.ts';
import { type Finding, ofLine, type Place } from '../../../core/cdr/file-findings.ts';
import type { FileCode, RecordWarning } from '../../../core/cdr/findings.ts';
import { type RawRecord, textLimits } from '../../../core/cdr/record.ts';
import { type CallRecord, checkRecord, type RuleContext } from '../../../core/cdr/rules.ts';
import { type LineValue, valueOfLine } from '../../../core/cdr/value.ts';
import { steeringCharacter } from '../../../core/characters.ts';
import { readLines } from '../../../platform/lines.ts';
import { lineFaults, maxLineBytes } from './inspect.ts';

export interface ValidRecord extends Place {
  readonly raw: string;
  readonly record: CallRecord;
  readonly warnings: readonly RecordWarning[];
}

export interface RejectedLine extends Place {
  readonly raw: string;
  /** Where it can be read. */
  readonly cdrId: string | undefined;
  readonly findings: readonly Finding[];
  /** Where it can be read. */
  readonly value: LineValue | undefined;
}

/** Takes the lines of a portion as they are read, so that nothing that is not needed later waits for its end. */
export interface LineTaker {
  record(r: ValidRecord): void;
  rejected(l: RejectedLine): void;
}

export interface Portion<T extends LineTaker> {
  readonly from: Place;
  readonly lines: T;
  /** Where the next portion begins; undefined after the last one. */
  readonly next: Place | undefined;
}

export interface ValidateOptions extends RuleContext {
  readonly header: Header;
  /** Number of the header's line; data begins below. */
  readonly headerAt: number;
  /** Where reading begins. */
  readonly from: Place;
  readonly trailerLine: number | undefined;
  /** Most lines of a portion, and about how many bytes. */
  readonly lines: number;
  readonly bytes: number;
}

/** What is not UTF-8 is Windows-1252 or Latin-1 in most files: read as that, none of its letters is lost. */
const notUtf8 = new TextDecoder('windows-1252');

/** Lines validated (1 to 2 ms) before the thread yields to other orders. */
const stretch = 64;

/**
 * @param source the file's bytes from `from` on
 * @param begin called at the beginning of each portion
 */
export async function* validateLines<T extends LineTaker>(
  source: AsyncIterable<Buffer>,
  o: ValidateOptions,
  begin: () => T,
): AsyncGenerator<Portion<T>> {
  const day = new Date(o.now).toISOString().slice(0, 10);
  let from = o.from;
  let read = 0;
  let lines = begin();
  /** Rejects a line that is no row. Its id is shown, and a corrected line matched by it, as far as it can be read. */
  const reject = (place: Place, raw: string, row: RawRecord | CsvFault, code: FileCode, message: string): void => {
    const cdrId = readable(isFault(row) ? firstId(o.header, raw) : row.cdr_id);
    const value = isFault(row) ? undefined : valueOfLine(row, o.reference, day);
    lines.rejected({
      ...place,
      raw,
      cdrId,
      findings: ofLine(place, cdrId, [{ code, severity: 'error', message }]),
      value,
    });
  };
  for await (const block of readLines(source, { maxLineBytes, line: from.line, offset: from.byteOffset }))
    for (const [i, text] of block.lines.entries()) {
      const line = block.firstLine + i;
      if (read >= o.lines || (read > 0 && block.offsetOf(i) - from.byteOffset >= o.bytes)) {
        const next = { line, byteOffset: block.offsetOf(i) };
        yield { from, lines, next };
        from = next;
        read = 0;
        lines = begin();
      }
      read++;
      if (read % stretch === 0) await breathe();
      const fault = block.faults.get(i);
      if (line <= o.headerAt || line === o.trailerLine || (fault === undefined && isBlank(text))) continue;
      const place = { line, byteOffset: block.offsetOf(i) };
      if (fault !== undefined) {
        const bytes = block.bytesOf(i);
        const raw = fault === 'NOT_UTF8' ? notUtf8.decode(bytes) : bytes.toString('utf8');
        reject(place, raw, readRow(o.header, raw), fault, lineFaults[fault]);
        continue;
      }
      const row = readRow(o.header, text);
      if (isFault(row)) {
        reject(place, text, row, row.code, String(row.message));
        continue;
      }
      const { record, errors, warnings } = checkRecord(row, o);
      if (record) lines.record({ ...place, raw: text, record, warnings });
      else {
        const cdrId = readable(row.cdr_id);
        const findings = ofLine(place, cdrId, [...errors, ...warnings]);
        lines.rejected({ ...place, raw: text, cdrId, findings, value: valueOfLine(row, o.reference, day) });
      }
    }
  yield { from, lines, next: undefined };
}

/** @returns the record of a line that was valid when its portion was read */
export function recordOfLine(text: string, o: ValidateOptions): CallRecord {
  const row = readRow(o.header, text);
  const { record } = isFault(row) ? {} : checkRecord(row, o);
  if (!record) throw new Error('a line that was valid is not any more');
  return record;
}

/** The id of a rejected line, if it is valid; a corrected line is matched by it. */
const readable = (cdrId: string | undefined): string | undefined =>
  cdrId && cdrId.length <= textLimits.cdr_id && !steeringCharacter(cdrId) ? cdrId : undefined;
