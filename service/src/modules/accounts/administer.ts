// Account administration by staff and the first start: creates PSPs and clients, changes standing. Used by the admin
// operations and the command line; every step is a journal entry with its actor and reason. Keys: administer-keys.ts.

import type { PspId } from '../../core/ids.ts';
import { notFound, Refusal, refuse, type Said, said } from '../../core/refusal.ts';
import { type Command, need, type RefKey, type Row } from '../../platform/committer.ts';
import { observePhone, observeTaxNumber } from '../../platform/identifiers.ts';
import { randomSecret } from '../../platform/random.ts';
import { journalRow, row } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { refHeld } from '../kernel/refs.ts';
import { sealPersonal } from '../kernel/subjects.ts';
import { accountResource } from './account-resource.ts';
import {
  type Account,
  accountColumns,
  bothAccounts,
  concerned,
  findAnyAccount,
  type HasAccounts,
  isTestTenant,
} from './accounts.ts';
import { changedStanding, type ForgetsSessions, forgetChanged, type StandingChange } from './changed-standing.ts';
import { keyEntry } from './key-entry.ts';
import type { HasKeys } from './keys.ts';
import { type IssuedKey, issue, issueKey } from './new-key.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & HasAccounts;

export interface NewAccount {
  readonly psp: PspId;
  readonly id: string;
  readonly kind: Account['kind'];
  readonly name: string;
  readonly registrationNumber?: string;
  readonly country?: string;
  readonly classification?: string;
  readonly organizationTin?: string;
  readonly contact?: { email: string; phoneNumber: string };
  /** The live account that this test account belongs to. */
  readonly testOf?: string;
  /** Only the first commit that takes this ref creates the account. */
  readonly once?: RefKey;
  /** Further rows of the commit. */
  readonly rows?: readonly Row[];
}

export interface Created {
  readonly account: Account;
  readonly apiKey: string;
  /** Webhook secret; shown once. */
  readonly secret: string;
}

export const secretPlace = (id: string) => `accounts/${id}/secret`;
export const newWebhookSecret = () => `whsec_${randomSecret(32).toString('base64')}`;

/** Creates an account with a webhook secret and its first key, whose scopes are the caller's. @throws ALREADY_REGISTERED */
export async function createAccount(s: Uses, principal: Principal, n: NewAccount, now: number): Promise<Created> {
  const test = await inTests(s, n);
  const key = issueKey(s, n, 'first key', { at: new Date(now).toISOString(), test, scopes: principal.scopes });
  return { ...(await create(s, principal, n, now, test, key)), apiKey: key.apiKey };
}

/** Creates an account with a webhook secret but no key. @throws ALREADY_REGISTERED */
export const createKeyless = async (s: Uses, principal: Principal, n: NewAccount, now: number) =>
  create(s, principal, n, now, await inTests(s, n), undefined);

const inTests = async (s: Needs<'db'> & HasAccounts, n: NewAccount) =>
  n.testOf !== undefined || (n.kind === 'client' && (await isTestTenant(s, n.psp)));

function create(
  s: Needs<'settings' | 'ids' | 'committer' | 'vault' | 'subjects'> & HasAccounts,
  principal: Principal,
  n: NewAccount,
  now: number,
  test: boolean,
  key: IssuedKey | undefined,
): Promise<Omit<Created, 'apiKey'>> {
  const at = new Date(now).toISOString();
  const secret = newWebhookSecret();
  const person = n.contact ? s.subjects.make({ psp: n.psp, subject: `account:${n.id}` }) : undefined;
  const contact = person && n.contact ? sealPersonal(person, n.contact, `accounts/${n.id}`) : null;
  const account: Account = {
    psp: n.psp,
    id: n.id,
    kind: n.kind,
    name: n.name,
    registrationNumber: n.registrationNumber ?? null,
    country: n.country ?? null,
    classification: n.classification ?? null,
    organizationTin: n.organizationTin ?? null,
    contact,
    secretSealed: s.vault.seal(secret, secretPlace(n.id)),
    // Nobody verifies a test account.
    verificationLevel: test ? 'ENHANCED' : 'BASIC',
    operationalStanding: 'ACTIVE',
    holds: [],
    observations: observed(n),
    testOf: n.testOf ?? null,
    taxProfiles: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const psp = n.kind === 'client' ? need(s.accounts, { psp: n.psp, id: n.psp }) : undefined;
  const gate = n.once ?? registrationRef(n);
  const taken = gate && need(refHeld, gate, true);
  return s.committer.submit<Omit<Created, 'apiKey'>>({
    account: n.psp,
    keys: gate ? [`r|${gate.space}|${gate.psp}|${gate.ref}`] : [],
    needs: [...(psp ? [psp] : []), ...(taken ? [taken] : [])],
    decide(facts) {
      const owner = psp ? facts(psp) : account;
      if (!owner) return notFound();
      if (taken && facts(taken))
        return refuse('ALREADY_REGISTERED', n.once ? said`${n.name} was made already` : registeredAlready(n));
      return {
        reply: { account, secret },
        writes: {
          accounts: psp ? [{ psp: owner.psp, id: owner.id, version: owner.version }] : [],
          ...(person?.fresh ? { subjects: [person.fresh] } : {}),
          refsNew: [...(gate ? [{ ...gate, target: n.id, revision: 1 }] : []), ...(key ? [key.ref] : [])],
          rows: [
            row('account_rows', accountColumns(account)),
            journalRow(s, principal, at, {
              kind: 'client.created',
              psp: n.psp,
              account: n.id,
              resourceId: n.id,
              version: 1,
              data: accountResource(s, account, owner, at),
              sealed: contact,
              subject: person?.subject ?? null,
            }),
            ...(key ? [key.row, keyEntry(s, principal, at, { account, psp: owner }, issue(key))] : []),
            ...(n.rows ?? []),
          ],
        },
      };
    },
  });
}

export const registeredAlready = (n: NewAccount): Said =>
  said`a client with the registration number '${n.registrationNumber ?? ''}' in ${n.country ?? ''} is registered already`;

/** Warnings about a registration; they never refuse it. */
export const observed = (n: Pick<NewAccount, 'organizationTin' | 'country' | 'contact'>) => [
  ...(n.organizationTin === undefined ? [] : observeTaxNumber(n.organizationTin, n.country ?? '', 'organizationTin')),
  ...observePhone(n.contact?.phoneNumber, n.country ?? '', 'phoneNumber'),
];

/** The gate that detects a second registration of one number in a country under one PSP. */
export const registrationRef = (n: NewAccount): RefKey | undefined =>
  n.registrationNumber === undefined
    ? undefined
    : {
        psp: n.psp,
        space: 'client',
        ref: `${n.country}:${n.registrationNumber.trim().toUpperCase()}`,
        account: n.psp,
      };

/** Changes an account. In force from the moment this resolves. @throws NOT_FOUND; a CLOSED account stays closed */
export async function changeAccount(
  s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys & ForgetsSessions,
  principal: Principal,
  id: string,
  change: StandingChange,
  now: number,
): Promise<Account> {
  const found = await findAnyAccount(s.db, id);
  if (!found) throw notFound();
  const who = concerned(s.accounts, found.psp, id);
  const command: Command<Account> = {
    account: id,
    keys: [`a|${id}`],
    exclusive: true,
    needs: [who.account, who.psp],
    decide(facts) {
      const both = bothAccounts(facts, who);
      if (both instanceof Refusal) return both;
      const changed = changedStanding(s, principal, both, change, now);
      return changed instanceof Refusal ? changed : { reply: changed.account, writes: { rows: changed.rows } };
    },
    committed: () => forgetChanged(s, { psp: found.psp, id }, change),
  };
  return s.committer.submit(command);
}
