// People who sign in to the console.
import type { Role } from '../core/roles.ts';
import { accountId, defineRecord, int4, optional, pspId, put, text, textOf, timestamptz, uuid } from './define.ts';

export const users = defineRecord({
  table: 'users',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    /** In lower case. */
    email: text,
    name: text,
    role: textOf<Role>(),
    state: textOf<'ACTIVE' | 'DISABLED'>(),
    password_scrypt: text,
    /** A one-time password must be changed before anything else. */
    password_kind: textOf<'OWN' | 'ONE_TIME'>(),
    failures: int4,
    locked_until: optional(timestamptz),
    /** Sessions of an earlier epoch have ended. */
    session_epoch: int4,
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
    signed_in_at: optional(timestamptz),
  },
  writes: {
    users: put(
      'role',
      'state',
      'password_scrypt',
      'password_kind',
      'failures',
      'locked_until',
      'session_epoch',
      'version',
      'updated_at',
      'signed_in_at',
    ),
  },
  vouched: true,
  resource: 'user',
  told: true,
});
