// Wagers and payouts, newest first, and each by its id.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { notFound, Refusal } from '../../../core/refusal.ts';
import { listedAccount } from '../../accounts/index.ts';
import { operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { Observations } from '../../transactions/index.ts';
import { expanded, gamingQuery, readParts } from '../gaming.ts';
import {
  findPayout,
  findWager,
  payoutResource,
  listPayouts as payouts,
  wagerResource,
  listWagers as wagers,
} from '../wager-store.ts';

const common = {
  ref: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  countryCode: Type.String(),
  clientId: Type.String(),
  recordedBy: Type.String(),
  taxes: Type.Array(Type.Object({ ruleId: Type.String(), taxableAmount: Type.Number(), tax: Type.Number() })),
  observations: Observations,
  createdAt: Type.String(),
};
const Wager = Type.Object({ wagerId: Type.String(), ...common, type: Type.String(), ip: Type.String() });
const Payout = Type.Object({
  payoutId: Type.String(),
  ...common,
  wagerId: Type.String(),
  wagerReference: Type.String(),
});

const ref = Type.Optional(Type.String({ maxLength: 200 }));

export const listWagers = operation({
  id: 'listWagers',
  method: 'GET',
  path: '/v1/wager',
  tag: 'Gaming',
  summary: 'List wagers',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, ref, type: Type.Optional(Type.String({ maxLength: 60 })) }),
  content: Page(Wager),
  refusals: ['NOT_FOUND'],
  async handle({ services: s, principal, onBehalfOf, query }) {
    const { limit, before } = readPage('wager', query);
    const account = await listedAccount(s, principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    const rows = await wagers(s.db, { psp: principal.psp, account, ref: query.ref, type: query.type, before, limit });
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
  query: gamingQuery,
  content: Wager,
  refusals: ['NOT_FOUND'],
  async handle({ services: s, principal, params, query }) {
    const asked = readParts(query.expand);
    const id = fromWire('wager', params.wagerId ?? '');
    const w = id && (await findWager(s.db, principal.psp, id));
    if (!w || (principal.kind === 'client' && w.account !== principal.account)) throw notFound();
    return { message: 'wager found', content: await expanded(s, wagerResource(w), w, asked) };
  },
});

export const listPayouts = operation({
  id: 'listPayouts',
  method: 'GET',
  path: '/v1/payout',
  tag: 'Gaming',
  summary: 'List payouts',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, ref, wagerReference: ref }),
  content: Page(Payout),
  refusals: ['NOT_FOUND'],
  async handle({ services: s, principal, onBehalfOf, query }) {
    const { limit, before } = readPage('payout', query);
    const account = await listedAccount(s, principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    const rows = await payouts(s.db, {
      psp: principal.psp,
      account,
      ref: query.ref,
      wagerRef: query.wagerReference,
      before,
      limit,
    });
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
  query: gamingQuery,
  content: Payout,
  refusals: ['NOT_FOUND'],
  async handle({ services: s, principal, params, query }) {
    const asked = readParts(query.expand);
    const id = fromWire('payout', params.payoutId ?? '');
    const p = id && (await findPayout(s.db, principal.psp, id));
    if (!p || (principal.kind === 'client' && p.account !== principal.account)) throw notFound();
    return { message: 'payout found', content: await expanded(s, payoutResource(p), p, asked) };
  },
});
