// Work on reviews: open one, assign it, add notes, conclude it.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { assigned, concluded, noted, type ReviewChange, reviewOutcomes } from '../../../core/risk/review.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, operation, Prose } from '../../kernel/operation.ts';
import { findTransaction } from '../../transactions/index.ts';
import { userNames } from '../../users/index.ts';
import { changeReview, openByHand } from '../change-review.ts';
import { ReviewResource } from '../review-resource.ts';
import { reviewAsked } from './list-reviews.ts';

const reviewers = ['administrator', 'reviewer'] as const;
const Note = Prose('Text of the note. Recorded in the journal in clear: do not name people.', 2000);

export const openReview = operation({
  id: 'openReview',
  method: 'POST',
  path: '/v1/review',
  tag: 'Reviews',
  summary: 'Open a review manually',
  description: 'Once per transaction: repeating the call with the same reason returns the same review.',
  audience: ['psp'],
  roles: reviewers,
  body: Type.Object({
    transactionId: Type.String({ minLength: 1, maxLength: 64 }),
    reason: Prose('Reason for the review; recorded in the journal in clear.', 500),
  }),
  content: ReviewResource,
  example: { transactionId: 'txn_01h455vb4pex5vsknk084sn02q', reason: 'the customer says they never bought this' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle({ principal, onBehalfOf, body, now }, s: Needs<'ids' | 'db' | 'committer'>) {
    const id = fromWire('transaction', body.transactionId);
    const t = id && (await findTransaction(s.db, principal.psp, id));
    if (!t || (onBehalfOf !== undefined && t.account !== onBehalfOf)) throw notFound();
    return openByHand(s, principal, t, body.reason, now);
  },
});

async function change(
  s: Needs<'ids' | 'db' | 'committer'>,
  call: Call,
  said: { message: string; reason?: string },
  to: ReviewChange,
) {
  const review = await reviewAsked(s, call);
  return changeReview(s, call.principal, review, to, said, call.now);
}

const noteOf = (call: Call, text: string) => ({
  at: new Date(call.now).toISOString(),
  by: call.principal.actor,
  text,
});

export const noteReview = operation({
  id: 'noteReview',
  method: 'POST',
  path: '/v1/review/:reviewId/note',
  tag: 'Reviews',
  summary: 'Add a note to a review',
  description: 'Resolved reviews take notes too.',
  audience: ['psp', 'operator'],
  roles: reviewers,
  body: Type.Object({ note: Note }),
  content: ReviewResource,
  example: { note: 'the invoice matches the amount' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED'],
  handle: (call, s: Needs<'ids' | 'db' | 'committer'>) =>
    change(s, call, { message: 'note added', reason: call.body.note }, noted(noteOf(call, call.body.note))),
});

export const assignReview = operation({
  id: 'assignReview',
  method: 'POST',
  path: '/v1/review/:reviewId/assign',
  tag: 'Reviews',
  summary: 'Assign a review to yourself or another person, or unassign it',
  audience: ['psp', 'operator'],
  roles: reviewers,
  body: Type.Object({
    assignee: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
        description: '`usr_…`; null unassigns the review; default: the caller.',
      }),
    ),
  }),
  content: ReviewResource,
  example: {},
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'>) {
    const to = await assigneeOf(s, call, call.body.assignee);
    return change(s, call, { message: to === null ? 'review given back' : 'review assigned' }, assigned(to));
  },
});

async function assigneeOf(s: Needs<'db'>, call: Call, asked: string | null | undefined): Promise<string | null> {
  const { principal } = call;
  if (asked === undefined) return principal.actor;
  if (asked === null || asked === principal.actor) return asked;
  const id = fromWire('user', asked);
  // Staff acting as a PSP may also assign it to their own colleagues.
  const own = principal.kind === 'operator' || principal.staff ? undefined : principal.psp;
  if (id === undefined || !(await userNames(s.db, own, [id])).has(id))
    throw refuse('FIELD_INVALID', "the field 'assignee' names nobody who signs in here");
  return asked;
}

export const resolveReview = operation({
  id: 'resolveReview',
  method: 'POST',
  path: '/v1/review/:reviewId/resolve',
  tag: 'Reviews',
  summary: 'Resolve a review',
  description: 'CLEARED: nothing is wrong. CONFIRMED: something is. The transaction itself does not change.',
  audience: ['psp', 'operator'],
  roles: reviewers,
  body: Type.Object({ outcome: Type.Enum([...reviewOutcomes]), note: Note }),
  content: ReviewResource,
  example: { outcome: 'CLEARED', note: 'a known customer; the invoice was seen' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'LIMIT_REACHED'],
  handle: (call, s: Needs<'ids' | 'db' | 'committer'>) =>
    change(
      s,
      call,
      { message: `review resolved: ${call.body.outcome}`, reason: call.body.note },
      concluded(call.body.outcome, noteOf(call, call.body.note)),
    ),
});
