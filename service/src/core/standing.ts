// A client's standing and what follows from it. Decides APPROVED or DECLINED for every transaction.

import { clientsPsp, holdSentence } from './public-standing.ts';

export const verificationLevels = ['UNVERIFIED', 'BASIC', 'ENHANCED'] as const;
export type VerificationLevel = (typeof verificationLevels)[number];

export const operationalStandings = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export type OperationalStanding = (typeof operationalStandings)[number];

/** The strictest of the standings that bear on somebody; undefined where all are ACTIVE. */
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
export type Classification = (typeof classifications)[number];

/** A dated flag. A blocking one in force makes the client unacceptable. Times are ISO UTC. */
export interface Hold {
  readonly id: string;
  /** For operators, as is the reason: see public-standing.ts for what others read. */
  readonly code: string;
  readonly reason: string;
  /** The code that others read; without it the one that follows from `code`. */
  readonly publicCode?: string;
  readonly blocking: boolean;
  readonly from: string;
  readonly until: string | null;
  readonly setBy: string;
}

export interface Standing {
  readonly kind: 'psp' | 'client' | 'operator';
  readonly classification: string | null;
  readonly verificationLevel: VerificationLevel;
  readonly operationalStanding: OperationalStanding;
  readonly holds: readonly Hold[];
  /** ISO UTC. When the account last changed. */
  readonly updatedAt: string;
}

export interface LevelPolicy {
  readonly default: VerificationLevel;
  readonly byClassification: Readonly<Record<string, VerificationLevel>>;
}

/** A request that came before the account's last change, but is decided after it, is judged as of the change. */
export const judgedAt = (s: Standing, now: string): string => (now < s.updatedAt ? s.updatedAt : now);

export const inForce = (h: Hold, now: string): boolean => h.from <= now && (h.until === null || now < h.until);

export function requiredLevel(s: Standing, policy: LevelPolicy): VerificationLevel {
  return (s.classification ? policy.byClassification[s.classification] : undefined) ?? policy.default;
}

/**
 * Why the account may not trade, in plain words that its subject may read; undefined when it may.
 * @param psp the PSP it belongs to (itself for a PSP); a PSP that may not trade takes its clients along
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
    return `${who}'s verification level is ${s.verificationLevel}; ${needed} is required`;
  return undefined;
}

const pspFault = (psp: Standing, now: string) => standingFault(psp, clientsPsp, now);

function standingFault(s: Standing, who: string, now: string): string | undefined {
  if (s.operationalStanding === 'SUSPENDED') return `${who} is suspended`;
  if (s.operationalStanding === 'CLOSED') return `${who} is closed`;
  const at = judgedAt(s, now);
  const hold = s.holds.find((h) => h.blocking && inForce(h, at));
  return hold && holdSentence(who, hold);
}

/** What verifyClientStatus says is still due before the client can be approved. */
export function currentlyDue(s: Standing, policy: LevelPolicy): string[] {
  const needed = requiredLevel(s, policy);
  return verificationLevels.indexOf(s.verificationLevel) < verificationLevels.indexOf(needed)
    ? [`verificationLevel:${needed}`]
    : [];
}
