// Logins of the file drop.
import { defineRecord, optional, put, text, timestamptz, uuid } from './define.ts';

export const sftpLogins = defineRecord({
  table: 'sftp_logins',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    account_id: uuid,
    username: text,
    name: text,
    password_scrypt: optional(text),
    public_keys: text,
    state: text,
    created_at: timestamptz,
    revoked_at: optional(timestamptz),
  },
  writes: { sftp_logins: put('public_keys', 'state', 'revoked_at') },
  vouched: true,
});
