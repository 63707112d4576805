// Lists of keys, without the keys themselves, and the key that a request names.
import { type AccountId, type PspId, toWire } from '../../core/ids.ts';
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

/** Keys of an account, newest first; with those of its test account if `withTest`. */
export const listKeys = (
  db: Database,
  account: AccountId,
  f: { readonly withTest?: boolean; readonly before?: string | undefined; readonly limit: number },
): Promise<KeyRow[]> =>
  db.query<KeyRow>(
    `SELECT k.id, k.name, k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
       k.last_used_at AS "lastUsedAt", k.last_used_network AS "lastUsedNetwork", k.scopes, o.test_of IS NOT NULL AS test
     FROM accounts a JOIN api_keys k ON k.psp_id = a.psp_id AND k.account_id = a.id
       JOIN accounts o ON o.psp_id = k.psp_id AND o.id = k.psp_id
     WHERE (a.id = $1 OR ($2 AND a.test_of = $1)) AND ($3::uuid IS NULL OR k.id < $3)
     ORDER BY k.id DESC LIMIT $4`,
    [account, f.withTest === true, f.before ?? null, f.limit],
  );

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
    [id ?? null, reach?.psp ?? null, reach?.account ?? null],
  );
  if (!key) throw notFound();
  const { stored, ...rest } = key;
  return { ...rest, scopes: shownScopes(stored) };
}
