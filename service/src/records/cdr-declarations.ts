// Operators' declarations of their calls.
import type { DeclaredLine } from '../core/cdr/declaration.ts';
import { accountId, defineRecord, insert, int4, json, optional, pspId, text, timestamptz, uuid } from './define.ts';

export const cdrDeclarations = defineRecord({
  table: 'cdr_declarations',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    /** The account of the key; null if staff sent it. */
    recorded_by: optional(accountId),
    /** YYYY-MM. */
    period: text,
    /** Number among the declarations of the account and period, from 1. */
    revision: int4,
    /** SHA-256 of its lines, hex. */
    content: text,
    lines: json<readonly DeclaredLine[]>(),
    created_at: timestamptz,
  },
  writes: { cdr_declarations: insert },
  vouched: true,
  resource: 'declaration',
  told: true,
});
