// GET /v1/event: list published events.
import { Type } from 'typebox';
import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { announcedTypes } from '../administer.ts';
import { listEvents as list } from '../delivery-reads.ts';
import { testType } from '../redeliver.ts';
import { bound, EventResource, eventResource, periodQuery } from '../schemas.ts';

export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/v1/event',
  tag: 'Webhooks',
  summary: 'List published events',
  description: 'Events that were published to at least one webhook address.',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    type: Type.Optional(Type.Enum([...announcedTypes, testType])),
    ...periodQuery,
  }),
  content: Page(EventResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('event', query);
    const rows = await list(s.db, {
      ...(await reachOf(s, call)),
      type: query.type,
      since: bound(query.since),
      until: bound(query.until),
      before,
      limit,
    });
    return { message: 'events', content: page('event', rows, limit, eventResource) };
  },
});
