// Accepted documents of a client that end: which of them count until then, and which warnings are due. Pure.
import { daysBetween } from '../calendar.ts';
import { type HeldDocument, ownersToShow, type Shown } from './due.ts';
import { warningDays } from './licence.ts';
import type { Requirement } from './requirement.ts';

/** Days after a document's end in which its last warning is still given, where the job did not run before. */
export const lateDays = 30;

/** Days that were left at the last warning, by the document's id. */
export type Warned = Readonly<Record<string, number>>;

const end = (d: Pick<HeldDocument, 'validUntil'>): string => d.validUntil ?? '9999-12-31';

/**
 * Of each kind of document that is required, the accepted one that counts longest. Of identities of owners, one of each owner.
 */
export function lastDocuments<D extends HeldDocument>(
  documents: readonly D[],
  requirements: readonly Requirement[],
  shown: Pick<Shown, 'ownerIds' | 'ownerShares'>,
): D[] {
  const owners = ownersToShow(requirements, shown);
  const kinds = new Set(requirements.flatMap((r) => (r.need === 'DOCUMENT' ? [r.document] : [])));
  const longest = documents
    .filter((d) => d.state === 'ACCEPTED')
    .sort((a, b) => (end(a) > end(b) ? -1 : end(a) < end(b) ? 1 : 0));
  return [...kinds].flatMap((kind) => {
    const of = longest.filter((d) => d.kind === kind);
    return kind !== 'OWNER_IDENTITY' || owners.length === 0
      ? of.slice(0, 1)
      : owners.flatMap((id) => of.find((d) => d.owner === id) ?? []);
  });
}

/**
 * The warning that is due for a document that ends: the closest of those that were reached and not given; undefined if none is. The
 * last one is given on the last day, or soon after it.
 * @param warned the last warning given
 */
export function documentWarning(
  validUntil: string | null,
  warned: number | undefined,
  today: string,
): { readonly stage: number; readonly daysLeft: number } | undefined {
  if (validUntil === null) return undefined;
  const daysLeft = daysBetween(today, validUntil);
  if (daysLeft < -lateDays) return undefined;
  const stage = [...warningDays].reverse().find((d) => daysLeft <= d);
  return stage === undefined || (warned !== undefined && warned <= stage) ? undefined : { stage, daysLeft };
}
