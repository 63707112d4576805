import { dayMs, isoTime } from '../../../core/calendar.ts';
import { disputeStates } from '../../../core/dispute.ts';
import { DisputeResource } from '../../../entries/disputes.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { idIfAsked } from '../../kernel/asked.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { disputeResource, listDisputes as list } from '../dispute-store.ts';

export const listDisputes = operation({
  id: 'listDisputes',
  method: 'GET',
  path: '/v1/dispute',
  tag: 'Disputes',
  summary: 'List disputes of chargebacks',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    ...countQuery,
    state: Type.Optional(Type.Enum(disputeStates)),
    chargebackId: Type.Optional(Type.String({ maxLength: 64 })),
    dueWithinDays: Type.Optional(
      Type.Integer({ description: 'Only those whose evidence is due within so many days.', minimum: 1, maximum: 366 }),
    ),
    ...clientQuery,
  }),
  content: Page(DisputeResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query: q, now } = call;
    const { limit, before } = readPage('dispute', q);
    const chargeback = idIfAsked('chargeback', q.chargebackId);
    const account = await listedClient(s, call, q.clientId);
    const due = q.dueWithinDays && { from: isoTime(now), to: isoTime(now + q.dueWithinDays * dayMs) };
    const filter = { psp: principal.psp, account, chargeback, state: q.state, ...due };
    const rows = await list(s.db, { ...filter, before, limit });
    const total = await totalOf(s, q, (db, most) => list(db, { ...filter, limit: most }));
    return { message: 'disputes', content: { ...page('dispute', rows, limit, disputeResource), ...total } };
  },
});
