import { cdrClasses } from '../../../core/cdr/classify.ts';
import { accountFromWire, accountWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, pageQuery } from '../../kernel/paging.ts';
import { analysisProgress } from '../analysis/analysis.ts';
import { figuresOf, totalsResource } from '../analysis/resources.ts';
import { ClassName, Month, Progress, TotalsResource } from '../analysis/schemas.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { type FigureKey, listTotals } from '../analysis/totals-store.ts';

const cursorOf = (l: TotalLine): string =>
  [l.period, accountWire(l.psp, l.account), l.class, l.currency, l.callPeriod].join('~');

function readCursor(cursor: string | undefined): FigureKey | undefined {
  if (cursor === undefined) return undefined;
  const [period = '', account = '', is = '', currency = '', callPeriod = '', more] = cursor.split('~');
  const id = accountFromWire(account);
  if (!id || more !== undefined || !(cdrClasses as readonly string[]).includes(is))
    throw refuse('QUERY_INVALID', "the query parameter 'cursor' is not a cursor of this list");
  return { period, account: id, class: is, currency, callPeriod };
}

export const listCdrTotals = operation({
  id: 'listCdrTotals',
  method: 'GET',
  path: '/v1/telecom/analysis',
  tag: 'Telecom',
  summary: 'Totals of call detail records by month, class and tax',
  description:
    'Newest month first. Amounts are exact, with more decimals than their currency has; reports round them. A figure whose `callPeriod` differs from its `period` is an adjustment: its records arrived after their own month was closed.',
  audience: ['psp', 'client'],
  query: Type.Object({
    limit: pageQuery.limit,
    cursor: Type.Optional(Type.String({ description: '`nextCursor` of the previous page.', maxLength: 100 })),
    period: Type.Optional(Month('Only records that count in this month.')),
    class: Type.Optional(ClassName),
    ...clientQuery,
  }),
  content: Named('CallTotalsPage', 'One page of totals, and how complete they are.', {
    ...Page(TotalsResource).properties,
    progress: Progress,
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query } = call;
    const account = await listedClient(s, call, query.clientId);
    const limit = query.limit ?? 50;
    // Read before the totals: if the progress is complete, so are totals that are read later.
    const progress = await analysisProgress(s.db, principal.psp);
    const figures = figuresOf(
      await listTotals(s.db, {
        psp: principal.psp,
        account,
        period: query.period,
        class: query.class,
        before: readCursor(query.cursor),
        limit: limit + 1,
      }),
    );
    const shown = figures.slice(0, limit);
    const last = shown.at(-1)?.[0];
    return {
      message: 'totals of call detail records',
      content: {
        items: shown.map(totalsResource),
        nextCursor: figures.length > limit && last ? cursorOf(last) : null,
        progress,
      },
    };
  },
});
