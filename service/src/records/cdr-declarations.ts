// What operators declare of their calls.
import { defineRecord, insert, int4, optional, text, timestamptz, uuid } from './define.ts';

export const cdrDeclarations = defineRecord({
  table: 'cdr_declarations',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    recorded_by: optional(uuid),
    period: text,
    revision: int4,
    content: text,
    lines: text,
    created_at: timestamptz,
  },
  writes: { cdr_declarations: insert },
  vouched: true,
});
