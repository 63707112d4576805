// What an audit may find, each with the first entry affected and a sentence for the person who has to act on it.
import type { PspId } from '../../../core/ids.ts';

export type FindingCode =
  /** The journal's numbers have a gap or a duplicate. */
  | 'ENTRY_MISSING'
  | 'ENTRY_INSERTED'
  /** An entry differs from the one that was sealed. */
  | 'ENTRY_CHANGED'
  /** Journal and stored tree agree, but a signed checkpoint proves that both were different. */
  | 'HISTORY_REWRITTEN'
  /** Sealed entries are missing at the end. */
  | 'SET_BACK'
  | 'TREE_CHANGED'
  | 'CHECKPOINT_INVALID'
  | 'KEY_UNKNOWN'
  /** A record differs from what the journal says about it. */
  | 'RECORD_CHANGED'
  /** A sealed entry has an unknown schema: its content was not compared. */
  | 'ENTRY_UNKNOWN';

export interface Finding {
  readonly code: FindingCode;
  readonly psp: PspId;
  /** The first entry affected, if one can be named. */
  readonly seq?: number;
  readonly message: string;
}

export interface PspAudit {
  readonly psp: PspId;
  readonly entries: number;
  /** How many of them the last stored checkpoint covers. */
  readonly sealed: number;
  /** Checkpoints compared. */
  readonly inside: number;
  readonly outside: number;
  readonly findings: readonly Finding[];
  readonly remarks: readonly string[];
}
