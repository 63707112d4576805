// Subscribed addresses.
import { accountId, defineRecord, json, optional, pspId, put, text, textOf, timestamptz, uuid } from './define.ts';

export const webhooks = defineRecord({
  table: 'webhooks',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    url: text,
    /** Subscribed types; null for all. */
    event_types: optional(json<readonly string[]>()),
    state: textOf<'ACTIVE' | 'PAUSED' | 'DISABLED' | 'DELETED'>(),
    /** Reason for its current state. */
    state_reason: optional(text),
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { webhooks: put('event_types', 'state', 'state_reason', 'updated_at') },
  vouched: true,
  resource: 'webhook',
});
