// Registers clients. A repeated registration gets a working key: the first answer may have been lost, and only hashes
// of keys are stored. A key that was ever used is never replaced here.
import { hash } from 'node:crypto';
import { Refusal, refuse, type Said, said } from '../../core/refusal.ts';
import { canonical } from '../../core/request.ts';
import { covers, storedScopes } from '../../core/scopes.ts';
import { decidingTime } from '../../core/standing.ts';
import { need } from '../../platform/committer.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { openPersonal, type SubjectKey } from '../kernel/subjects.ts';
import { accountRows } from './account-rows.ts';
import {
  type Account,
  bothAccounts,
  clientId,
  concerned,
  findAccount,
  type HasAccounts,
  isTestTenant,
} from './accounts.ts';
import {
  type Created,
  createAccount,
  type NewAccount,
  newWebhookSecret,
  registeredAlready,
  registrationRef,
  secretPlace,
} from './administer.ts';
import { changedKey, gates, heldKeys } from './administer-keys.ts';
import { findLiveKeys, findRegisteredId } from './client-store.ts';
import { type KeyChange, keyEntry } from './key-entry.ts';
import type { HasKeys } from './keys.ts';
import { issue, issueKey } from './new-key.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts & HasKeys;

/** For this long, repeating a registration returns a working key. */
const windowMs = 24 * 3_600_000;
/**
 * Within one process concurrent equal requests get the same answer; during this time another process must not replace
 * their key.
 */
const settledMs = 60_000;
const rememberedMs = 5 * 60_000;
const mostRemembered = 1_000;

interface Answered extends Created {
  readonly scopes: Principal['scopes'];
  readonly untilMs: number;
}

/** Recent answers by account, so that concurrent equal requests get the same key. */
const answers = new Map<string, Answered>();

export type Registered = Created & { readonly replayed: boolean };

/** Equal registrations in flight: they share one decision and answer. */
const underWay = new Map<string, Promise<Registered>>();

/** @throws ALREADY_REGISTERED */
export async function register(s: Uses, principal: Principal, n: NewAccount, now: number): Promise<Registered> {
  const equal = hash('sha256', canonical({ ...n, id: '', scopes: storedScopes(principal.scopes) }), 'base64');
  const before = underWay.get(equal);
  if (before) return { ...(await before), replayed: true };
  const registering = registerOnce(s, principal, n, now).finally(() => underWay.delete(equal));
  underWay.set(equal, registering);
  return registering;
}

async function registerOnce(s: Uses, principal: Principal, n: NewAccount, now: number): Promise<Registered> {
  try {
    return { ...remember(await createAccount(s, principal, n, now), principal, now), replayed: false };
  } catch (e) {
    if (!(e instanceof Refusal) || e.code !== 'ALREADY_REGISTERED') throw e;
    return { ...(await registerAgain(s, principal, n, now)), replayed: true };
  }
}

function remember(made: Created, { scopes }: Principal, now: number): Created {
  for (const [id, a] of answers) if (a.untilMs <= now || answers.size >= mostRemembered) answers.delete(id);
  answers.set(made.account.id, { ...made, scopes, untilMs: now + rememberedMs });
  return made;
}

async function registerAgain(s: Uses, principal: Principal, n: NewAccount, now: number): Promise<Created> {
  const account = await findRegistered(s, n);
  if (!account) throw refuse('ALREADY_REGISTERED', registeredAlready(n));
  const already = (why: Said) =>
    refuse('ALREADY_REGISTERED', said`${registeredAlready(n)} (${clientId(account)})${why}`);
  if (!(await isEqual(s, account, n)))
    throw already(said`, with other data; change what is registered with updateClient`);
  const keys = await findLiveKeys(s.db, account);
  const [key] = keys;
  const isUnused = keys.length === 1 && key?.lastUsedAt === null && !s.keys.wasUsed(key.id);
  if (!key || !isUnused || now - Date.parse(account.createdAt) > windowMs)
    throw already(
      said`, and its key was used or is older than a day; if it is lost, issue another with POST /v1/key and x-client-id`,
    );
  const before = answers.get(account.id);
  if (before && before.untilMs > now && covers(principal.scopes, before.scopes)) return before;
  if (now - Date.parse(key.createdAt) < settledMs)
    throw already(said`, a moment ago; if the answer with its key was lost, send the same request again in a minute`);
  return remember(await reissue(s, principal, account, key.id, now), principal, now);
}

async function findRegistered(s: Needs<'db'>, n: NewAccount): Promise<Account | undefined> {
  const gate = registrationRef(n);
  if (!gate) return undefined;
  const id = await findRegisteredId(s.db, gate);
  return id === undefined ? undefined : findAccount(s.db, n.psp, id);
}

/** Whether everything requested equals what is registered. */
async function isEqual(s: Needs<'db' | 'subjects'>, a: Account, n: NewAccount): Promise<boolean> {
  const contact = await contactOf(s, a);
  return (
    a.name === n.name &&
    a.registrationNumber === n.registrationNumber &&
    a.country === n.country &&
    a.classification === n.classification &&
    a.organizationTin === n.organizationTin &&
    contact?.email === n.contact?.email &&
    contact?.phoneNumber === n.contact?.phoneNumber
  );
}

export interface Contact {
  readonly email: string;
  readonly phoneNumber: string;
}

/** Undefined if the account has none, or it was erased. */
export async function contactOf(s: Needs<'db' | 'subjects'>, a: Account): Promise<Contact | undefined> {
  if (a.contact === null) return undefined;
  const id = { psp: a.psp, subject: `account:${a.id}` };
  const key = (await s.subjects.load(s.db, [id])).get(s.subjects.text(id));
  return openContact(key, a);
}

/** @param key the client's key as a person; undefined if destroyed */
export const openContact = (key: SubjectKey | undefined, a: Account): Contact | undefined =>
  a.contact === null ? undefined : (openPersonal(key, a.contact, `accounts/${a.id}`) as Contact | undefined);

/** Replaces the key and webhook secret, which nobody has used, with new ones. */
async function reissue(
  s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault'> & HasAccounts & HasKeys,
  principal: Principal,
  registered: Account,
  keyId: string,
  now: number,
): Promise<Created> {
  const reason = 'the registration was repeated before its key was used';
  const { psp, id } = registered;
  const secret = newWebhookSecret();
  const asked = new Date(now).toISOString();
  const key = issueKey(s, registered, 'first key', {
    at: asked,
    test: await isTestTenant(s, psp),
    scopes: principal.scopes,
  });
  const who = concerned(s.accounts, psp, id);
  const old = need(heldKeys, { psp, id: keyId });
  const account = await s.committer.submit<Account>({
    account: id,
    keys: [`a|${id}`, `k|${keyId}`],
    exclusive: true,
    needs: [who.account, who.psp, old],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      const before = facts(old);
      if (!before || before.row.revoked_at !== null)
        return refuse('ALREADY_REGISTERED', 'the client was registered again by an equal request; send it once more');
      const at = decidingTime(accounts.account, asked);
      const after: Account = {
        ...accounts.account,
        secretSealed: s.vault.seal(secret, secretPlace(id)),
        version: accounts.account.version + 1,
        updatedAt: at,
      };
      const of = { account: after, psp: accounts.psp };
      const entry = (change: KeyChange) => keyEntry(s, principal, at, of, change);
      const { refsHeld, refsNew = [] } = gates([before]);
      return {
        reply: after,
        writes: {
          ...(refsHeld ? { refsHeld } : {}),
          refsNew: [...refsNew, key.ref],
          rows: [
            ...accountRows(s, principal, after, accounts.psp, reason),
            ...changedKey('key.revoked', before, { revoked_at: at }, reason, entry),
            key.row,
            entry({ ...issue(key), reason }),
          ],
        },
      };
    },
    committed() {
      s.accounts.forget({ psp, id });
    },
  });
  s.keys.forget(keyId);
  return { account, apiKey: key.apiKey, secret };
}
