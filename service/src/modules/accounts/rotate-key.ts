// Replaces keys: a new one is issued, and the former ones end after a grace.
import { type PspId, toWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import { need } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { scopesToGive } from '../kernel/scopes.ts';
import { bothAccounts, concerned, expectAccounts, findAnyAccount, type HasAccounts, isTestTenant } from './accounts.ts';
import { type AskedKey, changedKey, expectKeys, gates, type HeldKey, heldKeys, idOf } from './administer-keys.ts';
import { type KeyChange, keyEntry } from './key-entry.ts';
import type { HasKeys } from './keys.ts';
import { expectLasting } from './lifetimes.ts';
import { issue, issuedResource, issueKey } from './new-key.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys;

/** Live keys of an account that do not end before a moment. */
async function keysAfter(db: Database, { psp, id }: { psp: PspId; id: string }, moment: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM api_keys
     WHERE psp_id = $1 AND account_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
     ORDER BY id`,
    [psp, id, moment],
  );
  return rows.map((r) => r.id);
}

/**
 * Issues a new key and lets all other live ones expire after the grace period, in one commit. A key that ends sooner is
 * left unchanged.
 * @param only the key (UUID) that expires, in place of all
 * @throws STATE_CONFLICT if that one has ended, SCOPE if the new key would last longer than the caller's
 * @param asked `lastsMs`: after how many milliseconds the new key ends; never without it
 * @param graceMs how long the old keys still work, in milliseconds; 0 ends them at once
 */
export async function rotateKey(
  s: Uses,
  principal: Principal,
  accountId: string,
  asked: Pick<AskedKey, 'name' | 'scopes'> & { readonly lastsMs?: number | undefined },
  graceMs: number,
  now: number,
  only?: string,
) {
  const given = scopesToGive(principal, asked.scopes);
  const account = await findAnyAccount(s.db, accountId);
  if (!account) throw notFound();
  expectKeys(account);
  const at = new Date(now).toISOString();
  const expiresAt = new Date(now + graceMs).toISOString();
  const old = only === undefined ? await keysAfter(s.db, account, expiresAt) : [only];
  const test = await isTestTenant(s, account.psp);
  const { lastsMs } = asked;
  await expectLasting(s.db, principal, lastsMs);
  const ends = lastsMs === undefined ? null : new Date(now + lastsMs).toISOString();
  const key = issueKey(s, account, asked.name, { at, test, scopes: given, expiresAt: ends });
  const who = concerned(s.accounts, account.psp, accountId);
  const live = old.map((id) => need(heldKeys, { psp: account.psp, id }));
  const outlives = (ends: string | null) => ends === null || Date.parse(ends) > now + graceMs;
  const ended = await s.committer.submit<HeldKey[]>({
    account: accountId,
    keys: old.map((id) => `k|${id}`),
    needs: [...live, who.account, who.psp],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      const reason = 'rotation';
      const entry = (change: KeyChange) => keyEntry(s, principal, at, accounts, change);
      const held = live.map((n) => facts(n)).filter((k) => k !== undefined);
      const hasEnded = ({ row: { revoked_at, expires_at } }: HeldKey) =>
        revoked_at !== null || (expires_at !== null && Date.parse(expires_at) <= now);
      if (only !== undefined && held.every(hasEnded))
        return refuse('STATE_CONFLICT', 'the key has ended; issue another in place of rotating it');
      const still = held.filter((k) => k.row.revoked_at === null && outlives(k.row.expires_at));
      const { refsHeld, refsNew = [] } = gates(still);
      return {
        reply: still,
        writes: {
          accounts: expectAccounts(accounts.account, accounts.psp),
          ...(refsHeld ? { refsHeld } : {}),
          refsNew: [key.ref, ...refsNew],
          rows: [
            key.row,
            entry({ ...issue(key), reason }),
            ...still.flatMap((k) => changedKey('key.updated', k, { expires_at: expiresAt }, reason, entry)),
          ],
        },
      };
    },
  });
  for (const k of ended) s.keys.forget(idOf(k));
  return {
    ...issuedResource(account, key),
    replaced: ended.map((k) => ({ keyId: toWire('key', idOf(k)), name: k.row.name, expiresAt })),
  };
}
