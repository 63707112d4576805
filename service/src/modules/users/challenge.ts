// What a person holds between the two steps of a sign-in: a sealed text that names them and opens nothing by itself.
// It ends after five minutes, with the next sign-in, and with whatever ends the person's sessions.
import type { Vault } from '../../platform/sealed-secrets.ts';
import type { SignInMethod } from '../../records/sessions.ts';
import type { User } from './user-store.ts';

export const challengeMs = 5 * 60_000;
const place = 'sign-in challenge';

export interface Challenge {
  readonly user: string;
  readonly epoch: number;
  readonly signedInAt: string | null;
  readonly method: SignInMethod;
  /** Who the person is at the provider of the first step, if there was one. */
  readonly identity?: { readonly issuer: string; readonly subject: string };
  readonly at: number;
}

export function makeChallenge(
  vault: Vault,
  u: User,
  first: Pick<Challenge, 'method' | 'identity'>,
  now: number,
): string {
  const challenge: Challenge = { user: u.id, epoch: u.sessionEpoch, signedInAt: u.signedInAt, ...first, at: now };
  return vault.seal(JSON.stringify(challenge), place);
}

/** Undefined if it was not made here or has ended. */
export function openChallenge(vault: Vault, text: string, now: number): Challenge | undefined {
  const challenge = opened<Challenge>(vault, text, place);
  return challenge && isFresh(challenge.at, now, challengeMs) ? challenge : undefined;
}

/** Whether the person has neither signed in nor lost their sessions since. */
export const isOpen = (c: Challenge, u: User): boolean =>
  u.state === 'ACTIVE' && u.sessionEpoch === c.epoch && u.signedInAt === c.signedInAt;

/** By how much the clocks of two machines of one service may differ. */
const skewMs = 30_000;

/** Whether a moment is past by less than `mostMs`. One far in the future is of a clock that was set back. */
export const isFresh = (at: number, now: number, mostMs: number): boolean => at <= now + skewMs && now < at + mostMs;

/** The JSON that was sealed here at this place; undefined for any other text. */
export function opened<T>(vault: Vault, text: string, at: string): T | undefined {
  try {
    return JSON.parse(vault.open(text, at)) as T;
  } catch {
    return undefined;
  }
}
