// The clients of records as rules see them, from memory where they are known. Never changes one.

import { isoTime } from '../../core/calendar.ts';
import type { AccountId, PspId } from '../../core/ids.ts';
import type { SeenEvent } from '../../core/risk/replay.ts';
import type { RiskClient, RiskEvent } from '../../core/risk/rule.ts';
import { inForce } from '../../core/standing.ts';
import type { Database } from '../../platform/database.ts';
import type { Account, HasAccounts } from '../accounts/index.ts';

/** The clients of records, from memory where they are known. */
export async function clientsOf(
  s: HasAccounts,
  db: Database,
  events: readonly SeenEvent[],
): Promise<(e: RiskEvent) => RiskClient> {
  // By PSP and account: an id is looked up for each record, and never written together with another.
  const found = new Map<PspId, Map<AccountId, (at: number) => RiskClient>>();
  const missing: { readonly psp: PspId; readonly id: AccountId }[] = [];
  for (const { event } of events) {
    let of = found.get(event.psp);
    if (!of) found.set(event.psp, (of = new Map()));
    if (of.has(event.account)) continue;
    const key = { psp: event.psp, id: event.account };
    const known = s.accounts.peek(key);
    if (!known) missing.push(key);
    of.set(event.account, clientFacts(known));
  }
  if (missing.length > 0)
    for (const a of (await s.accounts.load(db, missing)).values()) found.get(a.psp)?.set(a.id, clientFacts(a));
  return (e) => (found.get(e.psp)?.get(e.account) ?? clientFacts(undefined))(e.at);
}

const unknownClient: Omit<RiskClient, 'since'> = {
  ...{ classification: '', country: '', verificationLevel: '', operationalStanding: '' },
  onHold: false,
};

/** A client at a time: only its holds depend on that. */
function clientFacts(a: Account | undefined): (at: number) => RiskClient {
  if (!a) return (since) => ({ ...unknownClient, since });
  const { verificationLevel, operationalStanding, holds } = a;
  const [classification, country] = [a.classification ?? '', a.country ?? ''];
  const since = Date.parse(a.createdAt);
  const free = { classification, country, verificationLevel, operationalStanding, onHold: false, since };
  if (holds.length === 0) return () => free;
  const held = { ...free, onHold: true };
  return (at) => (holds.some((h) => inForce(h, isoTime(at))) ? held : free);
}
