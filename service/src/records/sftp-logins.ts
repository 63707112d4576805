// Logins of the file drop.
import { column, defineRecord, put } from './define.ts';

export interface SftpKey {
  /** Type and base64 text, as OpenSSH writes a public key. */
  readonly key: string;
  /** SHA256:… as ssh-keygen -l shows it. */
  readonly fingerprint: string;
}

export const sftpLogins = defineRecord({
  table: 'sftp_logins',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    username: column.text,
    name: column.text,
    password_scrypt: column.optional(column.text),
    public_keys: column.json<readonly SftpKey[]>(),
    state: column.textOf<'ACTIVE' | 'REVOKED'>(),
    created_at: column.timestamptz,
    revoked_at: column.optional(column.timestamptz),
  },
  writes: { sftp_logins: put('public_keys', 'state', 'revoked_at') },
  vouched: true,
  resource: 'sftpLogin',
  journaled: true,
});
