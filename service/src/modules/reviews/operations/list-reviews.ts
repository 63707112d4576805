import { reviewOutcomes, reviewStates } from '../../../core/risk/review.ts';
import { type HasAccounts, listedClient, livePsps } from '../../accounts/index.ts';
import { idIfAsked } from '../../kernel/asked.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { ListedReview, listedReviews } from '../listed-reviews.ts';
import { listReviews as list } from '../review-store.ts';

const query = Type.Object({
  ...pageQuery,
  ...countQuery,
  state: Type.Optional(Type.Enum(reviewStates)),
  outcome: Type.Optional(Type.Enum(reviewOutcomes)),
  rule: Type.Optional(Type.String({ maxLength: 40 })),
  assignee: Type.Optional(
    Type.String({
      description: 'Person or key the review is assigned to; `me` for the caller, `none` for unassigned.',
      maxLength: 200,
    }),
  ),
  transactionId: Type.Optional(Type.String({ maxLength: 64 })),
  ...clientQuery,
});

export const listReviews = operation({
  id: 'listReviews',
  method: 'GET',
  path: '/v1/review',
  tag: 'Reviews',
  summary: 'List reviews',
  description: "Transactions that somebody should look at, newest first. An operator sees every PSP's.",
  audience: ['psp', 'operator'],
  query,
  content: Page(ListedReview),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query: q } = call;
    const { limit, before } = readPage('review', q);
    const transaction = idIfAsked('transaction', q.transactionId);
    const filter = {
      psps: principal.kind === 'operator' ? await livePsps(s.db) : [principal.psp],
      account: await listedClient(s, call, q.clientId),
      transaction,
      state: q.state,
      outcome: q.outcome,
      rule: q.rule,
      assignee: q.assignee === 'me' ? principal.actor : q.assignee === 'none' ? null : q.assignee,
    };
    const rows = await list(s.db, { ...filter, before, limit });
    const total = await totalOf(s, q, (db, most) => list(db, { ...filter, limit: most }));
    const shown = await listedReviews(s.db, rows);
    return { message: 'reviews', content: { ...page('review', rows, limit, shown), ...total } };
  },
});
