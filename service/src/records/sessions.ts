// Sessions of people, and how each began.
import { column, defineRecord, shorten } from './define.ts';

/** The first proof of a sign-in. */
export type SignInMethod = 'PASSWORD' | 'PASSKEY' | 'PROVIDER';
/** The second proof. A passkey that checks its holder needs none. */
export type SecondFactor = 'CODE' | 'RECOVERY_CODE' | 'PASSKEY' | 'PROVIDER';

export const sessions = defineRecord({
  table: 'sessions',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    user_id: column.uuid,
    /** SHA-256 of the token, hexadecimal. */
    token_hash: column.text,
    epoch: column.int4,
    created_at: column.timestamptz,
    expires_at: column.timestamptz,
    seen_at: column.timestamptz,
    ended_at: column.optional(column.timestamptz),
    /** Written outside of the committer. */
    seen_network: column.optional(column.text),
    method: column.textOf<SignInMethod>(),
    second_factor: column.optional(column.textOf<SecondFactor>()),
    /** The browser's name for itself. */
    agent: column.optional(column.text),
    /** From which it began. */
    network: column.optional(column.text),
  },
  writes: { sessions: shorten('ended_at') },
});
