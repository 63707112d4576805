// The lock of a sign-in after several failures. It holds wherever the person has not signed in before; in a network where
// they have, only failures from that network count, so that nobody elsewhere can keep them out.
import type { Database } from '../../platform/database.ts';
import { Kept } from '../../platform/kept.ts';
import { recordedNetwork } from '../../platform/network.ts';
import { hasSignedInFrom, type User } from './user-store.ts';

export const mostFailures = 5;
export const lockMs = 15 * 60_000;

/** A lock that ends later than any made now could was made before the clock was set back. */
export function isLocked(u: User, now: number): boolean {
  if (u.lockedUntil === null) return false;
  const leftMs = Date.parse(u.lockedUntil) - now;
  return leftMs > 0 && leftMs <= lockMs;
}

/** Whether the lock keeps this network out. */
export async function keepsOut(
  s: { readonly db: Database; readonly signInFailures: FailuresByNetwork },
  u: User,
  network: string,
  now: number,
): Promise<boolean> {
  if (!isLocked(u, now)) return false;
  const known = recordedNetwork(network.replace(/\/64$/, ''));
  return known === null || s.signInFailures.areMost(u, network, now) || !(await hasSignedInFrom(s.db, u, known));
}

interface Failed {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Failures by person and network, of this process. */
export class FailuresByNetwork {
  readonly #failed = new Kept<Failed>(2 ** 21, () => 200);

  add(u: User, network: string, now: number): void {
    this.#failed.set(`${u.id} ${network}`, { count: this.#count(u, network, now) + 1, at: now });
  }

  /** Whether this network alone has failed too often. */
  areMost(u: User, network: string, now: number): boolean {
    return this.#count(u, network, now) >= mostFailures;
  }

  #count(u: User, network: string, now: number): number {
    const failed = this.#failed.get(`${u.id} ${network}`);
    return failed && Math.abs(now - failed.at) < lockMs ? failed.count : 0;
  }
}
