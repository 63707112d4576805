// Validates the lines of a call detail file and groups them in portions: valid records, and rejected lines with all
// their findings. Every data line is in exactly one portion, once.
import { setImmediate as breathe } from 'node:timers/promises';
import { type Header, isFault, readRow } from '../../../core/cdr/csv.ts';
import { type Finding, ofLine, type Place } from '../../../core/cdr/file-findings.ts';
import type { RecordWarning } from '../../../core/cdr/findings.ts';
import { textLimits } from '../../../core/cdr/record.ts';
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

export interface Portion {
  readonly from: Place;
  readonly records: readonly ValidRecord[];
  readonly rejectedLines: readonly RejectedLine[];
  /** Where the next portion begins; undefined after the last one. */
  readonly next: Place | undefined;
}

export interface ValidateOptions extends RuleContext {
  readonly header: Header;
  /** Where reading begins. */
  readonly from: Place;
  readonly trailerLine: number | undefined;
  /** Most lines of a portion, and about how many bytes. */
  readonly lines: number;
  readonly bytes: number;
}

/** Lines validated (1 to 2 ms) before the thread yields to other orders. */
const stretch = 64;

/** @param source the file's bytes from `from` on */
export async function* validateLines(source: AsyncIterable<Buffer>, o: ValidateOptions): AsyncGenerator<Portion> {
  const day = new Date(o.now).toISOString().slice(0, 10);
  let from = o.from;
  let read = 0;
  let records: ValidRecord[] = [];
  let rejectedLines: RejectedLine[] = [];
  for await (const block of readLines(source, { maxLineBytes, line: from.line, offset: from.byteOffset }))
    for (const [i, text] of block.lines.entries()) {
      const line = block.firstLine + i;
      if (read >= o.lines || (read > 0 && block.offsetOf(i) - from.byteOffset >= o.bytes)) {
        const next = { line, byteOffset: block.offsetOf(i) };
        yield { from, records, rejectedLines, next };
        from = next;
        read = 0;
        records = [];
        rejectedLines = [];
      }
      read++;
      if (read % stretch === 0) await breathe();
      const fault = block.faults.get(i);
      if (line === 1 || line === o.trailerLine || (text === '' && fault === undefined)) continue;
      const place = { line, byteOffset: block.offsetOf(i) };
      if (fault !== undefined) {
        const raw = block.bytesOf(i).toString('utf8');
        const findings = [lineFault(place, fault, lineFaults[fault])];
        rejectedLines.push({ ...place, raw, cdrId: undefined, findings, value: undefined });
        continue;
      }
      const row = readRow(o.header, text);
      if (isFault(row)) {
        const findings = [lineFault(place, row.code, `the line ${row.message}`)];
        rejectedLines.push({ ...place, raw: text, cdrId: undefined, findings, value: undefined });
        continue;
      }
      const { record, errors, warnings } = checkRecord(row, o);
      if (record) records.push({ ...place, raw: text, record, warnings });
      else {
        const cdrId = readable(row.cdr_id);
        const findings = ofLine(place, cdrId, [...errors, ...warnings]);
        rejectedLines.push({ ...place, raw: text, cdrId, findings, value: valueOfLine(row, o.reference, day) });
      }
    }
  yield { from, records, rejectedLines, next: undefined };
}

const lineFault = (place: Place, code: string, message: string): Finding => ({
  ...place,
  code,
  severity: 'error',
  message,
});

/** The id of a rejected line, if it is valid; a corrected line is matched by it. */
const readable = (cdrId: string | undefined): string | undefined =>
  cdrId && cdrId.length <= textLimits.cdr_id && !steeringCharacter(cdrId) ? cdrId : undefined;
