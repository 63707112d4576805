// What an audit may find, each with the first entry it concerns and a sentence for whoever has to act on it.
import type { PspId } from '../../../core/ids.ts';

export type FindingCode =
  /** The journal is not numbered one by one. */
  | 'ENTRY_MISSING'
  | 'ENTRY_INSERTED'
  /** An entry is not the one that was sealed. */
  | 'ENTRY_CHANGED'
  /** Journal and stored tree agree, and a signed checkpoint says that both were something else. */
  | 'HISTORY_REWRITTEN'
  /** Sealed entries are gone from the end. */
  | 'SET_BACK'
  | 'TREE_CHANGED'
  | 'CHECKPOINT_INVALID'
  | 'KEY_UNKNOWN'
  /** A record is not what the journal tells of it. */
  | 'RECORD_CHANGED'
  /** An entry is sealed and cannot be understood: what it tells was compared with nothing. */
  | 'ENTRY_UNKNOWN';

export interface Finding {
  readonly code: FindingCode;
  readonly psp: PspId;
  /** The first entry that is concerned, where one can be named. */
  readonly seq?: number;
  readonly message: string;
}

export interface PspAudit {
  readonly psp: PspId;
  readonly entries: number;
  /** Of them covered by the last stored checkpoint. */
  readonly sealed: number;
  /** Checkpoints that were compared. */
  readonly inside: number;
  readonly outside: number;
  readonly findings: readonly Finding[];
  readonly remarks: readonly string[];
}
