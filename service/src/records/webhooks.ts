// Subscribed addresses.
import { column, defineRecord, put } from './define.ts';

export const webhooks = defineRecord({
  table: 'webhooks',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    url: column.text,
    /** Subscribed types; null for all. */
    event_types: column.optional(column.json<readonly string[]>()),
    state: column.textOf<'ACTIVE' | 'PAUSED' | 'DISABLED' | 'DELETED'>(),
    /** Reason for its current state. */
    state_reason: column.optional(column.text),
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
  },
  writes: { webhooks: put('event_types', 'state', 'state_reason', 'updated_at') },
  vouched: true,
  resource: 'webhook',
  journaled: true,
});
