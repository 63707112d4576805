// What a change of an account's standing writes: by an operation of its own, or together with what else is decided in
// the same commit, such as a case. Reads and commits nothing itself.
import { type PspId, toWire } from '../../core/ids.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import {
  decidingTime,
  type Hold,
  inForce,
  type OperationalStanding,
  othersHold,
  type VerificationLevel,
  verificationLevels,
} from '../../core/standing.ts';
import type { Row } from '../../platform/committer.ts';
import { aboutAccount, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { accountResource } from './account-resource.ts';
import { type Account, accountChange, type HasAccounts } from './accounts.ts';
import type { HasKeys } from './keys.ts';

/** A cache of sessions that must be re-read after a change. */
export interface ForgetsSessions {
  readonly sessions: { forget(): void };
}

export interface StandingChange {
  readonly operationalStanding?: OperationalStanding | undefined;
  readonly verificationLevel?: VerificationLevel | undefined;
  readonly hold?: Hold | undefined;
  /** Id (UUID) of a hold to end. */
  readonly release?: string | undefined;
  /** The sealed webhook secret that replaces the account's current one. */
  secretSealed?(before: Account): string;
  /** The reason, recorded in the journal. */
  readonly reason: string;
  /** The case that it is done from, as on the wire. */
  readonly caseId?: string | undefined;
}

/**
 * Changes of one account are ordered in time, whichever was requested first.
 * @param now when it was asked for, milliseconds
 */
export function changedStanding(
  s: Needs<'settings' | 'ids'>,
  principal: Principal,
  { account: before, psp }: { readonly account: Account; readonly psp: Account },
  change: StandingChange,
  now: number,
): { readonly account: Account; readonly rows: readonly Row[] } | Refusal {
  if (before.operationalStanding === 'CLOSED')
    return refuse('STATE_CONFLICT', 'the account is closed and cannot be changed');
  if (raisesAlone(s, before, psp, change.verificationLevel))
    return refuse(
      'TWO_PERSONS',
      "a client's level is raised by a proposal that another person approves (POST /v1/admin/proposal); REQUIRE_TWO_PERSONS asks for it",
    );
  if (endsAlone(s, before, change))
    return refuse('TWO_PERSONS', 'this hold was placed from a case, and two people end it from there (RELEASE)');
  const at = decidingTime(before, new Date(now).toISOString());
  const holds = changedHolds(before, change, at);
  if (holds instanceof Refusal) return holds;
  let after: Account = {
    ...before,
    operationalStanding: change.operationalStanding ?? before.operationalStanding,
    verificationLevel: change.verificationLevel ?? before.verificationLevel,
    secretSealed: change.secretSealed?.(before) ?? before.secretSealed,
    holds,
    version: before.version + 1,
    updatedAt: at,
  };
  const owning = (a: Account) => (a.id === psp.id ? a : psp);
  const shown = (a: Account) => accountResource(s, { ...a, updatedAt: at }, owning(a), at);
  // A remark, or a hold that begins later: only operators may learn that anything changed.
  const privately =
    (change.hold !== undefined || change.release !== undefined) &&
    JSON.stringify(shown(before)) === JSON.stringify(shown(after));
  if (privately) after = { ...after, updatedAt: before.updatedAt };
  const entry = journalRow(s, principal, at, {
    kind: privately ? 'client.changed_privately' : 'client.updated',
    ...aboutAccount(after),
    // The resource as its subject may read it; what only operators may read is evidence.
    data: accountResource(s, after, owning(after), at),
    evidence: {
      reason: change.reason,
      ...(change.caseId === undefined ? {} : { caseId: change.caseId }),
      ...(after.holds.length === 0 ? {} : { holds: after.holds }),
    },
  });
  return { account: after, rows: [accountChange(after), entry] };
}

/** What is said beside the end of a hold, where others keep the account on hold; undefined if none does. */
export function stillOnHold(a: Account, ended: string, now: number): string | undefined {
  const at = decidingTime(a, new Date(now).toISOString());
  const others = a.holds.filter((h) => h.id !== ended && h.blocking && inForce(h, at));
  return othersHold(
    'the account',
    others.map((h) => toWire('hold', h.id)),
  );
}

/** Has caches read the account again, after the commit that changed it. */
export function forgetChanged(
  s: HasAccounts & HasKeys & ForgetsSessions,
  account: { readonly psp: PspId; readonly id: string },
  change: Pick<StandingChange, 'operationalStanding'>,
): void {
  s.accounts.forget(account);
  if (change.operationalStanding === undefined) return;
  s.keys.forgetAccount(account.id);
  s.sessions.forget();
}

/** Whether one person would raise the level of a live client, where two are asked for. */
const raisesAlone = (s: Needs<'settings'>, a: Account, psp: Account, level: VerificationLevel | undefined): boolean =>
  level !== undefined &&
  a.kind === 'client' &&
  psp.testOf === null &&
  s.settings.requireTwoPersons.includes('levels') &&
  verificationLevels.indexOf(level) > verificationLevels.indexOf(a.verificationLevel);

/** The private codes of holds that a case places, and a rule, which opens one. */
export const caseHold = 'CASE_REVIEW';
export const ruleHold = 'RISK_RULE';

/** Whether one person would end, outside of its case, a hold that two are asked to end from there. */
const endsAlone = (s: Needs<'settings'>, a: Account, { release, caseId }: StandingChange): boolean =>
  release !== undefined &&
  caseId === undefined &&
  s.settings.requireTwoPersons.includes('cases') &&
  a.holds.some((h) => h.id === release && (h.code === caseHold || h.code === ruleHold));

const mostHolds = 100;

function changedHolds(a: Account, change: StandingChange, at: string): readonly Hold[] | Refusal {
  if (change.release !== undefined) {
    const hold = a.holds.find((h) => h.id === change.release);
    if (!hold) return refuse('NOT_FOUND', 'no such hold on this account');
    return a.holds.map((h) => (h === hold ? { ...h, until: at < (h.until ?? '9999') ? at : h.until } : h));
  }
  if (!change.hold) return a.holds;
  if (a.holds.length < mostHolds) return [...a.holds, change.hold];
  // The journal keeps those that ended.
  const ended = a.holds.find((h) => h.until !== null && h.until <= at);
  return ended === undefined
    ? refuse('LIMIT_REACHED', 'an account can have at most 100 holds')
    : [...a.holds.filter((h) => h !== ended), change.hold];
}
