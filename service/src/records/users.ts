// People who sign in to the console.
import type { Role } from '../core/roles.ts';
import { column, defineRecord, put } from './define.ts';

/** A public key with which a person signs in. */
export interface Passkey {
  /** UUID. */
  readonly id: string;
  readonly name: string;
  /** The id that its authenticator knows it by, base64url. */
  readonly credential: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** How often it was used, as the authenticator counts; 0 for those that do not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: string;
  readonly usedAt: string | null;
  /** When the last challenge that it answered was issued, milliseconds since the epoch: earlier ones are refused. */
  readonly answered: number;
}

/** A person as a sign-in provider knows them. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly since: string;
}

export const users = defineRecord({
  table: 'users',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    /** In lower case. */
    email: column.text,
    name: column.text,
    role: column.textOf<Role>(),
    state: column.textOf<'ACTIVE' | 'DISABLED'>(),
    password_scrypt: column.text,
    /** A one-time password must be changed before anything else. */
    password_kind: column.textOf<'OWN' | 'ONE_TIME'>(),
    failures: column.int4,
    locked_until: column.optional(column.timestamptz),
    /** Sessions of an earlier epoch have ended. */
    session_epoch: column.int4,
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
    signed_in_at: column.optional(column.timestamptz),
    /** Sealed secret of the code generator. */
    totp_secret: column.optional(column.text),
    totp_since: column.optional(column.timestamptz),
    /** Time step of the last code used. */
    totp_step: column.optional(column.int8),
    /** Hashes of the recovery codes that are left. */
    recovery_codes: column.optional(column.json<readonly string[]>()),
    passkeys: column.optional(column.json<readonly Passkey[]>()),
    identities: column.optional(column.json<readonly Identity[]>()),
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
      'totp_secret',
      'totp_since',
      'totp_step',
      'recovery_codes',
      'passkeys',
      'identities',
    ),
  },
  vouched: true,
  resource: 'user',
  journaled: true,
});
