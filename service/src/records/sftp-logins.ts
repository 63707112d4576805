// Logins of the file drop.
import { defineRecord, json, optional, put, text, textOf, timestamptz, uuid } from './define.ts';

export interface SftpKey {
  /** Type and base64 text, as OpenSSH writes a public key. */
  readonly key: string;
  /** SHA256:… as ssh-keygen -l shows it. */
  readonly fingerprint: string;
}

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
    public_keys: json<readonly SftpKey[]>(),
    state: textOf<'ACTIVE' | 'REVOKED'>(),
    created_at: timestamptz,
    revoked_at: optional(timestamptz),
  },
  writes: { sftp_logins: put('public_keys', 'state', 'revoked_at') },
  vouched: true,
});
