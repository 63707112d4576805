// Sessions of people.
import { defineRecord, int4, optional, pspId, shorten, text, timestamptz, uuid } from './define.ts';

export const sessions = defineRecord({
  table: 'sessions',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: pspId,
    id: uuid,
    user_id: uuid,
    /** SHA-256 of the token, hexadecimal. */
    token_hash: text,
    epoch: int4,
    created_at: timestamptz,
    expires_at: timestamptz,
    seen_at: timestamptz,
    ended_at: optional(timestamptz),
  },
  writes: { sessions: shorten('ended_at') },
});
