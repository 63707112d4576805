// Proposals of acts that are done after their approval, once, by the one who proposed them: an operator, a key of one, an
// authority, the erasure of a person. Does none of them.
import { fromWire } from '../../core/ids.ts';
import { notFound, phrase, refuse, said } from '../../core/refusal.ts';
import type { Database } from '../../platform/database.ts';
import { findAnyAccount } from '../accounts/index.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Call, Needs, Principal } from '../kernel/operation.ts';
import { recordIn } from '../kernel/record-in.ts';
import { type ApprovedAct, needTwoFor } from '../kernel/second-person.ts';
import { proposalResource } from './proposal-resource.ts';
import { findProposal, lockGate, type Proposal, proposalRow } from './proposal-store.ts';

export const isAct = (kind: Proposal['kind']): kind is ApprovedAct['kind'] =>
  kind === 'OPERATOR' || kind === 'OPERATOR_KEY' || kind === 'AUTHORITY' || kind === 'ERASURE';

/** PSPs see and decide their own erasures; staff what staff proposed, and those. */
export const isVisible = (p: Proposal, { kind, psp }: Principal): boolean =>
  kind === 'operator' || (p.kind === 'ERASURE' && p.psp === psp);

/** Still possible? @throws NOT_FOUND, STATE_CONFLICT */
export async function expectPossible(db: Database, p: Pick<Proposal, 'kind' | 'content'>): Promise<void> {
  if (p.kind !== 'OPERATOR_KEY') return;
  const { accountId } = JSON.parse(p.content) as { readonly accountId: string };
  const account = await findAnyAccount(db, fromWire('psp', accountId) ?? '');
  if (account?.kind !== 'operator') throw notFound();
  if (account.operationalStanding !== 'ACTIVE')
    throw refuse(
      'STATE_CONFLICT',
      said`the operator's account is ${phrase(account.operationalStanding)}: it gets no key`,
    );
}

/** How long an approval may be used. */
const goodForDays = 7;
const goodForMs = goodForDays * 86_400_000;

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'>;

/**
 * Uses up an approval, in a commit of its own before the act: of two calls with it one goes through.
 * @throws NOT_FOUND, STATE_CONFLICT, TWO_PERSONS
 */
export async function takeApproved(
  s: Uses,
  { principal, now }: Pick<Call, 'principal' | 'now'>,
  proposalId: string,
  act: ApprovedAct,
): Promise<void> {
  const id = fromWire('proposal', proposalId);
  const p = id && (await findProposal(s.db, id));
  if (!p || !isVisible(p, principal)) throw notFound();
  if (p.kind !== act.kind || p.content !== act.content)
    throw refuse('STATE_CONFLICT', said`${proposalId} proposes something else; the call must say what was proposed`);
  if (p.state !== 'APPROVED')
    throw refuse('STATE_CONFLICT', said`${proposalId} is ${phrase(p.state)}; it must be APPROVED`);
  if (needTwoFor(s, act.kind) && (principal.session === undefined || p.proposedBy !== principal.actor))
    throw refuse('TWO_PERSONS', 'what was approved is done by the person who proposed it, signed in');
  if (now - Date.parse(p.updatedAt) > goodForMs)
    throw refuse(
      'STATE_CONFLICT',
      said`${proposalId} was approved more than ${goodForDays} days ago; propose it again`,
    );
  await expectPossible(s.db, p);
  const at = new Date(now).toISOString();
  const done: Proposal = { ...p, state: 'DONE', version: p.version + 1, updatedAt: at };
  await s.db.transaction(async (tx) => {
    const held = await lockGate(tx, p, 'APPROVED');
    if (held === undefined) throw refuse('STATE_CONFLICT', said`${proposalId} was used meanwhile; propose it again`);
    const entry = {
      kind: 'proposal.decided',
      ...about(done),
      data: proposalResource(done),
    } as const;
    await recordIn(tx, s, { refsHeld: [held], rows: [proposalRow(done), journalRow(s, principal, at, entry)] });
  });
}
