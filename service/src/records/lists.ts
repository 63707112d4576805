// Loads of lists to screen against, and their entries. A list for all PSPs belongs to nobody.
import type { ListPurpose } from '../core/screening/entry.ts';
import { column, defineRecord, insert } from './define.ts';

export const listLoads = defineRecord({
  table: 'list_loads',
  key: ['owner_id', 'id'],
  columns: {
    owner_id: column.uuid,
    id: column.uuid,
    /** Orders the loads of all lists. */
    seq: column.int4,
    list: column.text,
    purpose: column.textOf<ListPurpose>(),
    /** Percent; null for the usual one of the purpose. */
    threshold: column.optional(column.int4),
    form: column.text,
    name: column.text,
    file_sha256: column.text,
    published: column.optional(column.date),
    /** Whether it is the last part of its file. */
    complete: column.bool,
    entries: column.int4,
    added: column.int4,
    changed: column.int4,
    removed: column.int4,
    loaded_at: column.timestamptz,
  },
  writes: { list_loads: insert },
});

export const listEntries = defineRecord({
  table: 'list_entries',
  key: ['owner_id', 'list', 'ref', 'revision'],
  columns: {
    owner_id: column.uuid,
    list: column.text,
    ref: column.text,
    /** From 1; a changed or removed entry is a further one. */
    revision: column.int4,
    load_id: column.uuid,
    load_seq: column.int4,
    removed: column.bool,
    /** JSON; sealed in a PSP's own list. */
    content: column.text,
  },
  writes: { list_entries: insert },
});
