import { type Case, caseStates } from '../../../core/cases/case.ts';
import { fromWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { reviewOutcomes, severities } from '../../../core/risk/review.ts';
import type { Database } from '../../../platform/database.ts';
import { clientNames, type HasAccounts, listedClient, livePsps } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { Extended, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery } from '../../kernel/paging.ts';
import { reviewsNamed } from '../../reviews/index.ts';
import { CaseResource, caseResource } from '../case-resource.ts';
import { findCase, firstAlerts, listCases as list } from '../case-store.ts';

const query = Type.Object({
  ...pageQuery,
  ...countQuery,
  state: Type.Optional(Type.Enum(['ACTIVE', ...caseStates], { description: '`ACTIVE` for all that are not closed.' })),
  severity: Type.Optional(Type.Enum(severities, { description: 'Only cases of this severity.' })),
  queue: Type.Optional(Type.String({ description: 'Only cases in this queue.', maxLength: 40 })),
  outcome: Type.Optional(Type.Enum(reviewOutcomes, { description: 'Only cases with this outcome.' })),
  assignee: Type.Optional(
    Type.String({
      description: 'Person or key the case is assigned to; `me` for the caller, `none` for unassigned.',
      maxLength: 200,
    }),
  ),
  overdue: Type.Optional(Type.Enum(['true'], { description: 'Only open cases whose due date has passed.' })),
  ...clientQuery,
});

const ListedCase = Extended(CaseResource, 'ListedCase', 'A case with the name of its client, and why it was opened.', {
  clientName: Nullable(Type.String(), 'Registered name of the client.'),
  rule: Nullable(Type.String(), 'The rule of its first alert, or BY_HAND; null for a case without alerts.'),
});

export const listCases = operation({
  id: 'listCases',
  method: 'GET',
  path: '/v1/case',
  tag: 'Cases',
  summary: 'List cases',
  description: "Open cases first, by due date; then closed ones, the last closed first. An operator sees every PSP's.",
  audience: ['psp', 'operator'],
  query,
  content: Page(ListedCase),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query: q } = call;
    const limit = (q.limit ?? 50) + 1;
    const own = principal.kind === 'operator' ? undefined : principal.psp;
    const cursor = q.cursor === undefined ? undefined : fromWire('case', q.cursor);
    const after = cursor && (await findCase(s.db, own, cursor));
    if (q.cursor !== undefined && !after)
      throw refuse('QUERY_INVALID', "the query parameter 'cursor' is not a cursor of this list");
    const filter = {
      psps: own === undefined ? await livePsps(s.db) : [own],
      account: await listedClient(s, call, q.clientId),
      open: q.state === 'ACTIVE' ? true : undefined,
      state: q.state === 'ACTIVE' ? undefined : q.state,
      severity: q.severity,
      queue: q.queue,
      outcome: q.outcome,
      assignee: q.assignee === 'me' ? principal.actor : q.assignee === 'none' ? null : q.assignee,
      dueBefore: q.overdue === undefined ? undefined : new Date(call.now).toISOString(),
    };
    const rows = await list(s.db, { ...filter, after, limit });
    const total = await totalOf(s, q, (db, most) => list(db, { ...filter, limit: most }));
    const nameOf = await clientNames(s.db, rows);
    const ruleOf = await openingRules(s.db, rows);
    const shown = (c: Case) => ({ ...caseResource(c), clientName: nameOf(c), rule: ruleOf.get(c.id) ?? null });
    return { message: 'cases', content: { ...page('case', rows, limit, shown), ...total } };
  },
});

/** By case, the rule of the alert that opened it. */
async function openingRules(db: Database, cases: readonly Case[]): Promise<ReadonlyMap<string, string>> {
  if (cases.length === 0) return new Map();
  const first = await firstAlerts(db, cases);
  const keys = cases.flatMap((c) => {
    const alert = first.get(c.id);
    return alert === undefined ? [] : [{ id: c.id, key: { psp: c.psp, ids: [alert] } }];
  });
  const reviews = await reviewsNamed.load(
    db,
    keys.map((k) => k.key),
  );
  return new Map(
    keys.flatMap(({ id, key }) => (reviews.get(reviewsNamed.text(key)) ?? []).map((r) => [id, r.rule] as const)),
  );
}
