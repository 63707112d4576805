// Subscribed addresses.
import { defineRecord, json, optional, put, text, textOf, timestamptz, uuid } from './define.ts';

export const webhooks = defineRecord({
  table: 'webhooks',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    url: text,
    /** Types wanted; null for all. */
    event_types: optional(json<readonly string[]>()),
    state: textOf<'ACTIVE' | 'PAUSED' | 'DISABLED' | 'DELETED'>(),
    /** Why it stands as it does. */
    state_reason: optional(text),
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { webhooks: put('event_types', 'state', 'state_reason', 'updated_at') },
  vouched: true,
});
