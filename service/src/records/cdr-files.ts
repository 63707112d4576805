// Files of call detail records. A file is accepted and started without an entry; each result of its lines has one.
import type { Finding, Tally } from '../core/cdr/file-findings.ts';
import {
  accountId,
  changeVersion,
  defineRecord,
  int4,
  int8,
  json,
  optional,
  pspId,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

export const finalStates = ['ACCEPTED', 'PARTIALLY_ACCEPTED', 'REJECTED', 'DUPLICATE_FILE'] as const;
export const fileStates = ['QUEUED', 'PROCESSING', ...finalStates] as const;

export const cdrFiles = defineRecord({
  table: 'cdr_files',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    name: text,
    size_bytes: int8,
    sha256: optional(text),
    state: textOf<(typeof fileStates)[number]>(),
    duplicate_of: optional(uuid),
    /** Its first line. */
    header: optional(text),
    /** Data lines of the whole file. */
    lines: optional(int8),
    next_line: int8,
    next_offset: int8,
    /** Grows with every chunk and change; each has one journal entry. */
    version: int4,
    tally: json<Tally>(),
    /** About the file as a whole. */
    findings: json<readonly Finding[]>(),
    received_at: timestamptz,
    picked_up_at: timestamptz,
    completed_at: optional(timestamptz),
  },
  writes: {
    cdr_file_changes: changeVersion(
      'state',
      'next_line',
      'next_offset',
      'version',
      'tally',
      'findings',
      'completed_at',
    ),
  },
});
