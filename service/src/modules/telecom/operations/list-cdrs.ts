// Call detail records, newest first.
import { Type } from 'typebox';
import { Refusal } from '../../../core/refusal.ts';
import { listedAccount } from '../../accounts/index.ts';
import { operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { cdrResource, listCdrs as list } from '../cdr-store.ts';
import { CallTypeName, CdrResource } from '../schemas.ts';

/** Ids carry milliseconds since 1970; a bound outside what they can hold is the nearest one they can. */
const bound = (time: string | undefined) =>
  time && new Date(Math.min(Math.max(Date.parse(time), 0), Date.UTC(9999, 11, 31))).toISOString();

export const listCdrs = operation({
  id: 'listCdrs',
  method: 'GET',
  path: '/v1/telecom/cdr',
  tag: 'Telecom',
  summary: 'List call detail records',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded at or after.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Recorded before.' })),
    callType: Type.Optional(CallTypeName),
  }),
  content: Page(CdrResource),
  refusals: ['NOT_FOUND'],
  async handle({ services: s, principal, onBehalfOf, query }) {
    const { limit, before } = readPage('cdr', query);
    const account = await listedAccount(s, principal, onBehalfOf);
    if (account instanceof Refusal) throw account;
    const rows = await list(s.db, {
      psp: principal.psp,
      account,
      callType: query.callType,
      from: bound(query.from),
      to: bound(query.to),
      before,
      limit,
    });
    return { message: 'call detail records', content: page('cdr', rows, limit, cdrResource) };
  },
});
