// What restricts a player: an exclusion, or a limit on deposits, losses or stakes. Its states and its verdicts, pure.

import { addDays, localDate } from '../calendar.ts';
import type { PspId } from '../ids.ts';
import { startOfDate } from '../reports/period.ts';
import { stored } from '../said.ts';
import { differenceOf, isNegative, sumOf } from '../sums.ts';
import type { Observation } from '../transaction.ts';
import type { LimitKind, LimitPeriod, RaiseDelay } from './rule.ts';

export const restrictionKinds = ['EXCLUSION', 'DEPOSIT', 'LOSS', 'STAKE'] as const;
export type RestrictionKind = (typeof restrictionKinds)[number];

export const protectionModes = ['OFF', 'OBSERVE', 'ENFORCE'] as const;
export type ProtectionMode = (typeof protectionModes)[number];

export interface Restriction {
  readonly psp: PspId;
  readonly id: string;
  /** The gaming operator it applies to; the PSP for all of its operators. */
  readonly account: string;
  readonly kind: RestrictionKind;
  /** Keyed hashes of all that the player is known by. */
  readonly subjects: readonly string[];
  /** Who asked for it: a register's name, PLAYER, OPERATOR. */
  readonly source: string;
  /** The register's reference. */
  readonly reference: string | null;
  /** Country whose law and calendar apply, ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** For a limit. */
  readonly period: LimitPeriod | null;
  readonly currency: string | null;
  readonly amount: string | null;
  /** The amount of a limit from `pendingFrom` on. */
  readonly pendingAmount: string | null;
  readonly pendingFrom: string | null;
  readonly fromAt: string;
  /** Null without end. */
  readonly untilAt: string | null;
  readonly setBy: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface PlayerLimit extends Restriction {
  readonly kind: LimitKind;
  readonly period: LimitPeriod;
  readonly currency: string;
  readonly amount: string;
}

export const isLimit = (r: Restriction): r is PlayerLimit =>
  r.kind !== 'EXCLUSION' && r.period !== null && r.currency !== null && r.amount !== null;

/** @param at ISO UTC */
export const isRestricting = (r: Pick<Restriction, 'fromAt' | 'untilAt'>, at: string): boolean =>
  r.fromAt <= at && (r.untilAt === null || at < r.untilAt);

/** Whether the player asked for it, so that no operator may end it as it likes. */
export const isOwn = (r: Pick<Restriction, 'source'>): boolean => r.source.toUpperCase() === 'PLAYER';

/** Whether it applies to an operator. */
export const appliesTo = (r: Pick<Restriction, 'psp' | 'account'>, account: string): boolean =>
  r.account === r.psp || r.account === account;

/** A limit as it is at a moment: from `pendingFrom` on the higher amount is the amount, and nothing is pending. */
export const limitAt = <R extends Pick<Restriction, 'amount' | 'pendingAmount' | 'pendingFrom'>>(
  r: R,
  at: string,
): R =>
  r.pendingFrom !== null && r.pendingAmount !== null && r.pendingFrom <= at
    ? { ...r, amount: r.pendingAmount, pendingAmount: null, pendingFrom: null }
    : r;

/** The amount of a limit at a moment. */
export const amountAt = (r: Restriction, at: string): string => limitAt(r, at).amount as string;

/** The first moment of the period that contains a moment; weeks begin on Monday (ISO 8601). */
export function periodStart(period: LimitPeriod, timeZone: string, ms: number): number {
  const day = localDate(timeZone, ms);
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const first = { DAY: day, WEEK: addDays(day, -weekday), MONTH: `${day.slice(0, 7)}-01` }[period];
  return startOfDate(timeZone, first);
}

/** The first moment after the period that contains a moment. */
function periodEnd(period: LimitPeriod, timeZone: string, ms: number): number {
  const first = localDate(timeZone, periodStart(period, timeZone, ms));
  // A month has at most 31 days: 31 days after its first is in the next one.
  const next = { DAY: addDays(first, 1), WEEK: addDays(first, 7), MONTH: `${addDays(first, 31).slice(0, 7)}-01` }[
    period
  ];
  return startOfDate(timeZone, next);
}

/**
 * When a limit rises, or ends, that a player asks for: after the delay and, where the law says so, its running period.
 * @param at ISO UTC @returns ISO UTC
 */
export function raisedFrom(at: string, delay: RaiseDelay, period: LimitPeriod, timeZone: string): string {
  const after = hoursAfter(at, delay.hours);
  if (!delay.afterPeriod) return after;
  const end = new Date(periodEnd(period, timeZone, Date.parse(at))).toISOString();
  return end > after ? end : after;
}

export const exceeds = (used: string, more: string, limit: string): boolean =>
  isNegative(differenceOf(limit, sumOf([used, more])));

/** The limit after a change is asked for: a lower one at once, a higher one later. @param at ISO UTC @param raised by raisedFrom */
export function limitChanged(before: Restriction, amount: string, at: string, raised: string): Restriction {
  const current = amountAt(before, at);
  const settled = { ...before, amount: current, pendingAmount: null, pendingFrom: null, untilAt: null };
  if (!isNegative(differenceOf(current, amount))) return { ...settled, amount };
  // Asked again, it waits no longer; an end that was asked for meanwhile is taken back.
  if (before.pendingAmount === amount) return { ...before, untilAt: null };
  return { ...settled, pendingAmount: amount, pendingFrom: raised };
}

/** The limit after its end is asked for, which comes as if it rose. @param raised by raisedFrom */
export const limitEnded = (before: Restriction, raised: string): Restriction =>
  before.untilAt === null ? { ...before, untilAt: raised } : before;

/** @param at ISO UTC */
export const hoursAfter = (at: string, hours: number): string =>
  new Date(Date.parse(at) + hours * 3_600_000).toISOString();

/** A moment some months later, on the same day or, in a shorter month, its last. @param at ISO UTC */
export function monthsAfter(at: string, months: number): string {
  const from = new Date(at);
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const day = first.toISOString().slice(0, 8) + String(Math.min(from.getUTCDate(), lastDay)).padStart(2, '0');
  return `${day}${from.toISOString().slice(10)}`;
}

/** What a player is doing. */
export type PlayerAct = 'deposit' | 'wager';

/** The limits that an act uses up. */
export const limitsOn: Readonly<Record<PlayerAct, readonly LimitKind[]>> = {
  deposit: ['DEPOSIT'],
  wager: ['STAKE', 'LOSS'],
};

const actNoun: Readonly<Record<PlayerAct, string>> = { deposit: 'deposit', wager: 'wager' };
const periodNoun: Readonly<Record<LimitPeriod, string>> = { DAY: 'day', WEEK: 'week', MONTH: 'month' };
const limitNoun: Readonly<Record<LimitKind, string>> = { DEPOSIT: 'deposit', LOSS: 'loss', STAKE: 'stake' };

export type PlayerCode = 'PLAYER_EXCLUDED' | 'PLAYER_LIMIT';

export interface PlayerFinding {
  readonly code: PlayerCode;
  /** Whether the PSP enforces it. */
  readonly enforced: boolean;
  readonly message: string;
}

export const excludedFinding = (act: PlayerAct, enforced: boolean): PlayerFinding => ({
  code: 'PLAYER_EXCLUDED',
  enforced,
  message: stored`the player is excluded from gambling and may not make a ${actNoun[act]}`,
});

export const limitFinding = (
  act: PlayerAct,
  enforced: boolean,
  l: { readonly kind: LimitKind; readonly period: LimitPeriod; readonly amount: string; readonly currency: string },
): PlayerFinding => ({
  code: 'PLAYER_LIMIT',
  enforced,
  message: stored`with this ${actNoun[act]} the player would exceed the ${limitNoun[l.kind]} limit of ${l.amount} ${l.currency} a ${periodNoun[l.period]}`,
});

/** What is noted on the record. */
export const playerObservation = (f: PlayerFinding): Observation => ({
  code: f.code,
  field: 'customer',
  message: f.message,
});

/** Why a deposit is declined. */
export const declineReason = (f: PlayerFinding): string => `${f.message} (${f.code})`;
