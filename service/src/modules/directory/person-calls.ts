// The calls of a person who is known by a telephone number, beside the payments and plays that name the person.
import type { Database } from '../../platform/database.ts';
import { callsOfNumber } from '../telecom/index.ts';
import { namedBy, type PersonRow, type PersonScope, recordsOfPerson } from './person-store.ts';

/** The calls that are counted. */
export const mostCalls = 1000;

const callsOf = (db: Database, p: PersonScope, before: string | undefined, limit: number) =>
  callsOfNumber(db, { psp: p.psp, forms: [p.person], account: p.account, before, limit });

/** The number of calls, at most one more than are counted. */
export const countCalls = async (db: Database, p: PersonScope): Promise<number> =>
  (await callsOf(db, p, undefined, mostCalls + 1)).length;

/** The kinds of value by which records and calls name the person; none if nothing does. */
export async function knownBy(db: Database, p: PersonScope): Promise<string[]> {
  const [named, calls] = await Promise.all([namedBy(db, p), callsOf(db, p, undefined, 1)]);
  return [...new Set([...named.map((n) => n.by), ...(calls.length > 0 ? ['msisdn'] : [])])];
}

/** Newest first. @param before id of the last one of the page before */
export async function everyRecord(
  db: Database,
  p: PersonScope,
  before: string | undefined,
  limit: number,
): Promise<PersonRow[]> {
  const [records, calls] = await Promise.all([recordsOfPerson(db, p, before, limit), callsOf(db, p, before, limit)]);
  const rows = calls.map(
    ({ id, account }): PersonRow => ({
      ...{ psp: p.psp, kind: 'cdr', type: 'cdr', id, account },
      ...{ ref: null, amount: null, currency: null, status: null },
    }),
  );
  return [...records, ...rows].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}
