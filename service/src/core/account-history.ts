// What an entry about an account changed, derived from the account before and after it. Reasons of holds are not
// included: the entry has its own. Pure.
import type { FieldChange, Shown } from './history.ts';

export const accountSteps = [
  'HOLD_PLACED',
  'HOLD_RELEASED',
  'SUSPENDED',
  'CLOSED',
  'REACTIVATED',
  'LEVEL_CHANGED',
  'DETAILS_CHANGED',
] as const;
export type AccountStep = (typeof accountSteps)[number];

const fields = [
  'operationalStanding',
  'verificationLevel',
  'registeredName',
  'registrationNumber',
  'organizationTin',
  'countryCode',
  'classification',
] as const;

interface Flag {
  readonly id?: string;
  readonly code?: string;
}
const flagsOf = (a: Shown): readonly Flag[] => (Array.isArray(a.flags) ? (a.flags as Flag[]) : []);
const codesOf = (a: Shown): readonly string[] => flagsOf(a).map((f) => f.code ?? '');
/** Flags without a hold's id are not caused by holds. */
const newIn = (a: Shown, b: Shown): boolean => flagsOf(b).some((f) => !flagsOf(a).some((g) => g.id === f.id));

/** What an entry names as changed without its values: it is sealed, or long. */
const unvalued = ['contact', 'owners', 'licences', 'documents'];

/** @param evidence of the entry, which names what it changed */
export function accountChange(
  before: Shown,
  after: Shown,
  evidence: Shown = {},
): { step: AccountStep; changes: FieldChange[] } {
  const changes: FieldChange[] = fields
    .filter((f) => (before[f] ?? null) !== (after[f] ?? null))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
  const [placed, released] = [newIn(before, after), newIn(after, before)];
  if (placed || released) changes.push({ field: 'holds', before: codesOf(before), after: codesOf(after) });
  const [was, is] = [before.taxProfiles ?? null, after.taxProfiles ?? null];
  if (JSON.stringify(was) !== JSON.stringify(is)) changes.push({ field: 'taxProfiles', before: was, after: is });
  const named: readonly unknown[] = Array.isArray(evidence.changed) ? evidence.changed : [];
  // Only an entry about webhook addresses lists them.
  for (const field of [
    ...unvalued.filter((f) => named.includes(f)),
    ...('webhookUrls' in after ? ['webhookUrls'] : []),
  ])
    changes.push({ field, before: null, after: null });
  const changed = (field: string) => changes.some((c) => c.field === field);
  const standing = changed('operationalStanding') ? after.operationalStanding : undefined;
  const step: AccountStep =
    standing === 'SUSPENDED'
      ? 'SUSPENDED'
      : standing === 'CLOSED'
        ? 'CLOSED'
        : standing !== undefined
          ? 'REACTIVATED'
          : placed
            ? 'HOLD_PLACED'
            : released
              ? 'HOLD_RELEASED'
              : changed('verificationLevel')
                ? 'LEVEL_CHANGED'
                : 'DETAILS_CHANGED';
  return { step, changes };
}
