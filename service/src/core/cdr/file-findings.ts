// Findings about a file and its lines, as they are stored and shown.
import type { ErrorCode, FileCode, WarningCode } from './findings.ts';

/** One error or warning. */
export interface Finding {
  readonly line: number;
  /** Bytes of the file before the line. */
  readonly byteOffset?: number;
  readonly cdr_id?: string;
  readonly column?: string;
  readonly code: ErrorCode | WarningCode | FileCode;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly value?: string;
}

/** The position of a line in its file. */
export interface Place {
  readonly line: number;
  readonly byteOffset: number;
}

/** Number of lines by result. Every data line is accepted, rejected or a duplicate. */
interface Counts {
  accepted: number;
  /** Accepted lines that took the place of another record; absent if there are none. */
  corrected?: number;
  rejected: number;
  duplicate: number;
  /** Accepted lines with warnings. */
  warned: number;
}

/** Totals of the portions of a file recorded so far. */
export interface Tally {
  readonly counts: Counts;
  /** How often each code was given. */
  readonly codes: Record<string, number>;
  /** Sum over accepted lines and duplicates. */
  durationS: string;
  /** An exact sum with any number of digits. */
  cost: { units: string; scale: number };
  /** Number of lines whose warnings are stored for the list of findings. */
  warningsKept: number;
  /** Rejected lines that were put into suspense, the first ones; absent in files older than this count. */
  suspended?: number;
  /** Number of its records that were withdrawn with the file; absent if none were. */
  withdrawn?: number;
  /** Totals given in the file's trailer. */
  declared?: { records: number; sumDuration: string | null; sumCost: string | null };
}

export const emptyTally = (): Tally => ({
  counts: { accepted: 0, rejected: 0, duplicate: 0, warned: 0 },
  codes: {},
  durationS: '0',
  cost: { units: '0', scale: 0 },
  warningsKept: 0,
  suspended: 0,
});

export const ofLine = (
  { line, byteOffset }: Place,
  cdrId: string | undefined,
  found: readonly Omit<Finding, 'line' | 'byteOffset' | 'cdr_id'>[],
): Finding[] => found.map((f) => ({ line, byteOffset, ...(cdrId === undefined ? {} : { cdr_id: cdrId }), ...f }));
