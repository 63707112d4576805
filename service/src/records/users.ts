// People who sign in to the console.
import type { Role } from '../core/roles.ts';
import {
  accountId,
  defineRecord,
  int4,
  int8,
  json,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

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
    /** Sealed secret of the code generator. */
    totp_secret: optional(text),
    totp_since: optional(timestamptz),
    /** Time step of the last code used. */
    totp_step: optional(int8),
    /** Hashes of the recovery codes that are left. */
    recovery_codes: optional(json<readonly string[]>()),
    passkeys: optional(json<readonly Passkey[]>()),
    identities: optional(json<readonly Identity[]>()),
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
  told: true,
});
