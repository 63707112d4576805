// Filters that the lists of wagers and payouts share.
import { type HasAccounts, listedClient } from '../accounts/index.ts';
import { countryIn, readDayRange, rowsQuery } from '../kernel/day-filter.ts';
import { type Call, type Needs, Type } from '../kernel/operation.ts';
import type { GamingFilter } from './list-store.ts';

export const ref = Type.Optional(Type.String({ maxLength: 200 }));
export const gamingRows = {
  ...rowsQuery,
  productLine: Type.Optional(Type.String({ description: '`type` of the wager, in any case.', maxLength: 400 })),
};

/** The filters that wagers and payouts share. */
export async function narrowed(
  s: Needs<'db' | 'rates' | 'reference'> & HasAccounts,
  call: Call<unknown, Type.Static<Type.TObject<typeof gamingRows>> & { ref?: string }>,
): Promise<Omit<GamingFilter, 'before' | 'limit'>> {
  const { principal, query } = call;
  const country = countryIn(s, query);
  return {
    psp: principal.psp,
    account: await listedClient(s, call, query.clientId),
    ref: query.ref,
    country,
    currency: query.currency?.toUpperCase(),
    rule: query.rule,
    productLine: query.productLine?.toLowerCase(),
    days: readDayRange(s, { ...query, ...(country ? { countryCode: country } : {}) }),
  };
}
