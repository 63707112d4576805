// The outcome of a portion's lines: the forms in which the threads exchange it, its sums, and lines that conflict with
// records. It has no state and no keys.
import type { Finding, Place } from '../../../core/cdr/file-findings.ts';
import type { CallRecord } from '../../../core/cdr/rules.ts';
import type { LineValue } from '../../../core/cdr/value.ts';
import { parseDecimal, pow10 } from '../../../core/money.ts';
import { phrase, stored } from '../../../core/said.ts';
import type { RejectedLine } from './validate-lines.ts';

/** A rejected line, as it is stored. */
export interface SealedLine extends Place {
  readonly cdrId: string | undefined;
  readonly rawSealed: string;
  /** JSON. */
  readonly findings: string;
  readonly value: LineValue | undefined;
}

export interface WarnedLine extends Place {
  readonly cdrId: string;
  /** JSON. */
  readonly findings: string;
}

/** The result for a portion's lines. */
export interface Outcome {
  readonly recorded: number;
  readonly firstId: string | undefined;
  readonly lastId: string | undefined;
  /** Over ids, `cdr_id`s and contents of what was recorded, hex. */
  readonly sha256: string;
  /** Over the digests of the recorded rows, each with a line end, hex. */
  readonly rowsSha256: string;
  /** Of those recorded: rows in place of existing records, which are to be written yet. */
  readonly corrections: readonly Correction[];
  readonly duplicate: number;
  readonly rejected: number;
  readonly warned: number;
  /** How often each code was given. */
  readonly codes: Readonly<Record<string, number>>;
  /** Sum over recorded lines and duplicates. */
  readonly durationS: bigint;
  readonly cost: { readonly units: bigint; readonly scale: number };
  /** The first rejected lines, at most as many as requested. */
  readonly rejectedLines: readonly SealedLine[];
  readonly warnings: readonly WarnedLine[];
}

/** The record already stored under an operator's id. */
export interface ExistingRecord {
  readonly id: string;
  readonly content: string;
  readonly record: string;
  readonly refRevision: number;
  readonly isWithdrawn: boolean;
  /** Whether it was recorded before the file was picked up: later ones are not corrected by it. */
  readonly isEarlier: boolean;
}

interface Correction {
  readonly cdrId: string;
  /** Id of the new row. */
  readonly id: string;
}

/** The most rejected lines and warnings to list individually; all of them are counted. */
export interface Wanted {
  readonly rejectedLines: number;
  readonly warnings: number;
}

/** The recorded lines of a portion, in the order of their ids. */
export interface RecordedLines {
  readonly lines: readonly number[];
  readonly cdrIds: readonly string[];
}

/** Persons whose numbers or data are in a portion, by position. */
export interface PersonsSeen {
  readonly subjects: readonly string[];
  /** The number is to be stored with a new key. */
  readonly numbers: readonly (string | undefined)[];
  /** Whether any part of a record is sealed under the key. */
  readonly seals: readonly boolean[];
}

/** A valid line that is kept out, since its id is on record with other content, was withdrawn, or is in the archive. */
export function conflict(
  { line, byteOffset, raw, cdrId }: Place & { readonly raw: string; readonly cdrId: string },
  { cost, currency }: CallRecord,
  message: string,
): RejectedLine {
  const finding: Finding = {
    line,
    byteOffset,
    cdr_id: cdrId,
    column: 'cdr_id',
    code: 'CDR_ID_CONFLICT',
    severity: 'error',
    message,
  };
  return { line, byteOffset, raw, cdrId, findings: [finding], value: { cost, currency } };
}

/** @param column that differs @param existing undefined if it is in the archive @param corrects whether the file does */
export function conflictSaid(
  existing: ExistingRecord | undefined,
  column: string | undefined,
  corrects: boolean,
): string {
  if (existing === undefined) return stored`the cdr_id is on record already, and its record is in the archive`;
  if (corrects) return stored`the cdr_id was recorded since the file was picked up, by a line above or otherwise`;
  return existing.isWithdrawn
    ? stored`the record with the cdr_id was withdrawn; a file that begins with #CORRECTION,reason records it again`
    : stored`the cdr_id is on record with another '${column ?? phrase('content')}'`;
}

interface Counted {
  readonly durationS: number;
  /** Plain decimal text. */
  readonly cost: string;
}

/** The sums over all the lines. */
export function sums(...lists: readonly (readonly Counted[])[]): Pick<Outcome, 'durationS' | 'cost'> {
  let durationS = 0;
  let units = 0n;
  let scale = 0;
  for (const list of lists)
    for (const r of list) {
      durationS += r.durationS;
      const cost = parseDecimal(r.cost);
      if (!cost) continue;
      if (cost.scale > scale) {
        units *= pow10(cost.scale - scale);
        scale = cost.scale;
      }
      units += cost.units * pow10(scale - cost.scale);
    }
  return { durationS: BigInt(durationS), cost: { units, scale } };
}
