// What the operations on totals share: filters, dimensions to group by, and how a line is shown.
import { accountWire } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import { wireSum } from '../../core/sums.ts';
import { totalKinds, totalVerdicts } from '../../core/totals/figures.ts';
import { openPath } from '../../core/totals/open.ts';
import { type HasAccounts, listedClient } from '../accounts/index.ts';
import { countryIn, dayQuery, readDays, rowsQuery } from '../kernel/day-filter.ts';
import { type Call, type Needs, Type } from '../kernel/operation.ts';
import { type TotalDimension, type TotalsFilter, totalDimensions, totalsLag } from './totals-reads.ts';

/** Maximum lines of one answer; use fewer dimensions or days for more. */
const mostLines = 10_000;

const names: Readonly<Record<string, TotalDimension>> = {
  ...Object.fromEntries(totalDimensions.map((d) => [d, d])),
  clientId: 'account',
  countryCode: 'country',
};
const askable = ['day', 'countryCode', 'clientId', 'kind', 'verdict', 'productLine', 'rule'] as const;
/** Amounts of different currencies are never added, nor what was charged back or declined to what was approved. */
const apart: ReadonlySet<TotalDimension> = new Set(['currency', 'verdict']);

export const query = Type.Object({
  ...dayQuery,
  by: Type.Optional(
    Type.String({
      description: `Dimensions to group by besides currency and verdict, separated by commas: ${askable.filter((d) => d !== 'verdict').join(', ')}. Default: countryCode, kind.`,
      maxLength: 100,
    }),
  ),
  ...rowsQuery,
  kind: Type.Optional(Type.Enum(totalKinds)),
  verdict: Type.Optional(Type.Enum(totalVerdicts)),
  productLine: Type.Optional(Type.String({ description: '`type` of the wager, in any case.', maxLength: 400 })),
});
type Query = Type.Static<typeof query>;

export const line = {
  day: Type.Optional(Type.String()),
  countryCode: Type.Optional(Type.String()),
  clientId: Type.Optional(Type.String()),
  currency: Type.String(),
  kind: Type.Optional(Type.String({ description: 'Kind of record.' })),
  verdict: Type.Optional(Type.String()),
  productLine: Type.Optional(Type.String()),
  rule: Type.Optional(Type.String()),
  count: Type.Integer(),
};
export const rowsAt = Type.Union([Type.String(), Type.Null()], {
  description: 'Path of the list of these records; null if they are in more than one list.',
});
export const behind = Type.Integer({ description: 'Journal entries that are not in the totals yet.' });

function readBy(by: string | undefined): TotalDimension[] {
  const asked = by === undefined ? ['countryCode', 'kind'] : by.split(',').map((p) => p.trim());
  for (const a of asked)
    if (!askable.includes(a as never))
      throw refuse(
        'QUERY_INVALID',
        said`the query parameter 'by' knows ${askable.join(', ')}; not '${a.slice(0, 40)}'`,
      );
  const dimensions = new Set(asked.map((a) => names[a] as TotalDimension));
  return totalDimensions.filter((d) => apart.has(d) || dimensions.has(d));
}

async function readFilter(
  s: Needs<'db' | 'reference'> & HasAccounts,
  call: Call<unknown, Query>,
): Promise<TotalsFilter> {
  const { principal, query: q } = call;
  const days = readDays(q);
  if (!days) throw refuse('QUERY_INVALID', "the query parameters 'dayFrom' and 'dayTo' are required: 2026-11-01");
  return {
    psp: principal.psp,
    ...days,
    account: await listedClient(s, call, q.clientId),
    country: countryIn(s, q),
    currency: q.currency?.toUpperCase(),
    kind: q.kind,
    verdict: q.verdict,
    productLine: q.productLine?.toLowerCase(),
    rule: q.rule,
  };
}

type Line = Readonly<Partial<Record<TotalDimension, string>>> & { readonly count: number };

export async function answer<L extends Line>(
  s: Needs<'db' | 'reference'> & HasAccounts,
  call: Call<unknown, Query>,
  ruleOf: 'taxRule' | 'feeRule',
  read: (f: TotalsFilter, by: readonly TotalDimension[]) => Promise<L[]>,
) {
  const { principal } = call;
  const by = readBy(call.query.by);
  const filter = await readFilter(s, call);
  // Read first: what is read next is then at least as new as this says.
  const entriesBehind = await totalsLag(s.db, principal.psp);
  const lines = await read(filter, by);
  if (lines.length > mostLines)
    throw refuse('QUERY_INVALID', said`these are more than ${mostLines} lines; ask for fewer days or by less`);
  const items = lines.map((l) => {
    const { account, country, count, day, currency, kind, verdict, productLine, rule: ruleId, ...figures } = l;
    return {
      ...(day === undefined ? {} : { day }),
      ...(country === undefined ? {} : { countryCode: country }),
      ...(account === undefined ? {} : { clientId: accountWire(principal.psp, account) }),
      currency,
      ...(kind === undefined ? {} : { kind }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(productLine === undefined ? {} : { productLine }),
      ...(ruleId === undefined ? {} : { rule: ruleId }),
      count,
      ...Object.fromEntries(Object.entries(figures).map(([k, v]) => [k, wireSum(v as string)])),
      rows: openPath({ ...filter, ...l, [ruleOf]: ruleId ?? filter.rule }) ?? null,
    };
  });
  return { message: 'totals', content: { items, entriesBehind } };
}

/** What every list of totals declares. */
export const ofTotals = {
  method: 'GET',
  tag: 'Totals',
  audience: ['psp', 'client'],
  query,
  refusals: ['NOT_FOUND'],
} as const;
