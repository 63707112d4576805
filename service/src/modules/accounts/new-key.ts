// A new API key: `asy_<id>_<secret>_<checksum>`, `asytest_…` for test accounts. The database has only a SHA-256 of the
// secret.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type PspId, toWire } from '../../core/ids.ts';
import { type Scope, shownScopes, storedScopes } from '../../core/scopes.ts';
import type { RefKey, Row, Writes } from '../../platform/committer.ts';
import { randomSecret } from '../../platform/random.ts';
import { row } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import { clientId } from './accounts.ts';
import type { KeyChange } from './key-entry.ts';

export interface IssuedKey {
  /** Shown once. */
  readonly apiKey: string;
  readonly id: string;
  readonly name: string;
  readonly expiresAt: string | null;
  readonly mode: 'live' | 'test';
  /** As stored. */
  readonly scopes: string | null;
  readonly row: Row;
  /** To be written in the same commit. */
  readonly ref: NonNullable<Writes['refsNew']>[number];
}

/** The ref of a key, whose revision counts the key's changes, so that each is made and journalled once. */
export const keyRef = (psp: PspId, account: string, id: string): RefKey => ({ psp, space: 'key', ref: id, account });

export const prefixOf = (test: boolean) => (test ? 'asytest' : 'asy');
export const checksum = (prefix: string, id: string, secret: string): string =>
  crc32(`${prefix}_${id}_${secret}`).toString(16).padStart(8, '0');

/** What the database has of a secret. It covers the scopes, so that a key whose scopes are changed there is not valid. */
export const hashOf = (secret: string, stored: string | null): Buffer =>
  hash('sha256', stored === null ? secret : `${secret} ${stored}`, 'buffer');

/**
 * Generates a key; its row and ref belong in a commit.
 * @param of issue time, whether the tenant is a test tenant, expiry, and scopes (undefined: all)
 */
export function issueKey(
  s: Needs<'ids'>,
  account: { psp: PspId; id: string },
  name: string,
  of: { at: string; test: boolean; expiresAt?: string | null; scopes: readonly Scope[] | undefined },
): IssuedKey {
  const prefix = prefixOf(of.test);
  const id = s.ids.next();
  const wire = toWire('key', id).slice('key_'.length);
  const secret = randomSecret(32).toString('base64url');
  const stored = storedScopes(of.scopes);
  const expiresAt = of.expiresAt ?? null;
  return {
    id,
    name,
    expiresAt,
    mode: of.test ? 'test' : 'live',
    scopes: stored,
    apiKey: `${prefix}_${wire}_${secret}_${checksum(prefix, wire, secret)}`,
    row: row('keys', {
      psp_id: account.psp,
      id,
      account_id: account.id,
      name,
      secret_hash: hashOf(secret, stored).toString('hex'),
      created_at: of.at,
      expires_at: expiresAt,
      scopes: stored,
    }),
    ref: { ...keyRef(account.psp, account.id, id), target: id, revision: 1 },
  };
}

/** The first entry of a key that is issued. */
export const issue = ({ id, name, expiresAt, scopes }: IssuedKey): KeyChange => ({
  kind: 'key.issued',
  id,
  version: 1,
  name,
  expiresAt,
  scopes,
});

/** A new key as returned: the only time that it is shown. */
export const issuedResource = (account: { psp: PspId; id: string }, key: IssuedKey) => ({
  keyId: toWire('key', key.id),
  apiKey: key.apiKey,
  name: key.name,
  expiresAt: key.expiresAt,
  mode: key.mode,
  scopes: shownScopes(key.scopes),
  clientId: clientId(account),
});
