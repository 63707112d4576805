// Sessions of people, and how each began.
import { defineRecord, int4, optional, pspId, shorten, text, textOf, timestamptz, uuid } from './define.ts';

/** The first proof of a sign-in. */
export type SignInMethod = 'PASSWORD' | 'PASSKEY' | 'PROVIDER';
/** The second proof. A passkey that checks its holder needs none. */
export type SecondFactor = 'CODE' | 'RECOVERY_CODE' | 'PASSKEY' | 'PROVIDER';

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
    /** Written outside of the committer. */
    seen_network: optional(text),
    method: textOf<SignInMethod>(),
    second_factor: optional(textOf<SecondFactor>()),
    /** The browser's name for itself. */
    agent: optional(text),
    /** From which it began. */
    network: optional(text),
  },
  writes: { sessions: shorten('ended_at') },
});
