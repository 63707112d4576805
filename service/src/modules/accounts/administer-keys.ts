// What staff (and the command line) do to keys: issue, rotate, revoke, list. Every change is a journal entry
// with its actor and reason.
import { toWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { type FactLoader, need } from '../../platform/committer.ts';
import type { Row } from '../../platform/database.ts';
import { journalRow, row } from '../kernel/journal.ts';
import type { Principal, Services } from '../kernel/services.ts';
import { findAnyAccount } from './accounts.ts';
import { issueKey } from './keys.ts';

/** Issues a further key. */
export async function addKey(
  s: Services,
  principal: Principal,
  accountId: string,
  name: string,
  expiresAt: string | null,
  now: number,
) {
  const account = await findAnyAccount(s.db, accountId);
  if (!account) throw notFound();
  const at = new Date(now).toISOString();
  const key = issueKey(s, account, name, at, expiresAt);
  await s.committer.submit({
    account: accountId,
    keys: [],
    needs: [],
    decide: () => ({
      reply: undefined,
      writes: {
        accounts: [],
        rows: [
          key.row,
          journalRow(s, principal, at, {
            kind: 'key.issued',
            psp: account.psp,
            account: accountId,
            resourceId: key.id,
            version: 1,
            data: { keyId: toWire('key', key.id), name, expiresAt },
          }),
        ],
      },
    }),
  });
  return { keyId: toWire('key', key.id), apiKey: key.apiKey, name, expiresAt };
}

/** Keys as they stand at the commit: what was read before it may have been revoked since. */
const keyRows: FactLoader<{ psp: string; id: string }, Row> = {
  name: 'key-row',
  text: (k) => `${k.psp}|${k.id}`,
  async load(db, keys) {
    const rows = await db.query(
      `SELECT k.psp_id, k.id, k.account_id, k.name, k.secret_hash, k.created_at, k.expires_at, k.revoked_at
       FROM api_keys k JOIN unnest($1::uuid[], $2::uuid[]) AS w(p, i) ON k.psp_id = w.p AND k.id = w.i`,
      [keys.map((k) => k.psp), keys.map((k) => k.id)],
    );
    return new Map(rows.map((r) => [`${r.psp_id}|${r.id}`, r]));
  },
};

/**
 * Issues a new key and lets every other live one expire after the grace, in one commit. A key that ends sooner
 * by itself is left as it is.
 * @param graceMs how long the old keys still work; 0 ends them at once
 */
export async function rotateKey(
  s: Services,
  principal: Principal,
  accountId: string,
  name: string,
  graceMs: number,
  now: number,
) {
  const account = await findAnyAccount(s.db, accountId);
  if (!account) throw notFound();
  const at = new Date(now).toISOString();
  const expiresAt = new Date(now + graceMs).toISOString();
  const old = await s.db.query(
    `SELECT id FROM api_keys
     WHERE psp_id = $1 AND account_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
     ORDER BY id`,
    [account.psp, accountId, expiresAt],
  );
  const key = issueKey(s, account, name, at);
  const about = (kind: 'key.issued' | 'key.updated', id: string, version: number, keyName: unknown, ends: unknown) =>
    journalRow(s, principal, at, {
      kind,
      psp: account.psp,
      account: accountId,
      resourceId: id,
      version,
      data: { keyId: toWire('key', id), name: keyName, expiresAt: ends },
      evidence: { reason: 'rotation' },
    });
  const live = old.map((r) => need(keyRows, { psp: account.psp, id: r.id as string }));
  const ended = await s.committer.submit<Row[]>({
    account: accountId,
    keys: old.map((r) => `k|${r.id}`),
    needs: live,
    decide(facts) {
      const still = live.map((n) => facts(n)).filter((r): r is Row => r?.revoked_at === null);
      return {
        reply: still,
        writes: {
          accounts: [],
          rows: [
            key.row,
            about('key.issued', key.id, 1, name, null),
            ...still.flatMap((r) => [
              row('keys', { ...r, expires_at: expiresAt }),
              about('key.updated', r.id as string, 2, r.name, expiresAt),
            ]),
          ],
        },
      };
    },
  });
  for (const r of ended) s.keys.forget(r.id as string);
  return {
    keyId: toWire('key', key.id),
    apiKey: key.apiKey,
    name,
    replaced: ended.map((r) => ({ keyId: toWire('key', r.id as string), name: r.name, expiresAt })),
  };
}

/** Revokes a key; no longer accepted within a second anywhere, at once here. Repeating it is harmless. */
export async function revokeKey(
  s: Services,
  principal: Principal,
  keyId: string,
  reason: string,
  now: number,
  onlyPsp?: string,
) {
  const [found] = await s.db.query('SELECT psp_id, account_id FROM api_keys WHERE id = $1', [keyId]);
  if (!found || (onlyPsp !== undefined && found.psp_id !== onlyPsp)) throw notFound();
  const { psp_id: psp, account_id: account } = found as { psp_id: string; account_id: string };
  const at = new Date(now).toISOString();
  const key = need(keyRows, { psp, id: keyId });
  const revokedAt = await s.committer.submit<string>({
    account,
    keys: [`k|${keyId}`],
    needs: [key],
    decide(facts) {
      const before = facts(key);
      if (!before) return notFound();
      if (before.revoked_at !== null) return { reply: before.revoked_at as string };
      return {
        reply: at,
        writes: {
          accounts: [],
          rows: [
            row('keys', { ...before, revoked_at: at }),
            journalRow(s, principal, at, {
              kind: 'key.revoked',
              psp,
              account,
              resourceId: keyId,
              version: 2,
              data: { keyId: toWire('key', keyId), name: before.name },
              evidence: { reason },
            }),
          ],
        },
      };
    },
  });
  s.keys.forget(keyId);
  return { keyId: toWire('key', keyId), revokedAt };
}

export async function listKeys(s: Services, accountId: string) {
  const rows = await s.db.query(
    'SELECT id, name, created_at, expires_at, revoked_at, last_used_at FROM api_keys WHERE account_id = $1 ORDER BY id DESC LIMIT 200',
    [accountId],
  );
  return rows.map((r) => ({
    keyId: toWire('key', r.id as string),
    name: r.name,
    createdAt: r.created_at,
    expiresAt: r.expires_at,
    revokedAt: r.revoked_at,
    lastUsedAt: r.last_used_at,
  }));
}
