// Subscribed addresses.
import { defineRecord, optional, put, text, timestamptz, uuid } from './define.ts';

export const webhooks = defineRecord({
  table: 'webhooks',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    url: text,
    event_types: optional(text),
    state: text,
    state_reason: optional(text),
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: { webhooks: put('event_types', 'state', 'state_reason', 'updated_at') },
  vouched: true,
});
