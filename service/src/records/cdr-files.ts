// Files of call detail records. A file is accepted and started without an entry; each result of its lines has one.
import type { Finding, Tally } from '../core/cdr/file-findings.ts';
import { changeVersion, column, defineRecord } from './define.ts';

export const finalStates = ['ACCEPTED', 'PARTIALLY_ACCEPTED', 'REJECTED', 'DUPLICATE_FILE'] as const;
export const fileStates = ['QUEUED', 'PROCESSING', ...finalStates] as const;

export const cdrFiles = defineRecord({
  table: 'cdr_files',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    name: column.text,
    size_bytes: column.int8,
    sha256: column.optional(column.text),
    state: column.textOf<(typeof fileStates)[number]>(),
    duplicate_of: column.optional(column.uuid),
    /** Its first line. */
    header: column.optional(column.text),
    /** Data lines of the whole file. */
    lines: column.optional(column.int8),
    next_line: column.int8,
    next_offset: column.int8,
    /** Grows with every chunk and change; each has one journal entry. */
    version: column.int4,
    tally: column.json<Tally>(),
    /** About the file as a whole. */
    findings: column.json<readonly Finding[]>(),
    received_at: column.timestamptz,
    picked_up_at: column.timestamptz,
    completed_at: column.optional(column.timestamptz),
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
