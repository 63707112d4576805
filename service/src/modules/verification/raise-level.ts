// Raising a client's verification level: allowed when what the level asks for is met, and put in force by the commit that
// approves the proposal. Lowering needs neither.
import { notFound, type Refusal, refuse } from '../../core/refusal.ts';
import { missingFor, missingInWords } from '../../core/requirements/due.ts';
import { isAtLeast } from '../../core/requirements/requirement.ts';
import { eachOf, phrase, said } from '../../core/said.ts';
import { decidingTime, type VerificationLevel } from '../../core/standing.ts';
import type { Writes } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { type Account, accountRows, findAccount } from '../accounts/index.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { dueOfClient, type HasRequirements } from './shown.ts';

type Uses = Needs<'settings' | 'ids' | 'rates'> & HasRequirements;

/** Why a client's level cannot be raised; undefined if it can. */
export async function whyNotRaised(
  s: Uses,
  db: Database,
  client: Account,
  level: VerificationLevel,
  now: number,
): Promise<Refusal | undefined> {
  if (client.operationalStanding === 'CLOSED')
    return refuse('STATE_CONFLICT', 'the account is closed and cannot be changed');
  if (isAtLeast(client.verificationLevel, level))
    return refuse(
      'STATE_CONFLICT',
      said`the client's level is ${phrase(client.verificationLevel)} already; a level is lowered with setStanding`,
    );
  const missing = missingFor(await dueOfClient(s, db, client, now), level);
  return missing.length === 0
    ? undefined
    : refuse('STATE_CONFLICT', said`the level ${phrase(level)} still asks for ${eachOf(missing.map(missingInWords))}`);
}

/** The writes that raise a level, for the transaction of its approval. @throws NOT_FOUND, STATE_CONFLICT */
export async function raisedLevel(
  s: Uses,
  tx: Database,
  principal: Principal,
  client: Pick<Account, 'psp' | 'id'>,
  level: VerificationLevel,
  reason: string,
  now: number,
): Promise<Pick<Writes, 'rows'>> {
  const before = await findAccount(tx, client.psp, client.id);
  const owner = await findAccount(tx, client.psp, client.psp);
  if (!before || !owner) throw notFound();
  const fault = await whyNotRaised(s, tx, before, level, now);
  if (fault) throw fault;
  const at = decidingTime(before, new Date(now).toISOString());
  const after: Account = { ...before, verificationLevel: level, version: before.version + 1, updatedAt: at };
  return { rows: accountRows(s, principal, after, owner, reason, { changed: ['verificationLevel'] }) };
}
