// Opens a review by a person, or changes one: one command each, with its journal entry. A case that is closed resolves
// its own in the same commit.
import { type AccountId, type PspId, type TransactionId, toWire } from '../../core/ids.ts';
import { notFound, Refusal, refuse, said } from '../../core/refusal.ts';
import {
  byHand,
  concluded,
  type Review,
  type ReviewChange,
  type ReviewNote,
  type ReviewOutcome,
} from '../../core/risk/review.ts';
import { type Command, need, type Writes } from '../../platform/committer.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal, Reply } from '../kernel/operation.ts';
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
              said`this transaction has a review by hand already: ${toWire('review', before.id)}; add a note to it`,
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
  const { account } = review;
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
        writes: changedRows(s, principal, before, after, said.reason),
      };
    },
  };
  return s.committer.submit(command);
}

const changedRows = (
  s: Needs<'ids'>,
  principal: Principal,
  before: Review,
  after: Review,
  reason: string | undefined,
) => ({
  refsHeld: [{ ...reviewRef(before), revision: before.version }],
  rows: [
    reviewRow(after),
    journalRow(s, principal, after.updatedAt, {
      kind: 'review.updated',
      ...about(after),
      data: reviewResource(after),
      ...(reason === undefined ? {} : { evidence: { reason } }),
    }),
  ],
});

/** What a case that is closed writes about one of its alerts: nothing if that is resolved. */
export function resolvedWith(
  s: Needs<'ids'>,
  principal: Principal,
  review: Review,
  outcome: ReviewOutcome,
  note: ReviewNote,
): Pick<Writes, 'rows'> & { readonly refsHeld: NonNullable<Writes['refsHeld']> } {
  const changed = concluded(outcome, note)(review);
  if (review.state === 'RESOLVED' || changed instanceof Refusal) return { refsHeld: [], rows: [] };
  const after = { ...changed, version: review.version + 1, updatedAt: note.at };
  return changedRows(s, principal, review, after, note.text);
}
