// Opens a review by a person, or changes one: one command each, with its journal entry.
import { type AccountId, type PspId, type TransactionId, toWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import { byHand, type Review, type ReviewChange } from '../../core/risk/review.ts';
import { type Command, need } from '../../platform/committer.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Reply } from '../kernel/operation.ts';
import type { Principal } from '../kernel/principal.ts';
import { type Alert, alertKey, opened } from './opened-alert.ts';
import { reviewResource } from './review-resource.ts';
import { keyOf, reviewOf, reviewRef, reviewRow } from './review-store.ts';

/** @param transaction an existing one that the caller may see */
export function openByHand(
  s: Needs<'ids' | 'committer'>,
  principal: Principal,
  transaction: { readonly psp: PspId; readonly id: TransactionId; readonly account: AccountId },
  reason: string,
  now: number,
): Promise<Reply> {
  const { psp, account } = transaction;
  const at = new Date(now).toISOString();
  const alert: Alert = {
    psp,
    account,
    transaction: transaction.id,
    rule: byHand,
    reason,
  };
  const held = need(reviewOf, alertKey(alert), true);
  const command: Command<Reply> = {
    account,
    keys: [`v|${transaction.id}|${byHand}`],
    needs: [held],
    decide(facts) {
      const before = facts(held);
      if (before)
        return before.reason === reason
          ? { reply: { message: 'review opened before', content: reviewResource(before), replayed: true } }
          : refuse(
              'STATE_CONFLICT',
              `this transaction has a review by hand already: ${toWire('review', before.id)}; add a note to it`,
            );
      const { review, writes } = opened(s, principal, alert, at);
      return { reply: { message: 'review opened', content: reviewResource(review) }, writes };
    },
  };
  return s.committer.submit(command);
}

/** @param said the reply's message, and the reason for the journal */
export function changeReview(
  s: Needs<'ids' | 'committer'>,
  principal: Principal,
  review: Review,
  change: ReviewChange,
  said: { readonly message: string; readonly reason?: string },
  now: number,
): Promise<Reply> {
  const { psp, account } = review;
  const key = keyOf(review);
  const at = new Date(now).toISOString();
  const held = need(reviewOf, key);
  const command: Command<Reply> = {
    account,
    keys: [`v|${key.about}|${key.rule}`],
    needs: [held],
    decide(facts) {
      const before = facts(held);
      if (!before) return notFound();
      const changed = change(before);
      if (changed instanceof Refusal) return changed;
      if (changed === before)
        return { reply: { message: said.message, content: reviewResource(before), replayed: true } };
      const after: Review = { ...changed, version: before.version + 1, updatedAt: at };
      const content = reviewResource(after);
      return {
        reply: { message: said.message, content },
        writes: {
          accounts: [],
          refsHeld: [{ ...reviewRef(before), revision: before.version }],
          rows: [
            reviewRow(after),
            journalRow(s, principal, at, {
              kind: 'review.updated',
              psp,
              account,
              resourceId: after.id,
              version: after.version,
              data: content,
              ...(said.reason === undefined ? {} : { evidence: { reason: said.reason } }),
            }),
          ],
        },
      };
    },
  };
  return s.committer.submit(command);
}
