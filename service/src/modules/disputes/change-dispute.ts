// Changes a dispute: one command with its journal entry.
import type { Dispute } from '../../core/dispute.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import { type Command, type Decided, type Facts, type Need, need, type Writes } from '../../platform/committer.ts';
import type { Needs, Reply } from '../kernel/operation.ts';
import { disputeOf, disputeRef, disputeResource, disputeRow } from './dispute-store.ts';

export interface Change {
  readonly message: string;
  /** Keys of the command in addition to the dispute's. */
  readonly keys?: readonly string[];
  readonly needs: readonly Need<unknown>[];
  /** Further needs that the first facts name. */
  furtherNeeds?(facts: Facts): readonly Need<unknown>[];
  to(facts: Facts, before: Dispute): Dispute | Refusal;
  /** Further writes and expectations, the dispute's entry first among the rows. */
  writes(facts: Facts, after: Dispute): Writes & Pick<Decided<Reply>, 'together'>;
}

/** @param dispute as read; the change is decided on its state at the commit */
export function changeDispute(s: Needs<'committer'>, dispute: Dispute, at: string, change: Change): Promise<Reply> {
  const key = disputeRef(dispute);
  const held = need(disputeOf, key);
  const command: Command<Reply> = {
    account: dispute.account,
    keys: [`d|${dispute.chargeback}`, ...(change.keys ?? [])],
    needs: [held, ...change.needs],
    furtherNeeds: (facts) => change.furtherNeeds?.(facts) ?? [],
    decide(facts) {
      const before = facts(held);
      if (!before) return notFound();
      const changed = change.to(facts, before);
      if (changed instanceof Refusal) return changed;
      const { message } = change;
      if (changed === before) return { reply: { message, content: disputeResource(before), replayed: true } };
      const after: Dispute = { ...changed, version: before.version + 1, updatedAt: at };
      const { refsHeld = [], rows, together, ...expected } = change.writes(facts, after);
      return {
        reply: { message, content: disputeResource(after) },
        together,
        writes: {
          ...expected,
          refsHeld: [{ ...key, revision: before.version }, ...refsHeld],
          rows: [disputeRow(after), ...rows],
        },
      };
    },
  };
  return s.committer.submit(command);
}
