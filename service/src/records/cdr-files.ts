// Files of call detail records. A file is taken and begun without an entry; what becomes of its lines has one each time.
import { changeVersion, defineRecord, int4, int8, optional, text, timestamptz, uuid } from './define.ts';

export const cdrFiles = defineRecord({
  table: 'cdr_files',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    name: text,
    size_bytes: int8,
    sha256: optional(text),
    state: text,
    duplicate_of: optional(uuid),
    header: optional(text),
    lines: optional(int8),
    next_line: int8,
    next_offset: int8,
    version: int4,
    tally: text,
    findings: text,
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
