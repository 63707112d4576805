// What keeps an account from trading, as facts in place of a sentence: kept with each decline, so that it can be said later
// what would have to be different, and which decisions a change of standing would have turned. Names public codes only.
import { publicCodeOf } from './public-standing.ts';
import {
  decidingTime,
  inForce,
  type LevelPolicy,
  type OperationalStanding,
  requiredLevel,
  type Standing,
  type VerificationLevel,
  verificationLevels,
} from './standing.ts';

export const obstacleKinds = ['verificationLevel', 'operationalStanding', 'hold'] as const;

export interface Obstacle {
  /** ACCOUNT: of the account itself; PSP: of the PSP that it belongs to. */
  readonly of: 'ACCOUNT' | 'PSP';
  readonly what: (typeof obstacleKinds)[number];
  /** The value that prevents it; of a hold its public code, null if it is on the client's PSP. */
  readonly is: string | null;
  /** The value it must have; null for a hold, which must end. */
  readonly needed: string | null;
}

/** The versions of the accounts that decided, and what kept them from trading, if anything did. */
export interface DecidingStanding {
  readonly version: number;
  readonly pspVersion: number;
  /** Absent if nothing did. */
  readonly obstacles?: readonly Obstacle[];
}

const below = (level: VerificationLevel, needed: VerificationLevel): boolean =>
  verificationLevels.indexOf(level) < verificationLevels.indexOf(needed);

function own(s: Standing, of: Obstacle['of'], now: string): Obstacle[] {
  const at = decidingTime(s, now);
  return [
    ...(s.operationalStanding === 'ACTIVE'
      ? []
      : [{ of, what: 'operationalStanding', is: s.operationalStanding, needed: 'ACTIVE' } as const]),
    ...s.holds
      .filter((h) => h.blocking && inForce(h, at))
      .map((h) => ({ of, what: 'hold', is: of === 'PSP' ? null : publicCodeOf(h), needed: null }) as const),
  ];
}

/** All obstacles of an account, its PSP's last; empty if, and only if, `unacceptable` finds nothing. */
export function obstaclesOf(s: Standing, psp: Standing, policy: LevelPolicy, now: string): Obstacle[] {
  const needed = requiredLevel(s, policy);
  return [
    ...own(s, 'ACCOUNT', now),
    ...(below(s.verificationLevel, needed)
      ? [{ of: 'ACCOUNT', what: 'verificationLevel', is: s.verificationLevel, needed } as const]
      : []),
    ...(psp === s ? [] : own(psp, 'PSP', now)),
  ];
}

interface Versioned extends Standing {
  readonly version: number;
}

/** What is kept with a decision. */
export function decidingStanding(s: Versioned, psp: Versioned, policy: LevelPolicy, now: string): DecidingStanding {
  const obstacles = obstaclesOf(s, psp, policy, now);
  return { version: s.version, pspVersion: psp.version, ...(obstacles.length === 0 ? {} : { obstacles }) };
}

/** A change of standing that is thought of. */
export interface StandingIdea {
  /** Whose, seen from the account whose decisions are looked at. */
  readonly of: Obstacle['of'];
  readonly verificationLevel?: VerificationLevel | undefined;
  readonly operationalStanding?: OperationalStanding | undefined;
  /** Places a hold that begins then, ISO UTC. */
  readonly holdFrom?: string | undefined;
  /** Ends every hold. */
  readonly endHolds?: boolean | undefined;
}

/**
 * The verdict that a decision would have had.
 * @param met the obstacles it met
 * @param needed the level that its account needs
 * @param at when it was made, ISO UTC
 */
export function verdictUnder(
  idea: StandingIdea,
  met: readonly Obstacle[],
  needed: VerificationLevel,
  at: string,
): 'APPROVED' | 'DECLINED' {
  const replaced = (o: Obstacle): boolean =>
    o.of === idea.of &&
    ((o.what === 'verificationLevel' && idea.verificationLevel !== undefined) ||
      (o.what === 'operationalStanding' && idea.operationalStanding !== undefined) ||
      (o.what === 'hold' && idea.endHolds === true));
  const added =
    // A client's transactions do not depend on the level of its PSP.
    (idea.of === 'ACCOUNT' && idea.verificationLevel !== undefined && below(idea.verificationLevel, needed)) ||
    (idea.operationalStanding !== undefined && idea.operationalStanding !== 'ACTIVE') ||
    (idea.holdFrom !== undefined && at >= idea.holdFrom);
  return added || met.some((o) => !replaced(o)) ? 'DECLINED' : 'APPROVED';
}
