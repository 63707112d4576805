// The hash over the records of a portion, as its journal entry has it, and the mark that their ids share.
import { hash } from 'node:crypto';

/** Hexadecimal digits at the end of a record's id that all records of its portion share. */
export const sharedDigits = 6;

export const portionLine = (id: string, cdrId: string, content: string): string => `${id} ${cdrId} ${content}`;

/** The hash over its records in the journal entry of a portion: SHA-256, hex. */
export const portionHash = (lines: readonly string[]): string =>
  hash('sha256', lines.map((l) => `${l}\n`).join(''), 'hex');
