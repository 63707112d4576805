// Accepted documents of a client that end: which of them count until then, and which warnings are due. Pure.
import { daysBetween } from '../calendar.ts';
import type { HeldDocument } from './due.ts';
import { warningDays } from './licence.ts';
import type { Requirement } from './requirement.ts';

/** Days after a document's end in which its last warning is still given, where the job did not run before. */
export const lateDays = 30;

/** Days that were left at the last warning, by the document's id. */
export type Warned = Readonly<Record<string, number>>;

const end = (d: Pick<HeldDocument, 'validUntil'>): string => d.validUntil ?? '9999-12-31';

/**
 * Of each kind of document that is required, the accepted one that counts longest. Of identities of owners, as many as there are
 * owners: each has one of their own.
 * @param ownerShares percent of each owner, as decimal text; null if nothing was said of owners
 */
export function lastDocuments<D extends HeldDocument>(
  documents: readonly D[],
  requirements: readonly Requirement[],
  ownerShares: readonly string[] | null,
): D[] {
  const owners = (ownerShares ?? []).filter((share) => /[1-9]/.test(share)).length;
  const kinds = new Set(requirements.flatMap((r) => (r.need === 'DOCUMENT' ? [r.document] : [])));
  return [...kinds].flatMap((kind) =>
    documents
      .filter((d) => d.kind === kind && d.state === 'ACCEPTED')
      .sort((a, b) => (end(a) > end(b) ? -1 : end(a) < end(b) ? 1 : 0))
      .slice(0, kind === 'OWNER_IDENTITY' ? Math.max(1, owners) : 1),
  );
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
