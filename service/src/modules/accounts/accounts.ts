// Accounts as facts for decisions: PSPs and clients with their standing, cached and checked by version in every commit,
// so that a stale standing never decides.
import { type AccountId, accountFromWire, type PspId, toWire } from '../../core/ids.ts';
import { notFound, type Refusal } from '../../core/refusal.ts';
import type { Observation } from '../../core/transaction.ts';
import { type FactLoader, type Facts, type Need, need } from '../../platform/committer.ts';
import { type Database, literally } from '../../platform/database.ts';
import { Kept } from '../../platform/kept.ts';
import { accounts } from '../../records/accounts.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import type { AccessChanges } from './access-changes.ts';

const table = tableOf(accounts);
export interface Account extends RecordOf<typeof accounts> {
  /** Warnings from its registration. */
  readonly observations: readonly Observation[];
}

const noted = (a: RecordOf<typeof accounts>): Account => ({ ...a, observations: a.observations ?? [] });
const read = async (db: Database, rest: string, values: readonly unknown[]): Promise<Account[]> =>
  (await table.read(db, rest, values)).map(noted);

export interface AccountKey {
  readonly psp: PspId;
  readonly id: AccountId;
}

export interface HasAccounts {
  readonly accounts: AccountDirectory;
}

/** Some 20,000 accounts. */
const mostBytes = 32 * 2 ** 20;
/** Its objects, and the texts whose length is anybody's. */
const bytesOf = (a: Account): number =>
  1200 +
  a.name.length +
  (a.contact?.length ?? 0) +
  a.secretSealed.length +
  300 * (a.holds.length + a.observations.length + (a.taxProfiles?.length ?? 0));

/** Loads accounts by (psp, id) and caches them. One per process. */
export class AccountDirectory implements FactLoader<AccountKey, Account> {
  readonly name = 'account';
  readonly #known = new Kept<Account>(mostBytes, bytesOf);
  /** How often something was dropped. What was read meanwhile may be older, and is not kept. */
  #drops = 0;

  constructor(changes: AccessChanges) {
    changes.follow((changed) => {
      this.#drops++;
      if (changed === 'all') this.#known.clear();
      else for (const c of changed) this.#known.delete(this.text(c));
    });
  }

  /** Includes the PSP: an account is known only to its own PSP. */
  text(k: AccountKey): string {
    return `${k.psp}|${k.id}`;
  }

  peek(k: AccountKey): Account | undefined {
    return this.#known.get(this.text(k));
  }

  forget(k: AccountKey): void {
    this.#drops++;
    this.#known.delete(this.text(k));
  }

  async load(db: Database, keys: readonly AccountKey[]): Promise<Map<string, Account>> {
    const drops = this.#drops;
    const found = await read(
      db,
      'JOIN unnest($1::uuid[], $2::uuid[]) AS k(kp, ki) ON accounts.psp_id = k.kp AND accounts.id = k.ki',
      [keys.map((k) => k.psp), keys.map((k) => k.id)],
    );
    const out = new Map(found.map((a) => [this.text(a), a]));
    if (drops === this.#drops) for (const [text, a] of out) this.#known.set(text, a);
    return out;
  }
}

export async function findAccount(db: Database, psp: PspId, id: AccountId): Promise<Account | undefined> {
  const [found] = await read(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);
  return found;
}

/** For staff only: an account of any PSP. */
export async function findAnyAccount(db: Database, id: AccountId): Promise<Account | undefined> {
  const [found] = await read(db, 'WHERE id = $1', [id]);
  return found;
}

/** The test account of a live account. */
export async function findTestAccount(db: Database, live: string): Promise<Account | undefined> {
  const [found] = await read(db, 'WHERE test_of = $1', [live]);
  return found;
}

/** An account, from the database only if this process has not cached it. */
export const knownAccount = async (s: Needs<'db'> & HasAccounts, key: AccountKey): Promise<Account | undefined> =>
  s.accounts.peek(key) ?? (await s.accounts.load(s.db, [key])).get(s.accounts.text(key));

/** Whether a tenant is a test tenant, which never changes. */
export async function isTestTenant(s: Needs<'db'> & HasAccounts, psp: PspId): Promise<boolean> {
  const owner = await knownAccount(s, { psp, id: psp });
  return owner !== undefined && owner.testOf !== null;
}

/** The oldest active operator account (UUID); undefined if there is none. */
export async function findOperator(db: Database): Promise<string | undefined> {
  const [r] = await db.query<{ id: string }>(
    `SELECT id FROM accounts WHERE kind = 'operator' AND operational_standing = 'ACTIVE' ORDER BY id LIMIT 1`,
  );
  return r?.id;
}

/** Whether a blocking hold is in force at the moment given as $9. */
const isOnHold = `EXISTS (SELECT 1 FROM json_array_elements(holds::json) h WHERE (h->>'blocking')::boolean
         AND (h->>'from')::timestamptz <= greatest($9::timestamptz, updated_at)
         AND (h->>'until' IS NULL OR greatest($9::timestamptz, updated_at) < (h->>'until')::timestamptz))`;

export const listAccounts = (
  db: Database,
  filter: {
    psp?: PspId | undefined;
    kind?: string | undefined;
    standing?: string | undefined;
    /** Part of the name or registration number, in any case. */
    search?: string | undefined;
    test?: boolean | undefined;
    country?: string | undefined;
    /** Whether a blocking hold is in force. */
    onHold?: boolean | undefined;
    /** Only accounts that are suspended, or have a blocking hold and are not closed. */
    restricted?: boolean | undefined;
    /** The moment at which holds are looked at, ISO UTC. */
    at?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Account[]> =>
  read(
    db,
    `WHERE ($1::uuid IS NULL OR psp_id = $1) AND ($2::text IS NULL OR kind = $2)
       AND ($3::text IS NULL OR operational_standing = $3) AND ($4::uuid IS NULL OR id < $4) AND kind IN ('psp', 'client')
       AND ($6::boolean IS NULL OR $6 = (psp_id IN (SELECT id FROM accounts WHERE kind = 'psp' AND test_of IS NOT NULL)))
       AND ($7::text IS NULL OR name ILIKE $7 OR registration_number ILIKE $7)
       AND ($8::boolean IS NULL OR $8 = ${isOnHold}) AND ($10::text IS NULL OR country = $10)
       AND ($11::boolean IS NOT TRUE OR operational_standing = 'SUSPENDED' OR (operational_standing <> 'CLOSED' AND ${isOnHold}))
     ORDER BY id DESC LIMIT $5`,
    [
      filter.psp,
      filter.kind,
      filter.standing,
      filter.before,
      filter.limit,
      filter.test,
      filter.search === undefined ? null : `%${literally(filter.search)}%`,
      filter.onHold,
      filter.at,
      filter.country,
      filter.restricted,
    ],
  );

/** Names of one PSP's accounts by wire id. */
export const accountNames = (
  db: Database,
  psp: PspId,
  wireIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => namesWhere(db, wireIds, 'psp_id = $2 AND ', [psp]);

/** For staff only: names of accounts of any PSP by wire id. */
export const anyAccountNames = (db: Database, wireIds: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  namesWhere(db, wireIds, '', []);

async function namesWhere(db: Database, wireIds: readonly string[], where: '' | 'psp_id = $2 AND ', more: PspId[]) {
  const ids = new Map(wireIds.flatMap((w) => [[accountFromWire(w), w] as const]));
  const rows = await db.query<{ id: string; name: string }>(
    `SELECT id, name FROM accounts WHERE ${where}id = ANY ($1::uuid[])`,
    [[...ids.keys()].filter((id) => id !== undefined), ...more],
  );
  return new Map(rows.map((r) => [ids.get(r.id) as string, r.name]));
}

/** Every PSP, without test tenants. */
export async function livePsps(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    "SELECT id FROM accounts WHERE kind = 'psp' AND test_of IS NULL ORDER BY id",
  );
  return rows.map((r) => r.id);
}

/** A call's account and its PSP, as the facts a command needs. */
export interface Concerned {
  readonly account: Need<Account>;
  readonly psp: Need<Account>;
}

export function concerned(directory: AccountDirectory, psp: PspId, account: AccountId): Concerned {
  return { account: need(directory, { psp, id: account }), psp: need(directory, { psp, id: psp }) };
}

/**
 * The account a call is about: a client's key means its client; a PSP's key the client named by x-client-id, else the
 * PSP's own account.
 */
export function concernedAccount(principal: Principal, onBehalfOf: AccountId | undefined): AccountId | Refusal {
  if (principal.kind === 'client')
    return onBehalfOf === undefined || onBehalfOf === principal.account ? principal.account : notFound();
  return onBehalfOf ?? principal.account;
}

/** A decision's expectation of the accounts' standing. */
export const expectAccounts = (account: Account, psp: Account) =>
  account === psp
    ? [{ psp: account.psp, id: account.id, version: account.version }]
    : [
        { psp: account.psp, id: account.id, version: account.version },
        { psp: psp.psp, id: psp.id, version: psp.version },
      ];

/** Both accounts of a command, or NOT_FOUND; another PSP's client is treated as not found. */
export function bothAccounts(facts: Facts, c: Concerned): { account: Account; psp: Account } | Refusal {
  const account = facts(c.account);
  const psp = facts(c.psp);
  return account && psp ? { account, psp: account.id === psp.id ? account : psp } : notFound();
}

export const clientId = (a: { psp: PspId; id: string }): string => toWire(a.psp === a.id ? 'psp' : 'client', a.id);

export const accountColumns = (a: Account) => table.toRow(a);

/** A changed account's row; requires that the stored version is the one before. */
export const accountChange = (after: Account) => row('account_changes', accountColumns(after));
