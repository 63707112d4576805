// Lists of keys, of one account or of all, without the keys themselves, and the key that a request names.
import { type AccountId, accountWire, type PspId, toWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { type Scope, shownScopes } from '../../core/scopes.ts';
import type { Database } from '../../platform/database.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Reach } from './listed-client.ts';

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly lastUsedNetwork: string | null;
  readonly scopes: string | null;
  readonly test: boolean;
}

const columns = `k.id, k.name, k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
       k.last_used_at AS "lastUsedAt", k.last_used_network AS "lastUsedNetwork", k.scopes, o.test_of IS NOT NULL AS test`;

/** Keys of an account, newest first; with those of its test account if `withTest`. */
export const listKeys = (
  db: Database,
  account: AccountId,
  f: { readonly withTest?: boolean; readonly before?: string | undefined; readonly limit: number },
): Promise<KeyRow[]> =>
  db.query<KeyRow>(
    `SELECT ${columns} FROM accounts a JOIN api_keys k ON k.psp_id = a.psp_id AND k.account_id = a.id
       JOIN accounts o ON o.psp_id = k.psp_id AND o.id = k.psp_id
     WHERE (a.id = $1 OR ($2 AND a.test_of = $1)) AND ($3::uuid IS NULL OR k.id < $3)
     ORDER BY k.id DESC LIMIT $4`,
    [account, f.withTest === true, f.before, f.limit],
  );

interface AccountKeyRow extends KeyRow {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly accountName: string;
}

export interface AllKeysFilter {
  /** The PSP whose keys, and whose clients', are listed; undefined for those of every account. */
  readonly psp?: PspId | undefined;
  readonly account?: AccountId | undefined;
  readonly key?: string;
  /** Only keys that were neither used nor issued since then, ISO UTC. */
  readonly unusedSince?: string | undefined;
  /** Whether they are neither revoked nor expired at `now`, ISO UTC. */
  readonly working?: boolean | undefined;
  readonly now: string;
  readonly test?: boolean | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Keys of all accounts, newest first; those of test accounts belong to their PSP. */
export const listAllKeys = (db: Database, f: AllKeysFilter): Promise<AccountKeyRow[]> =>
  db.query<AccountKeyRow>(
    `SELECT ${columns}, k.psp_id AS psp, k.account_id AS account, a.name AS "accountName"
     FROM api_keys k JOIN accounts a ON a.psp_id = k.psp_id AND a.id = k.account_id
       JOIN accounts o ON o.psp_id = k.psp_id AND o.id = k.psp_id
     WHERE ($1::uuid IS NULL OR $1 IN (o.id, o.test_of)) AND ($2::uuid IS NULL OR $2 IN (a.id, a.test_of))
       AND ($3::timestamptz IS NULL OR coalesce(k.last_used_at, k.created_at) < $3)
       AND ($4::boolean IS NULL OR $4 = (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $5)))
       AND ($6::boolean IS NULL OR $6 = (o.test_of IS NOT NULL)) AND ($7::uuid IS NULL OR k.id < $7)
       AND ($8::uuid IS NULL OR k.id = $8)
     ORDER BY k.id DESC LIMIT $9`,
    [f.psp, f.account, f.unusedSince, f.working, f.now, f.test, f.before, f.key, f.limit],
  );

/** A key as returned, with its account. */
export const accountKeyResource = ({ psp, account, accountName, ...key }: AccountKeyRow) => ({
  ...keyResource(key),
  accountId: accountWire(psp, account),
  accountName,
  pspId: toWire('psp', psp),
});

/** A key as returned. */
export const keyResource = ({ id, scopes, test, ...key }: KeyRow) => ({
  keyId: toWire('key', id),
  ...key,
  mode: test ? 'test' : 'live',
  scopes: shownScopes(scopes),
});

export interface ReachedKey {
  readonly id: string;
  readonly psp: PspId;
  readonly account: AccountId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
}

/**
 * A key within reach: of the PSP and its clients, or of one account; their test accounts belong to them.
 * @param reach undefined for any key @throws NOT_FOUND
 */
export async function reachedKey(
  s: Needs<'db'>,
  id: string | undefined,
  reach: Reach | undefined,
): Promise<ReachedKey> {
  const [key] = await s.db.query<Omit<ReachedKey, 'scopes'> & { stored: string | null }>(
    `SELECT k.id, k.psp_id AS psp, k.account_id AS account, k.name, k.scopes AS stored, k.created_at AS "createdAt"
     FROM api_keys k JOIN accounts a ON a.psp_id = k.psp_id AND a.id = k.account_id
       JOIN accounts o ON o.psp_id = k.psp_id AND o.id = k.psp_id
     WHERE k.id = $1 AND ($2::uuid IS NULL OR $2 IN (o.id, o.test_of)) AND ($3::uuid IS NULL OR $3 IN (a.id, a.test_of))`,
    [id, reach?.psp, reach?.account],
  );
  if (!key) throw notFound();
  const { stored, ...rest } = key;
  return { ...rest, scopes: shownScopes(stored) };
}
