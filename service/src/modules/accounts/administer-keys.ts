// Issues and revokes keys. Every change is a journal entry with its actor and reason. Rotation: rotate-key.ts.
import { type PspId, toWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import type { Scope } from '../../core/scopes.ts';
import { type FactLoader, need, type Row, type Writes } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import { apiKeys } from '../../records/api-keys.ts';
import type { RowOf } from '../../records/define.ts';
import { tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { scopesToGive } from '../kernel/scopes.ts';
import {
  type Account,
  bothAccounts,
  concerned,
  expectAccounts,
  findAnyAccount,
  type HasAccounts,
  isTestTenant,
} from './accounts.ts';
import { type KeyChange, keyEntry } from './key-entry.ts';
import type { HasKeys } from './keys.ts';
import { expectLasting, longestToGive } from './lifetimes.ts';
import { issue, issuedResource, issueKey, keyRef } from './new-key.ts';
import { testAccountOf } from './test-accounts.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys;

export interface AskedKey {
  readonly name: string;
  /** As requested; undefined for the latest that the caller may give, which is no end for a key that never ends. */
  readonly expiresAt: string | undefined;
  /** `test`: for the account's test account, created with its first such key. Undefined: as the account is. */
  readonly mode: 'live' | 'test' | undefined;
  /** The new key's scopes; undefined for the caller's own. */
  readonly scopes?: readonly Scope[] | undefined;
}

/** People of an authority sign in; no program reads for it. @throws STATE_CONFLICT */
export function expectKeys({ kind }: Account): void {
  if (kind === 'authority') throw refuse('STATE_CONFLICT', 'an authority has no keys; its people sign in');
}

/** Issues an additional key, which lasts no longer than the caller's was issued for. Keys of a test account are test keys. */
export async function addKey(
  s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts,
  principal: Principal,
  of: string,
  asked: AskedKey,
  now: number,
) {
  const expiresAt = await endOf(s.db, principal, asked.expiresAt, now);
  const given = scopesToGive(principal, asked.scopes);
  const named = await findAnyAccount(s.db, of);
  if (!named) throw notFound();
  expectKeys(named);
  const account = asked.mode === 'test' ? await testAccountOf(s, principal, named, now) : named;
  const test = await isTestTenant(s, account.psp);
  if (test && asked.mode === 'live')
    throw refuse(
      'FIELD_INVALID',
      "the field 'mode' cannot be 'live' for an account for tests; ask with a key of the live account, or leave it out",
    );
  const at = new Date(now).toISOString();
  const key = issueKey(s, account, asked.name, { at, test, expiresAt, scopes: given });
  const who = concerned(s.accounts, account.psp, account.id);
  await s.committer.submit({
    account: account.id,
    keys: [],
    needs: [who.account, who.psp],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      return {
        reply: undefined,
        writes: {
          accounts: expectAccounts(accounts.account, accounts.psp),
          refsNew: [key.ref],
          rows: [key.row, keyEntry(s, principal, at, accounts, issue(key))],
        },
      };
    },
  });
  return issuedResource(account, key);
}

/** When a new key ends, null for never. @throws SCOPE if it would last longer than the caller may give, FIELD_INVALID if it has ended */
async function endOf(db: Database, principal: Principal, asked: string | undefined, now: number) {
  if (asked === undefined) {
    const longest = await longestToGive(db, principal);
    return longest === undefined ? null : new Date(now + longest).toISOString();
  }
  const lastsMs = Date.parse(asked) - now;
  if (lastsMs <= 0) throw refuse('FIELD_INVALID', "the field 'expiresAt' has passed");
  await expectLasting(db, principal, lastsMs);
  return new Date(asked).toISOString();
}

export interface HeldKey {
  /** In the form `keys` accepts. */
  readonly row: RowOf<typeof apiKeys>;
  /** Revision of the key's ref; null if the key was issued without one. */
  readonly revision: number | null;
}

/** Keys as of the commit: what was read earlier may have changed since. */
export const heldKeys: FactLoader<{ psp: PspId; id: string }, HeldKey> = {
  name: 'held-key',
  text: (k) => `${k.psp}|${k.id}`,
  async load(db, keys) {
    const rows = await db.query<RowOf<typeof apiKeys> & { revision: number | null }>(
      `SELECT ${tableOf(apiKeys).columns('k')}, r.revision
       FROM api_keys k JOIN unnest($1::uuid[], $2::uuid[]) AS w(p, i) ON k.psp_id = w.p AND k.id = w.i
       LEFT JOIN refs r
         ON r.psp_id = k.psp_id AND ${ofOnly('r.psp_id', 3)} AND r.space = 'key' AND r.ref = k.id::text
           AND r.account_id = k.account_id`,
      [keys.map((k) => k.psp), keys.map((k) => k.id), onlyPsp(db, keys)],
    );
    return new Map(rows.map(({ revision, ...r }) => [`${r.psp_id}|${r.id}`, { row: r, revision }]));
  },
};

export const idOf = (k: HeldKey) => k.row.id;
/** Version of the key's next entry; the issue is 1. */
const nextVersion = (k: HeldKey) => (k.revision ?? 1) + 1;

/** What a change of a key writes: its row and its entry. @param entry makes the entry's row */
export function changedKey(
  kind: 'key.updated' | 'key.revoked',
  k: HeldKey,
  to: Partial<HeldKey['row']>,
  reason: string,
  entry: (change: KeyChange) => Row,
): Row[] {
  const after = { ...k.row, ...to };
  const { name, expires_at: expiresAt, scopes } = after;
  return [row('keys', after), entry({ kind, id: idOf(k), version: nextVersion(k), name, expiresAt, scopes, reason })];
}

/** Expectations that prevent two concurrent changes of the same keys. */
export function gates(keys: readonly HeldKey[]): Pick<Writes, 'refsHeld' | 'refsNew'> {
  const ref = ({ row: r }: HeldKey) => keyRef(r.psp_id, r.account_id, r.id);
  return {
    refsHeld: keys.flatMap((k) => (k.revision === null ? [] : [{ ...ref(k), revision: k.revision }])),
    refsNew: keys.flatMap((k) =>
      k.revision === null ? [{ ...ref(k), target: idOf(k), revision: nextVersion(k) }] : [],
    ),
  };
}

/** Revokes a key: rejected at once by this process and within a second by all others. Repeating it has no effect. */
export async function revokeKey(s: Uses, principal: Principal, keyId: string, reason: string, now: number) {
  const [found] = await s.db.query<{ psp_id: string; account_id: string }>(
    'SELECT psp_id, account_id FROM api_keys WHERE id = $1',
    [keyId],
  );
  if (!found) throw notFound();
  const { psp_id: psp, account_id: account } = found;
  const at = new Date(now).toISOString();
  const key = need(heldKeys, { psp, id: keyId });
  const who = concerned(s.accounts, psp, account);
  const revokedAt = await s.committer.submit<string>({
    account,
    keys: [`k|${keyId}`],
    needs: [key, who.account, who.psp],
    decide(facts) {
      const before = facts(key);
      const accounts = bothAccounts(facts, who);
      if (!before || accounts instanceof Refusal) return notFound();
      if (before.row.revoked_at !== null) return { reply: before.row.revoked_at };
      const entry = (change: KeyChange) => keyEntry(s, principal, at, accounts, change);
      return {
        reply: at,
        writes: {
          // Independent of the account's standing, so that a key can always be revoked.
          ...gates([before]),
          rows: changedKey('key.revoked', before, { revoked_at: at }, reason, entry),
        },
      };
    },
  });
  s.keys.forget(keyId);
  return { keyId: toWire('key', keyId), revokedAt };
}
