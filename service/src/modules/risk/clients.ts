// The clients of records as rules see them, from memory where they are known. Never changes one.

import { isoTime } from '../../core/calendar.ts';
import type { PspId } from '../../core/ids.ts';
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
  const accounts = new Map<string, Account>();
  const missing = new Map<string, { psp: PspId; id: string }>();
  for (const { event } of events) {
    const key = { psp: event.psp, id: event.account };
    const text = s.accounts.text(key);
    if (accounts.has(text) || missing.has(text)) continue;
    const known = s.accounts.peek(key);
    if (known) accounts.set(text, known);
    else missing.set(text, key);
  }
  if (missing.size > 0) for (const [text, a] of await s.accounts.load(db, [...missing.values()])) accounts.set(text, a);
  return (e) => clientFacts(accounts.get(s.accounts.text({ psp: e.psp, id: e.account })), e.at);
}

const clientFacts = (a: Account | undefined, at: number): RiskClient => ({
  classification: a?.classification ?? '',
  country: a?.country ?? '',
  verificationLevel: a?.verificationLevel ?? '',
  operationalStanding: a?.operationalStanding ?? '',
  onHold: a?.holds.some((h) => inForce(h, isoTime(at))) ?? false,
  since: a ? Date.parse(a.createdAt) : at,
});
