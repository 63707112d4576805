// Wagers and payouts, newest first, and each by its id.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { Payout, Wager } from '../../../entries/gaming.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { readDayRange, rowsQuery } from '../../kernel/day-filter.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { readShownParts, shown, shownQuery } from '../gaming.ts';
import { type GamingFilter, listPayouts as payouts, listWagers as wagers } from '../list-store.ts';
import {
  findPayout,
  findWager,
  payoutPersonalRow,
  payoutResource,
  wagerPersonalRow,
  wagerResource,
} from '../wager-store.ts';

const ref = Type.Optional(Type.String({ maxLength: 200 }));
const gamingRows = {
  ...rowsQuery,
  productLine: Type.Optional(Type.String({ description: '`type` of the wager, in any case.', maxLength: 400 })),
};

/** The filters that wagers and payouts share. */
async function narrowed(
  s: Needs<'db' | 'rates'> & HasAccounts,
  call: Call<unknown, Type.Static<Type.TObject<typeof gamingRows>> & { ref?: string }>,
): Promise<Omit<GamingFilter, 'before' | 'limit'>> {
  const { principal, query } = call;
  const country = query.countryCode?.toUpperCase();
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

export const listWagers = operation({
  id: 'listWagers',
  method: 'GET',
  path: '/v1/wager',
  tag: 'Gaming',
  summary: 'List wagers',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, ref, type: Type.Optional(Type.String({ maxLength: 60 })), ...gamingRows }),
  content: Page(Wager),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'rates'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('wager', query);
    const rows = await wagers(s.db, { ...(await narrowed(s, call)), type: query.type, before, limit });
    return { message: 'wagers', content: page('wager', rows, limit, wagerResource) };
  },
});

export const getWager = operation({
  id: 'getWager',
  method: 'GET',
  path: '/v1/wager/:wagerId',
  tag: 'Gaming',
  summary: 'A wager by its id',
  audience: ['psp', 'client'],
  query: shownQuery,
  content: Wager,
  refusals: ['NOT_FOUND'],
  async handle({ principal, params, query }, s: Needs<'db' | 'subjects'> & HasRateKeeper) {
    const asked = readShownParts(query.expand);
    const id = fromWire('wager', params.wagerId ?? '');
    const w = id && (await findWager(s.db, principal.psp, id));
    if (!w || (principal.kind === 'client' && w.account !== principal.account)) throw notFound();
    return { message: 'wager found', content: await shown(s, wagerResource(w), w, wagerPersonalRow(w.id), asked) };
  },
});

export const listPayouts = operation({
  id: 'listPayouts',
  method: 'GET',
  path: '/v1/payout',
  tag: 'Gaming',
  summary: 'List payouts',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, ref, wagerReference: ref, ...gamingRows }),
  content: Page(Payout),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'rates'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('payout', query);
    const rows = await payouts(s.db, { ...(await narrowed(s, call)), wagerRef: query.wagerReference, before, limit });
    return { message: 'payouts', content: page('payout', rows, limit, payoutResource) };
  },
});

export const getPayout = operation({
  id: 'getPayout',
  method: 'GET',
  path: '/v1/payout/:payoutId',
  tag: 'Gaming',
  summary: 'A payout by its id',
  audience: ['psp', 'client'],
  query: shownQuery,
  content: Payout,
  refusals: ['NOT_FOUND'],
  async handle({ principal, params, query }, s: Needs<'db' | 'subjects'> & HasRateKeeper) {
    const asked = readShownParts(query.expand);
    const id = fromWire('payout', params.payoutId ?? '');
    const p = id && (await findPayout(s.db, principal.psp, id));
    if (!p || (principal.kind === 'client' && p.account !== principal.account)) throw notFound();
    return { message: 'payout found', content: await shown(s, payoutResource(p), p, payoutPersonalRow(p.id), asked) };
  },
});
