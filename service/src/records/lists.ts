// Loads of lists to screen against, and their entries. A list for all PSPs belongs to nobody.
import type { ListPurpose } from '../core/screening/entry.ts';
import { bool, date, defineRecord, insert, int4, optional, text, textOf, timestamptz, uuid } from './define.ts';

export const listLoads = defineRecord({
  table: 'list_loads',
  key: ['owner_id', 'id'],
  columns: {
    owner_id: uuid,
    id: uuid,
    /** Orders the loads of all lists. */
    seq: int4,
    list: text,
    purpose: textOf<ListPurpose>(),
    /** Percent; null for the usual one of the purpose. */
    threshold: optional(int4),
    form: text,
    name: text,
    file_sha256: text,
    published: optional(date),
    /** Whether it is the last part of its file. */
    complete: bool,
    entries: int4,
    added: int4,
    changed: int4,
    removed: int4,
    loaded_at: timestamptz,
  },
  writes: { list_loads: insert },
});

export const listEntries = defineRecord({
  table: 'list_entries',
  key: ['owner_id', 'list', 'ref', 'revision'],
  columns: {
    owner_id: uuid,
    list: text,
    ref: text,
    /** From 1; a changed or removed entry is a further one. */
    revision: int4,
    load_id: uuid,
    load_seq: int4,
    removed: bool,
    /** JSON; sealed in a PSP's own list. */
    content: text,
  },
  writes: { list_entries: insert },
});
