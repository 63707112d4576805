// Changes what is registered of a client. Beside the committer, whose function changes only standing and secrets: the
// same locks in the same order, the row at the version before, its journal entry last.
import { notFound, refuse } from '../../core/refusal.ts';
import { judgedAt } from '../../core/standing.ts';
import type { Database } from '../../platform/database.ts';
import { appendJournal } from '../kernel/journal-append.ts';
import type { Principal, Services } from '../kernel/services.ts';
import { type SubjectKey, sealPersonal } from '../kernel/subjects.ts';
import { accountResource } from './account-resource.ts';
import { type Account, findAccount } from './accounts.ts';
import { observed } from './administer.ts';
import { holdSubjectKey, lockAccount, writeRegistered } from './client-store.ts';
import { type Contact, contactOf } from './register.ts';

/** Without registration number and country: another one of these is another client. */
export interface ClientChange {
  readonly registeredName?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly classification?: string | undefined;
  readonly organizationTin?: string | undefined;
  /** Why; journalled. */
  readonly reason?: string | undefined;
}

/** @returns the client as it is then; unchanged, and without an entry, where nothing differs */
export async function updateClient(
  s: Services,
  principal: Principal,
  key: { readonly psp: string; readonly id: string },
  change: ClientChange,
  now: number,
): Promise<Account> {
  const after = await s.db.transaction((tx) => changeIn(tx, s, principal, key, change, new Date(now).toISOString()));
  s.accounts.forget(key);
  return after;
}

async function changeIn(
  tx: Database,
  s: Services,
  principal: Principal,
  { psp, id }: { readonly psp: string; readonly id: string },
  change: ClientChange,
  asked: string,
): Promise<Account> {
  await lockAccount(tx, { psp, id });
  const before = await findAccount(tx, psp, id);
  const owner = await findAccount(tx, psp, psp);
  if (!before || !owner || before.kind !== 'client') throw notFound();
  if (before.operationalStanding === 'CLOSED')
    throw refuse('STATE_CONFLICT', 'the account is closed and cannot be changed');
  const known = await contactOf(s, before, tx);
  const contact = { ...known, ...given({ email: change.email, phoneNumber: change.phoneNumber }) } as Contact;
  for (const field of ['email', 'phoneNumber'] as const)
    if (contact[field] === undefined && (change.email ?? change.phoneNumber) !== undefined)
      throw refuse('FIELD_REQUIRED', `the field '${field}' is required`);
  const fields = given({
    name: change.registeredName,
    classification: change.classification,
    organizationTin: change.organizationTin,
  }) as Partial<Account>;
  const isNewContact = known?.email !== contact.email || known?.phoneNumber !== contact.phoneNumber;
  const changed = [
    ...Object.entries(fields).flatMap(([field, v]) => (before[field as keyof Account] === v ? [] : [field])),
    ...(isNewContact ? ['contact'] : []),
  ];
  if (changed.length === 0) return before;
  const at = judgedAt(before, asked);
  const person = isNewContact ? await sealingKey(tx, s, psp, `account:${id}`) : undefined;
  const sealed = person ? sealPersonal(person, contact, `accounts/${id}`) : before.contact;
  const merged = { ...before, ...fields, contact: sealed, version: before.version + 1, updatedAt: at };
  const after: Account = {
    ...merged,
    observations: observed({
      ...(merged.organizationTin === null ? {} : { organizationTin: merged.organizationTin }),
      ...(merged.country === null ? {} : { country: merged.country }),
      ...(contact.phoneNumber === undefined ? {} : { contact }),
    }),
  };
  await writeRegistered(tx, after);
  const entry = {
    kind: 'client.updated',
    psp,
    account: id,
    resourceId: id,
    version: after.version,
    data: accountResource(s, after, owner, at),
    evidence: {
      changed,
      ...(change.reason === undefined ? {} : { reason: change.reason }),
      ...(after.holds.length === 0 ? {} : { holds: after.holds }),
    },
    ...(person ? { sealed, subject: person.subject } : {}),
  } as const;
  await appendJournal(tx, s, principal, at, entry, [{ table: 'accounts', id }]);
  return after;
}

const given = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined)) as Partial<T>;

/** The person's key, stored where it is a new one, and held against erasures until the commit. */
async function sealingKey(tx: Database, s: Services, psp: string, subject: string): Promise<SubjectKey> {
  const id = { psp, subject };
  const key = (await s.subjects.load(tx, [id])).get(s.subjects.text(id)) as SubjectKey;
  if (!(await holdSubjectKey(tx, key)))
    throw refuse('OVERLOADED', 'the data of persons is being erased; nothing was changed, send it again');
  return key;
}
