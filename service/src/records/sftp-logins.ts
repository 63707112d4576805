// Logins of the file drop.
import { accountId, defineRecord, json, optional, pspId, put, text, textOf, timestamptz, uuid } from './define.ts';

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
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
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
  resource: 'sftpLogin',
  told: true,
});
