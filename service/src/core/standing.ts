// A client's standing and its consequences. Decides APPROVED or DECLINED for every transaction.

import { clientsPsp, holdSentence } from './public-standing.ts';
import { stored } from './said.ts';

export const verificationLevels = ['UNVERIFIED', 'BASIC', 'ENHANCED'] as const;
export type VerificationLevel = (typeof verificationLevels)[number];

export const operationalStandings = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export type OperationalStanding = (typeof operationalStandings)[number];

/** The strictest of several standings; undefined if all are ACTIVE. */
export const strictest = (standings: readonly string[]): 'SUSPENDED' | 'CLOSED' | undefined =>
  (['CLOSED', 'SUSPENDED'] as const).find((s) => standings.includes(s));

export const classifications = [
  'IGAMING_GLOBAL',
  'IGAMING_LOCAL',
  'ECOMM_GLOBAL',
  'ECOMM_LOCAL',
  'CRYPTO_GLOBAL',
  'CRYPTO_LOCAL',
] as const;

/** A dated flag. A blocking one in force declines the client's transactions. Times are ISO UTC. */
export interface Hold {
  readonly id: string;
  /** For operators, like the reason: public-standing.ts says what others read. */
  readonly code: string;
  readonly reason: string;
  /** The code that others read; if absent, it follows from `code`. */
  readonly publicCode?: string;
  readonly blocking: boolean;
  readonly from: string;
  readonly until: string | null;
  readonly setBy: string;
}

export interface Standing {
  readonly kind: 'psp' | 'client' | 'operator' | 'authority';
  readonly classification: string | null;
  readonly verificationLevel: VerificationLevel;
  readonly operationalStanding: OperationalStanding;
  readonly holds: readonly Hold[];
  /** ISO UTC time of the account's last change. */
  readonly updatedAt: string;
}

/** Whether an account takes part in business: operators and authorities do not. */
export const trades = ({ kind }: Pick<Standing, 'kind'>): boolean => kind === 'psp' || kind === 'client';

export interface LevelPolicy {
  readonly default: VerificationLevel;
  readonly byClassification: Readonly<Record<string, VerificationLevel>>;
}

/** A request received before the account's last change but decided after it is decided as of the change. */
export const decidingTime = (s: Pick<Standing, 'updatedAt'>, now: string): string =>
  now < s.updatedAt ? s.updatedAt : now;

export const inForce = (h: Hold, now: string): boolean => h.from <= now && (h.until === null || now < h.until);

/** An answer's message, with what is to be known beside it, if there is something. */
export const withBesides = (message: string, besides: string | undefined): string =>
  besides === undefined ? message : `${message}; ${besides}`;

/** Said beside the end of a hold, where others are in force; undefined if none is. @param others ids as on the wire */
export const othersHold = (what: 'the wallet' | 'the account', others: readonly string[]): string | undefined =>
  others.length === 0
    ? undefined
    : `${what} is still on hold: ${others.slice(0, 3).join(', ')}${others.length > 3 ? ` and ${others.length - 3} more` : ''}`;

export function requiredLevel(s: Standing, policy: LevelPolicy): VerificationLevel {
  return (s.classification ? policy.byClassification[s.classification] : undefined) ?? policy.default;
}

/**
 * Why the account may not trade, in plain words its subject may read; undefined if it may.
 * @param psp the PSP it belongs to (itself for a PSP); a PSP that may not trade blocks its clients too
 * @param now ISO UTC
 */
export function unacceptable(s: Standing, psp: Standing, policy: LevelPolicy, now: string): string | undefined {
  const own = ownFault(s, s.kind === 'psp' ? 'the PSP' : 'the client', policy, now);
  if (own !== undefined || psp === s) return own;
  return pspFault(psp, now);
}

function ownFault(s: Standing, who: string, policy: LevelPolicy, now: string): string | undefined {
  const standing = standingFault(s, who, now);
  if (standing !== undefined) return standing;
  const needed = requiredLevel(s, policy);
  if (verificationLevels.indexOf(s.verificationLevel) < verificationLevels.indexOf(needed))
    return stored`${who}'s verification level is ${s.verificationLevel}; ${needed} is required`;
  return undefined;
}

const pspFault = (psp: Standing, now: string) => standingFault(psp, clientsPsp, now);

function standingFault(s: Standing, who: string, now: string): string | undefined {
  if (s.operationalStanding === 'SUSPENDED') return stored`${who} is suspended`;
  if (s.operationalStanding === 'CLOSED') return stored`${who} is closed`;
  const at = decidingTime(s, now);
  const hold = s.holds.find((h) => h.blocking && inForce(h, at));
  return hold && holdSentence(who, hold);
}

/** What is still required, per verifyClientStatus, before the client can be approved. */
export function currentlyDue(s: Standing, policy: LevelPolicy): string[] {
  const needed = requiredLevel(s, policy);
  return verificationLevels.indexOf(s.verificationLevel) < verificationLevels.indexOf(needed)
    ? [`verificationLevel:${needed}`]
    : [];
}
