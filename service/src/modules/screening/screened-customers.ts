// Compares the customers who paid of late with names of lists, a page of persons at a time. Their names are opened in
// memory alone and never logged; what matches is sealed under the person's key.
import type { PspId } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { errorFields } from '../../platform/log.ts';
import type { Needs } from '../kernel/needs.ts';
import { openPersonal, type SubjectKey } from '../kernel/subjects.ts';
import { latestPayments, type Payment, personsAfter } from './customer-store.ts';
import type { NameLookup } from './listed-names.ts';
import { nameIn, personalPlaces } from './paid-by.ts';
import type { Screened } from './record-matches.ts';
import { screenedCustomer } from './screened.ts';

/** Persons read at a time: what is in memory of them. */
const page = 500;

export interface CustomerPage {
  readonly screened: number;
  readonly matched: readonly Screened[];
  /** Where the next page begins; undefined after the last. */
  readonly next: string | undefined;
}

/** @param after where the page begins; empty for the first */
export async function screenCustomers(
  s: Needs<'subjects' | 'log'>,
  db: Database,
  names: NameLookup,
  of: { readonly psp: PspId; readonly since: string; readonly after: string },
  pause: () => Promise<void>,
): Promise<CustomerPage> {
  const { psp, since, after } = of;
  const persons = await personsAfter(db, psp, after, page);
  const payments = persons.length === 0 ? [] : await latestPayments(db, psp, persons, since);
  const paid = [...new Set(payments.map((p) => p.subject))];
  const keys =
    paid.length === 0
      ? new Map<string, SubjectKey>()
      : await s.subjects.load(
          db,
          paid.map((subject) => ({ psp, subject })),
        );
  const screened = new Map<string, Screened>();
  for (const p of payments) {
    if (screened.has(p.subject)) continue;
    const person = keys.get(s.subjects.text({ psp, subject: p.subject }));
    const name = person && nameOf(s, person, p);
    if (person === undefined || name === undefined) continue;
    const transaction = p.kind === 'transaction' ? p.id : null;
    screened.set(p.subject, screenedCustomer(names, { psp, account: p.account, transaction, person }, name));
    await pause();
  }
  return {
    screened: screened.size,
    matched: [...screened.values()].filter((of) => of.found.length > 0),
    next: persons.length < page ? undefined : persons.at(-1),
  };
}

/** A record that was changed behind the service's back keeps nobody else from being screened; the audit says more of it. */
function nameOf(s: Needs<'log'>, person: SubjectKey, { kind, id, sealed }: Payment): string | undefined {
  try {
    return nameIn(openPersonal(person, sealed, personalPlaces[kind](id)));
  } catch (e) {
    s.log.error({ kind, record: id, ...errorFields(e) }, 'the customer of a record cannot be read and is not screened');
    return undefined;
  }
}
