// After a leak: revokes a key, and ends what it made since a moment. Each end is a command with its journal entry.
import { toWire } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import { type HasAccounts, type HasKeys, revokeKey } from '../accounts/index.ts';
import type { LetsGo } from '../kernel/lets-go.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { revokeSftpLogin } from '../telecom/index.ts';
import { disableUser, findUser, type HasSessions } from '../users/index.ts';
import { deleteWebhook } from '../webhooks/index.ts';
import { type Made, madeBy, madeResource } from './made.ts';

export type EndsKeys = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys & HasSessions & LetsGo;

/** Ended at the same time. */
const together = 20;

/** What is made while the rest ends is ended in another round. */
const mostRounds = 10;

/**
 * Revokes a key.
 * @param madeSince ends what it made from this moment on, ISO 8601 UTC; undefined: nothing
 */
export async function revokeWithMade(
  s: EndsKeys,
  principal: Principal,
  keyId: string,
  { reason, endMadeSince }: { readonly reason: string; readonly endMadeSince?: string | undefined },
  now: number,
) {
  const revoke = () => revokeKey(s, principal, keyId, reason, now);
  if (endMadeSince === undefined) return revoke();
  const since = Date.parse(endMadeSince);
  // A key that revokes itself decides nothing afterwards.
  const first = toWire('key', keyId) === principal.actor ? undefined : await revoke();
  const made = await endAll(s, principal, keyId, since, reason, now);
  return { ...(first ?? (await revoke())), made: made.map(madeResource) };
}

async function endAll(
  s: EndsKeys,
  principal: Principal,
  keyId: string,
  since: number,
  reason: string,
  now: number,
): Promise<Made[]> {
  for (let round = 1; ; round++) {
    const made = await madeBy(s.db, keyId, since, now);
    const ends = made.filter((m) => m.active && m.kind !== 'client' && !isCaller(principal, m));
    if (ends.length === 0 || round > mostRounds) return made;
    for (let i = 0; i < ends.length; i += together)
      await Promise.all(ends.slice(i, i + together).map((m) => end(s, principal, m, reason, now)));
  }
}

/** The caller's own key or person stays: somebody must be able to go on. */
const isCaller = ({ actor, session }: Principal, m: Made): boolean =>
  (m.kind === 'key' && toWire('key', m.id) === actor) || (m.kind === 'user' && m.id === session?.user);

async function end(s: EndsKeys, principal: Principal, m: Made, reason: string, now: number): Promise<void> {
  try {
    if (m.kind === 'key') await revokeKey(s, principal, m.id, reason, now);
    else if (m.kind === 'sftpLogin') await revokeSftpLogin(s, principal, { psp: m.psp }, m.id, reason, now);
    else if (m.kind === 'webhook') await deleteWebhook(s, { principal, reach: { psp: m.psp }, id: m.id, now }, reason);
    else {
      const user = await findUser(s.db, m.id, m.psp);
      if (user) await disableUser(s, principal, user, reason, now);
    }
  } catch (e) {
    // Somebody else ended it meanwhile.
    if (!(e instanceof Refusal && e.code === 'NOT_FOUND')) throw e;
  }
}
