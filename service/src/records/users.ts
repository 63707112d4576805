// People of the console.
import { defineRecord, int4, optional, put, text, timestamptz, uuid } from './define.ts';

export const users = defineRecord({
  table: 'users',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    email: text,
    name: text,
    role: text,
    state: text,
    password_scrypt: text,
    password_kind: text,
    failures: int4,
    locked_until: optional(timestamptz),
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
});
