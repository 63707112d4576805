// Proposes a change of rates: it is validated as if applied, stored, and waits for another person.
import { toWire } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import { type Command, need } from '../../platform/committer.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal, Reply } from '../kernel/operation.ts';
import { proposalResource } from './proposal-resource.ts';
import { gateOf, type Proposal, proposalRow, type Subject, standingOf } from './proposal-store.ts';

/** @param content validated JSON @param base hash of the file of tax rules in force, if it is to replace one */
export function propose(
  s: Needs<'ids' | 'committer'>,
  principal: Principal,
  subject: Subject,
  content: string,
  reason: string,
  now: number,
  base?: string,
): Promise<Reply> {
  const at = new Date(now).toISOString();
  const gate = gateOf(subject);
  const held = need(standingOf, subject);
  const command: Command<Reply> = {
    account: principal.account,
    keys: [`p|${gate.ref}`],
    needs: [held],
    decide(facts) {
      const standing = facts(held);
      const open = standing?.latest.state === 'OPEN' ? standing.latest : undefined;
      if (open)
        return open.content === content && open.reason === reason && open.proposedBy === principal.actor
          ? { reply: { message: 'proposed before', content: proposalResource(open), replayed: true } }
          : refuse(
              'STATE_CONFLICT',
              said`${open.subject} has an open proposal: ${toWire('proposal', open.id)}; approve or reject it first`,
            );
      const made: Proposal = {
        psp: principal.psp,
        id: s.ids.next(),
        account: principal.account,
        ...subject,
        content,
        reason,
        state: 'OPEN',
        proposedBy: principal.actor,
        decidedBy: null,
        decisionReason: null,
        version: 1,
        createdAt: at,
        updatedAt: at,
      };
      const data = proposalResource(made);
      return {
        reply: { message: 'proposed; another person approves it', content: data },
        writes: {
          ...(standing
            ? { refsHeld: [{ ...gate, revision: standing.revision }] }
            : { refsNew: [{ ...gate, target: made.id, revision: 1 }] }),
          rows: [
            proposalRow(made),
            journalRow(s, principal, at, {
              kind: 'proposal.opened',
              ...about(made),
              data,
              evidence: { reason, content: JSON.parse(content), ...(base === undefined ? {} : { base }) },
            }),
          ],
        },
      };
    },
  };
  return s.committer.submit(command);
}
