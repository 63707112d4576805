import { refuse } from '../../../core/refusal.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { rowsQuery } from '../../kernel/day-filter.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, pageQuery, readPage } from '../../kernel/paging.ts';
import { currencyCode, rowId } from '../../kernel/text-forms.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { listAnalyses } from '../analysis/analysis-store.ts';
import { analysisResource, noReason } from '../analysis/resources.ts';
import { AnalysisResource, ClassName, FindingName, Month } from '../analysis/schemas.ts';

export const listCdrAnalyses = operation({
  id: 'listCdrAnalyses',
  method: 'GET',
  path: '/v1/telecom/analysis/records',
  tag: 'Telecom',
  summary: 'The call detail records of a total',
  description: "The records behind a figure of the totals, newest first: use the figure's own values as parameters.",
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    period: Month('Only records that count in this month.'),
    callPeriod: Type.Optional(Month('Only calls of this month.')),
    class: Type.Optional(ClassName),
    currency: Type.Optional(Type.String({ description: 'Currency of the cost.', ...currencyCode, maxLength: 3 })),
    ruleId: Type.Optional(
      Type.String({
        description: 'Only records this rule was applied to.',
        ...rowId,
        maxLength: 80,
      }),
    ),
    reason: Type.Optional(
      Type.String({
        description: 'With `ruleId`: only records it left at zero for this reason; `none` for those it charged.',
        minLength: 1,
        maxLength: 200,
      }),
    ),
    finding: Type.Optional(FindingName),
    clientId: rowsQuery.clientId,
  }),
  content: Page(AnalysisResource),
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, query }, s: Needs<'db'> & HasRateKeeper & HasAccounts) {
    const { limit, before } = readPage('cdr', query);
    const account = await listedClient(s, { principal, onBehalfOf }, query.clientId);
    const { period, callPeriod, class: is, currency, ruleId, reason, finding } = query;
    if (reason !== undefined && ruleId === undefined)
      throw refuse('QUERY_INVALID', "the query parameter 'reason' needs a 'ruleId' whose reason it is");
    const rows = await listAnalyses(s.db, {
      psp: principal.psp,
      account,
      period,
      callPeriod,
      class: is,
      currency,
      ruleId,
      reason: reason === noReason ? '' : reason,
      finding,
      before,
      limit,
    });
    const items = await Promise.all(rows.slice(0, limit - 1).map((r) => analysisResource(s, r)));
    const last = rows.length === limit ? items.at(-1) : undefined;
    return { message: 'analysed records', content: { items, nextCursor: last?.cdrId ?? null } };
  },
});
