import { parties } from '../../../core/settlement.ts';
import { Amounts } from '../../../entries/transactions.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { rowsQuery } from '../../kernel/day-filter.ts';
import { Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { listOutstanding, sumOutstanding } from '../netting-store.ts';
import { agesOf, outstandingResource, partyAgeResource } from '../shown.ts';

export const listOutstandingChargebacks = operation({
  id: 'listOutstandingChargebacks',
  method: 'GET',
  path: '/v1/settlement/outstanding',
  tag: 'Settlement',
  summary: 'Chargeback amounts still to be subtracted',
  description:
    'Oldest first. `parties` has the amount each party still owes by the age of the chargeback in days, over all pages.',
  audience: ['psp', 'client'],
  query: Type.Object({ ...pageQuery, clientId: rowsQuery.clientId, currency: rowsQuery.currency }),
  content: Named('OutstandingChargebackPage', 'One page of chargebacks, oldest first.', {
    ...Page(
      Named('OutstandingChargeback', 'A chargeback with amounts that are still to be subtracted.', {
        chargebackId: Type.String(),
        transactionId: Type.String(),
        ref: Type.String(),
        clientId: Type.String(),
        currency: Type.String(),
        countryCode: Type.String(),
        chargedBackAt: Type.String({ description: 'When the chargeback was recorded, ISO 8601 UTC.' }),
        ageDays: Type.Integer({ description: 'Age of the chargeback in whole days.' }),
        outstanding: Amounts,
      }),
    ).properties,
    parties: Type.Array(
      Named('OutstandingByParty', 'Amount a party still owes, by age of the chargeback.', {
        currency: Type.String(),
        party: Type.Enum(parties, { description: 'Party that owes it.' }),
        outstanding: Money('Amount the party still owes.'),
        byAge: Amounts,
      }),
      { description: 'Amount each party still owes, over all pages.' },
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query } = call;
    const { limit, before: after } = readPage('chargeback', query);
    const filter = {
      psp: principal.psp,
      account: await listedClient(s, call, query.clientId),
      currency: query.currency?.toUpperCase(),
    };
    const rows = await listOutstanding(s.db, { ...filter, after, limit });
    const aged = await sumOutstanding(s.db, filter, new Date(call.now).toISOString());
    return {
      message: 'outstanding chargebacks',
      content: {
        ...page('chargeback', rows, limit, (o) => outstandingResource(principal.psp, o, call.now)),
        parties: agesOf(aged).map(partyAgeResource),
      },
    };
  },
});
