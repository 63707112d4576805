// Operators' declarations of their calls.
import type { DeclaredLine } from '../core/cdr/declaration.ts';
import { column, defineRecord, insert } from './define.ts';

export const cdrDeclarations = defineRecord({
  table: 'cdr_declarations',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    /** The account of the key; null if staff sent it. */
    recorded_by: column.optional(column.accountId),
    /** YYYY-MM. */
    period: column.text,
    /** Number among the declarations of the account and period, from 1. */
    revision: column.int4,
    /** SHA-256 of its lines, hex. */
    content: column.text,
    lines: column.json<readonly DeclaredLine[]>(),
    created_at: column.timestamptz,
  },
  writes: { cdr_declarations: insert },
  vouched: true,
  resource: 'declaration',
  journaled: true,
});
