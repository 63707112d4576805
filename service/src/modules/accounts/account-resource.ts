// An account as returned: operators see their own remarks, others do not.
import { toWire } from '../../core/ids.ts';
import { publicCodeOf, publicHold } from '../../core/public-standing.ts';
import { decidingTime, type Hold, inForce, type Standing, unacceptable } from '../../core/standing.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { type Account, clientId } from './accounts.ts';

/** `operator` sees private reasons and remarks; `public` only what the account's subject may read. */
export type Viewer = 'operator' | 'public';

/** Operators, including staff acting as a PSP. */
export const viewerOf = (principal: Principal): Viewer =>
  principal.kind === 'operator' || principal.staff ? 'operator' : 'public';

/** Content of getClient and, as `public`, the data of Client Change events. */
export function accountResource(
  s: Needs<'settings'>,
  a: Account,
  psp: Account,
  now: string,
  viewer: Viewer = 'public',
) {
  const policy = s.settings.requiredLevel;
  const reason = unacceptable(a, psp, policy, now);
  return {
    clientId: clientId(a),
    registeredName: a.name,
    registrationNumber: a.registrationNumber,
    classification: a.classification,
    countryCode: a.country,
    organizationTin: a.organizationTin,
    verificationLevel: a.verificationLevel,
    operationalStanding: a.operationalStanding,
    acceptable: reason === undefined,
    reason: reason ?? null,
    flags: flags(a, now, viewer),
    observations: a.observations,
    ...(a.taxProfiles === null ? {} : { taxProfiles: a.taxProfiles }),
    ...(psp.testOf === null ? {} : { test: true as const }),
    ...(a.testOf === null ? {} : { testOf: toWire(a.kind === 'psp' ? 'psp' : 'client', a.testOf) }),
    createdAt: a.createdAt,
    updatedAt: a.updatedAt,
  };
}

/**
 * Holds as returned. Operators see all, even before they begin; others only blocking ones, by public code. A hold that
 * begins later is shown to others only if its public code says what they can do about it.
 */
export function flags(a: Standing, now: string, viewer: Viewer) {
  const at = decidingTime(a, now);
  const seen = viewer === 'operator' ? (h: Hold) => inForce(h, at) || ahead(h, at) : (h: Hold) => isPublic(h, at);
  const shownToClient = (h: Hold) => publicHold(h, ahead(h, at));
  return a.holds.filter(seen).map((h) => ({
    id: toWire('hold', h.id),
    ...(viewer === 'operator' ? { code: h.code, reason: h.reason } : shownToClient(h)),
    blocking: h.blocking,
    since: h.from,
    until: h.until,
    ...(viewer === 'operator' ? { setBy: h.setBy, shownToClient: isPublic(h, at) ? shownToClient(h) : null } : {}),
  }));
}

/** A hold released before it began ends no later than it starts. */
const ahead = (h: Hold, at: string): boolean => h.from > at && (h.until === null || h.from < h.until);

const isPublic = (h: Hold, at: string): boolean =>
  h.blocking && (inForce(h, at) || (ahead(h, at) && publicCodeOf(h) !== 'UNDER_REVIEW'));
