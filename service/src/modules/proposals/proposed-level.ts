// Proposals that raise the verification level of a client: what they say, and what approving one writes.
import { accountFromWire } from '../../core/ids.ts';
import { notFound, refuse } from '../../core/refusal.ts';
import { type VerificationLevel, verificationLevels } from '../../core/standing.ts';
import type { Writes } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { clientId, findAnyAccount, type HasAccounts } from '../accounts/index.ts';
import { type Needs, type Principal, Text, Type } from '../kernel/operation.ts';
import { type HasRequirements, raisedLevel, whyNotRaised } from '../verification/index.ts';
import type { Proposal } from './proposal-store.ts';

export const levelFields = {
  clientId: Text('The client, `cli_…`.', 64),
  verificationLevel: Type.Enum(verificationLevels, { description: 'The level it is raised to.' }),
};

interface ProposedLevel {
  readonly clientId: string;
  readonly verificationLevel: VerificationLevel;
}

type Uses = Needs<'settings' | 'ids' | 'db' | 'rates'> & HasRequirements;

export const needTwoForLevels = (s: Needs<'settings'>): boolean => s.settings.requireTwoPersons.includes('levels');

/** Subject and content of the proposal. @throws NOT_FOUND, and STATE_CONFLICT if the level cannot be raised */
export async function readLevel(
  s: Uses,
  asked: ProposedLevel,
  now: number,
): Promise<{ readonly subject: string; readonly content: string }> {
  const id = accountFromWire(asked.clientId);
  const client = id && (await findAnyAccount(s.db, id));
  if (client?.kind !== 'client') throw notFound();
  const { verificationLevel } = asked;
  const fault = await whyNotRaised(s, s.db, client, verificationLevel, now);
  if (fault) throw refuse(fault.code, fault.said);
  const subject = clientId(client);
  return { subject, content: JSON.stringify({ clientId: subject, verificationLevel } satisfies ProposedLevel) };
}

/** @throws NOT_FOUND, STATE_CONFLICT if the client no longer meets what the level asks for */
export async function levelRaised(
  s: Uses,
  tx: Database,
  principal: Principal,
  p: Proposal,
  now: number,
): Promise<Pick<Writes, 'rows'>> {
  const { verificationLevel } = JSON.parse(p.content) as ProposedLevel;
  const client = await findAnyAccount(tx, accountFromWire(p.subject) as string);
  if (!client) throw notFound();
  return raisedLevel(s, tx, principal, client, verificationLevel, p.reason, now);
}

/** The next decision reads the client again. */
export async function forgetClient(s: Needs<'db'> & HasAccounts, p: Proposal): Promise<void> {
  const client = await findAnyAccount(s.db, accountFromWire(p.subject) as string);
  if (client) s.accounts.forget(client);
}
