// The changes of a client's licences: one is added, accepted, refused, or its end is announced.
import { notFound, phrase, type Refusal, refuse, said } from '../../core/refusal.ts';
import { type Licence, mostLicences } from '../../core/requirements/licence.ts';
import type { VerificationChange } from './change-verification.ts';

export type NewLicence = Pick<
  Licence,
  'id' | 'activity' | 'authority' | 'number' | 'country' | 'validUntil' | 'addedBy'
>;

const sameLicence = (a: Licence, b: NewLicence): boolean =>
  a.activity === b.activity &&
  a.authority === b.authority &&
  a.number === b.number &&
  a.country === b.country &&
  a.validUntil === b.validUntil;

/** Nothing changes if an equal licence waits, or was accepted. */
export const added = (licence: NewLicence, today: string): VerificationChange => ({
  changed: 'licences',
  to(before, at) {
    if (before.licences.some((l) => l.state !== 'REFUSED' && sameLicence(l, licence))) return before;
    if (licence.validUntil !== null && licence.validUntil < today)
      return refuse('FIELD_INVALID', "the field 'validUntil' is past: a licence that has ended cannot be added");
    // What was refused, or ended and was replaced, makes room.
    const kept = before.licences.filter((l) => l.state !== 'REFUSED' && (l.validUntil === null || l.warned !== -1));
    const licences = before.licences.length < mostLicences ? before.licences : kept;
    if (licences.length >= mostLicences)
      return refuse('LIMIT_REACHED', said`a client can have at most ${mostLicences} licences`);
    const made: Licence = {
      ...licence,
      state: 'SUBMITTED',
      addedAt: at,
      decidedAt: null,
      decidedBy: null,
      decisionReason: null,
      warned: null,
    };
    return { ...before, licences: [...licences, made] };
  },
});

export const decided = (
  id: string,
  state: 'ACCEPTED' | 'REFUSED',
  by: string,
  reason: string | null,
): VerificationChange => ({
  changed: 'licences',
  reason: reason ?? undefined,
  to(before, at) {
    const licence = before.licences.find((l) => l.id === id);
    if (!licence) return notFound();
    if (licence.state === state && licence.decisionReason === reason) return before;
    const fault = refusalOf(licence, state);
    if (fault) return fault;
    const after = { ...licence, state, decidedAt: at, decidedBy: by, decisionReason: reason };
    return { ...before, licences: before.licences.map((l) => (l === licence ? after : l)) };
  },
});

/** An accepted licence may be refused later, as when it was withdrawn; what was refused is added again. */
const refusalOf = (l: Licence, state: 'ACCEPTED' | 'REFUSED'): Refusal | undefined =>
  l.state === 'REFUSED' || l.state === state
    ? refuse('STATE_CONFLICT', said`the licence is ${phrase(l.state)}; add it again to have it decided again`)
    : undefined;
