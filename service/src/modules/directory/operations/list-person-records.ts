import { accountWire, fromWire, timeOfId, toWire } from '../../../core/ids.ts';
import { wireNumber } from '../../../core/money.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { Money, Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery } from '../../kernel/paging.ts';
import { personOf } from '../person.ts';
import { everyRecord, knownBy } from '../person-calls.ts';

const kinds = ['transaction', 'wager', 'payout', 'cdr'] as const;

export const listPersonRecords = operation({
  id: 'listPersonRecords',
  method: 'GET',
  path: '/v1/person/:personId/record',
  tag: 'Persons',
  area: 'records',
  summary: "List a person's records",
  description: 'Transactions, wagers, payouts and call detail records that name the person, newest first.',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery }),
  content: Page(
    Named('PersonRecord', 'A record that names a person.', {
      id: Type.String({ description: 'Id of the transaction, wager, payout or call detail record.' }),
      kind: Type.Enum(kinds, { description: 'Kind of the record.' }),
      type: Type.String({ description: 'Operation that recorded it, or `wager`, `payout` or `cdr`.' }),
      clientId: Type.String(),
      ref: Nullable(Type.String()),
      amount: Nullable(Money(), 'Gross amount; null for a call.'),
      currency: Nullable(Type.String(), 'Currency of the amount; null for a call.'),
      status: Nullable(Type.String(), 'Status of a transaction; null for others.'),
      createdAt: Type.String(),
    }),
  ),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query: q } = call;
    const person = await personOf(s, call);
    const before = q.cursor === undefined ? undefined : kinds.map((k) => fromWire(k, q.cursor ?? '')).find((id) => id);
    if (q.cursor !== undefined && before === undefined)
      throw refuse('QUERY_INVALID', "the query parameter 'cursor' is not a cursor of this list");
    const limit = (q.limit ?? 50) + 1;
    const rows = await everyRecord(s.db, person, before, limit);
    if (rows.length === 0 && (await knownBy(s.db, person)).length === 0) throw notFound();
    return {
      message: 'records',
      content: page(
        (r) => r.kind,
        rows,
        limit,
        (r) => ({
          id: toWire(r.kind, r.id),
          kind: r.kind,
          type: r.type,
          clientId: accountWire(person.psp, r.account),
          ref: r.ref,
          amount: r.amount === null ? null : wireNumber(r.amount),
          currency: r.currency,
          status: r.status,
          createdAt: new Date(timeOfId(r.id)).toISOString(),
        }),
      ),
    };
  },
});
