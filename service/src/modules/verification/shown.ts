// What clients have shown, as returned and journalled, and what of it is due.
import { localDate } from '../../core/calendar.ts';
import { accountWire, toWire } from '../../core/ids.ts';
import { type Due, dueOf, inWords } from '../../core/requirements/due.ts';
import type { Licence } from '../../core/requirements/licence.ts';
import type { RequirementBook } from '../../core/requirements/requirement.ts';
import { resourceOf } from '../../entries/schema.ts';
import { DocumentResource, LicenceResource } from '../../entries/verifications.ts';
import type { Database } from '../../platform/database.ts';
import type { Account } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type ClientDocument, findVerification, listDocuments } from './verification-store.ts';

export interface HasRequirements {
  readonly requirements: RequirementBook;
}

/** More than a client can have. */
export const mostDocuments = 200;

export const documentResource = (d: ClientDocument) =>
  resourceOf(DocumentResource, d, {
    documentId: toWire('document', d.id),
    clientId: accountWire(d.psp, d.account),
  });

export const licenceResource = (l: Licence) =>
  resourceOf(LicenceResource, l, {
    licenceId: toWire('licence', l.id),
    countryCode: l.country,
  });

/** The time zone of a client's country, in which its days are counted. */
export const zoneOf = (s: Needs<'rates'>, country: string | null): string =>
  (country === null ? undefined : s.rates.book.country(country)?.timeZone) ?? 'UTC';

/** Everything a client has to show, with its state; empty for an account that is no client. */
export async function dueOfClient(
  s: Needs<'rates'> & HasRequirements,
  db: Database,
  a: Account,
  now: number,
): Promise<Due[]> {
  if (a.kind !== 'client') return [];
  const zone = zoneOf(s, a.country);
  const today = localDate(zone, now);
  const key = { psp: a.psp, account: a.id };
  const shown = await findVerification(db, key);
  return dueOf(
    s.requirements.of(a, today),
    {
      organizationTin: a.organizationTin,
      ownerShares: shown?.ownerShares ?? null,
      ownerIds: shown?.ownerIds ?? null,
      licences: shown?.licences ?? [],
      documents: await listDocuments(db, { ...key, limit: mostDocuments }),
    },
    localDate(zone, Date.parse(a.createdAt)),
    today,
  );
}

const requirementResource = ({ requirement: r, state, dueBy, validUntil, missingOwners }: Due) => ({
  requirementId: r.requirementId,
  level: r.level,
  need: r.need,
  what: inWords(r),
  document: r.need === 'DOCUMENT' ? r.document : null,
  activity: r.need === 'LICENCE' ? r.activity : null,
  authorities: r.need === 'LICENCE' ? r.authorities.map((a) => a.code) : [],
  law: r.law,
  confidence: r.confidence,
  state,
  dueBy,
  validUntil,
  missingOwners: [...missingOwners],
});

/** Fills what accounts ask for: the requirements of an account as returned. */
export const requirementsOf = (s: Needs<'rates'> & HasRequirements) => async (db: Database, a: Account, now: number) =>
  (await dueOfClient(s, db, a, now)).map(requirementResource);
