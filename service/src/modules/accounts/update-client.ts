// Changes a client's registered details, as a command like every change of an account.
import type { PspId } from '../../core/ids.ts';
import { notFound, Refusal, refuse, said } from '../../core/refusal.ts';
import { decidingTime } from '../../core/standing.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { expectSubject, type SubjectKey, sealPersonal, subjectNeed } from '../kernel/subjects.ts';
import { accountRows } from './account-rows.ts';
import { type Account, bothAccounts, concerned, type HasAccounts } from './accounts.ts';
import { observed } from './administer.ts';
import { type Contact, openContact } from './register.ts';

/** Without registration number and country: changing these would make it another client. */
export interface ClientChange {
  readonly registeredName?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly classification?: string | undefined;
  readonly organizationTin?: string | undefined;
  /** The reason, recorded in the journal. */
  readonly reason?: string | undefined;
}

/** @returns the client after the change; unchanged and without an entry if nothing differs */
export async function updateClient(
  s: Needs<'settings' | 'ids' | 'committer' | 'subjects'> & HasAccounts,
  principal: Principal,
  { psp, id }: { readonly psp: PspId; readonly id: string },
  change: ClientChange,
  now: number,
): Promise<Account> {
  const asked = new Date(now).toISOString();
  const who = concerned(s.accounts, psp, id);
  const person = subjectNeed(s.subjects, { psp, subject: `account:${id}` });
  return s.committer.submit<Account>({
    account: id,
    keys: [`a|${id}`],
    exclusive: true,
    needs: [who.account, who.psp, person],
    decide(facts) {
      const both = bothAccounts(facts, who);
      if (both instanceof Refusal) return both;
      const { account: before, psp: owner } = both;
      if (before.kind !== 'client') return notFound();
      if (before.operationalStanding === 'CLOSED')
        return refuse('STATE_CONFLICT', 'the account is closed and cannot be changed');
      const key = facts(person) as SubjectKey;
      const known = openContact(key, before);
      const contact = { ...known, ...given({ email: change.email, phoneNumber: change.phoneNumber }) } as Contact;
      for (const field of ['email', 'phoneNumber'] as const)
        if (contact[field] === undefined && (change.email ?? change.phoneNumber) !== undefined)
          return refuse('FIELD_REQUIRED', said`the field '${field}' is required`);
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
      if (changed.length === 0) return { reply: before };
      const at = decidingTime(before, asked);
      const sealed = isNewContact ? sealPersonal(key, contact, `accounts/${id}`) : before.contact;
      const merged = { ...before, ...fields, contact: sealed, version: before.version + 1, updatedAt: at };
      const after: Account = {
        ...merged,
        observations: observed({
          ...(merged.organizationTin === null ? {} : { organizationTin: merged.organizationTin }),
          ...(merged.country === null ? {} : { country: merged.country }),
          ...(contact.phoneNumber === undefined ? {} : { contact }),
        }),
      };
      const { erasures, subjects } = expectSubject(facts, person);
      return {
        reply: after,
        writes: {
          erasures,
          ...(isNewContact ? { subjects } : {}),
          rows: accountRows(
            s,
            principal,
            after,
            owner,
            change.reason,
            { changed },
            isNewContact ? { sealed, subject: key.subject } : {},
          ),
        },
      };
    },
    committed: () => s.accounts.forget({ psp, id }),
  });
}

const given = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined)) as Partial<T>;
