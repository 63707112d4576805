// Licences of a client: their states, when one ends in the client's country, which warnings are due, and the hold that
// begins when the last one of an activity has ended. Pure.
import { addDays, daysBetween } from '../calendar.ts';
import { stored } from '../said.ts';
import type { Hold } from '../standing.ts';
import type { LicenceActivity } from './requirement.ts';

export const licenceStates = ['SUBMITTED', 'ACCEPTED', 'REFUSED'] as const;
type LicenceState = (typeof licenceStates)[number];

/** Days before the last day on which it is announced that a licence or a document ends. */
export const warningDays = [30, 7, 0] as const;

/** Code of the hold, public and private. */
const licenceExpired = 'LICENCE_EXPIRED';

export const mostLicences = 30;

export interface Licence {
  /** UUID. */
  readonly id: string;
  readonly activity: LicenceActivity;
  /** Short name of the authority, as the requirement names it. */
  readonly authority: string;
  readonly number: string;
  /** Country of the authority, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Last day on which it is valid, in the client's country; null if it does not end. */
  readonly validUntil: string | null;
  readonly state: LicenceState;
  readonly addedAt: string;
  readonly addedBy: string;
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
  /** The last warning given; null before the first one, -1 once it has ended and that was announced. */
  readonly warned: number | null;
}

/** Accepted licences of each activity, the one that is valid longest last. */
function accepted(licences: readonly Licence[]): Map<LicenceActivity, Licence[]> {
  const end = (l: Licence) => l.validUntil ?? '9999-12-31';
  const found = Map.groupBy(
    licences.filter((l) => l.state === 'ACCEPTED'),
    (l) => l.activity,
  );
  for (const list of found.values()) list.sort((a, b) => (end(a) < end(b) ? -1 : end(a) > end(b) ? 1 : 0));
  return found;
}

/** Of each activity the accepted licence that is valid longest. */
export const lastLicences = (licences: readonly Licence[]): Licence[] =>
  [...accepted(licences).values()].map((list) => list.at(-1) as Licence);

/** The first day without a valid licence of an activity that had one; undefined if no licence ends. */
export function firstDayWithout(licences: readonly Licence[]): string | undefined {
  const ends = lastLicences(licences).flatMap((l) => l.validUntil ?? []);
  return ends.length === 0 ? undefined : addDays(ends.sort()[0] as string, 1);
}

/**
 * The holds of an account after its licences changed: the hold of an earlier end is released, and one that begins when
 * the next licence ends is placed. Unchanged if the hold there is already right.
 * @param from when the first day without a licence begins, ISO UTC; undefined if there is none
 */
export function licenceHolds(
  holds: readonly Hold[],
  from: string | undefined,
  at: string,
  make: () => string,
): readonly Hold[] {
  const open = holds.filter((h) => h.code === licenceExpired && h.setBy === 'system' && h.until === null);
  if (open.length === 1 && open[0]?.from === from) return holds;
  const released = holds.map((h) => (open.includes(h) ? { ...h, until: at } : h));
  if (from === undefined) return released;
  return [
    // A hold that was replaced before it began never mattered; kept, each change of a licence would add one.
    ...released.filter(
      (h) => !(h.setBy === 'system' && h.code === licenceExpired && h.until !== null && h.until <= h.from),
    ),
    {
      id: make(),
      code: licenceExpired,
      publicCode: licenceExpired,
      reason: stored`without a valid licence; a new one ends the hold`,
      blocking: true,
      from,
      until: null,
      setBy: 'system',
    },
  ];
}

/** Days of validity that are left after `today`: 0 on the last day, negative later; undefined if it does not end. */
export const daysLeft = (l: Licence, today: string): number | undefined =>
  l.validUntil === null ? undefined : daysBetween(today, l.validUntil);

/**
 * The warning that is due for a licence: the closest of the warnings that were reached and not given, -1 once it has
 * ended; undefined if none is. Only the licence that is valid longest is warned of.
 */
export function dueWarning(l: Licence, today: string): number | undefined {
  const left = daysLeft(l, today);
  if (left === undefined) return undefined;
  const reached = left < 0 ? -1 : [...warningDays].reverse().find((d) => left <= d);
  return reached === undefined || (l.warned !== null && l.warned <= reached) ? undefined : reached;
}

/** The day on which the next warning of a licence is due; null if none is. */
export function nextWarningOn(licences: readonly Licence[]): string | null {
  const next = lastLicences(licences).flatMap(({ validUntil, warned }) => {
    if (validUntil === null || warned === -1) return [];
    const days = [...warningDays, -1].find((d) => warned === null || d < warned) as number;
    return addDays(validUntil, -days);
  });
  return next.sort()[0] ?? null;
}
