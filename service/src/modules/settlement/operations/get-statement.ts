import { refuse } from '../../../core/refusal.ts';
import { parties, postingKinds } from '../../../core/settlement.ts';
import { Amounts } from '../../../entries/transactions.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { countryIn, dayQuery, readDays, rowsQuery } from '../../kernel/day-filter.ts';
import { Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { totalsLag } from '../../totals/index.ts';
import { statementResource } from '../shown.ts';
import { statements } from '../statement.ts';

export const getStatement = operation({
  id: 'getStatement',
  method: 'GET',
  path: '/v1/settlement/statement',
  tag: 'Settlement',
  summary: 'Settlement statement of a range of days, in double entry',
  description:
    "Postings of approved transactions, chargebacks, reversed chargebacks and nettings, on local days of the country; CSV has these alone. `collected` says where the customers' money is: with the PSP, or already with the merchant (cash, vouchers); discounts nobody paid. `paidOut` left it by withdrawals, which the merchant pays. `payable` is what to pay to each party after that, negative if the party owes it to the PSP; `debts` says the same as who owes whom. `toReturn` what each must return for chargebacks of these days.",
  audience: ['psp', 'client'],
  fileOf: 'postings',
  query: Type.Object({
    ...dayQuery,
    clientId: rowsQuery.clientId,
    countryCode: rowsQuery.countryCode,
    currency: rowsQuery.currency,
  }),
  content: Named('SettlementStatement', 'Postings of these days, by client, country and currency.', {
    dayFrom: Type.String({ description: 'First local day.' }),
    dayTo: Type.String({ description: 'Last day, in the same calendar.' }),
    items: Type.Array(
      Named('StatementOfAccount', 'Postings for a client in a country and currency.', {
        clientId: Type.String(),
        countryCode: Type.String(),
        timeZone: Type.String({ description: 'Time zone of its days.' }),
        currency: Type.String(),
        approved: Type.Integer(),
        chargedBack: Type.Integer(),
        postings: Type.Array(
          Named('Posting', 'A posting in double entry: a debit or a credit of an account.', {
            kind: Type.Enum(postingKinds, { description: 'Cause of the posting.' }),
            account: Type.String({ description: 'The account of the ledger.' }),
            debit: Money('The debit; 0 if it is a credit.'),
            credit: Money('The credit; 0 if it is a debit.'),
          }),
          { description: 'Postings; debits equal credits.' },
        ),
        collected: Named('Collected', 'The money that came in, by who has it.', {
          heldByPsp: Money('Paid through the PSP: what it settles from.'),
          cash: Money('Paid to the merchant in cash.'),
          vouchers: Money('Paid with vouchers, which the PSP does not redeem.'),
          discounts: Money('Discounts, which nobody paid.'),
        }),
        paidOut: Money('Paid out by withdrawals.'),
        payable: Amounts,
        debts: Type.Array(
          Named('Debt', 'An amount that one party owes another for these transactions.', {
            from: Type.Enum(parties, { description: 'The party that owes.' }),
            to: Type.Enum(parties, { description: 'The party that is owed.' }),
            amount: Money(),
          }),
          { description: 'The amounts that the parties owe each other.' },
        ),
        toReturn: Amounts,
        balance: Money('Debits less credits: always 0.'),
      }),
    ),
    entriesBehind: Type.Integer({ description: 'Journal entries that are not in the totals yet.' }),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'rates' | 'reference'> & HasAccounts) {
    const { principal, query } = call;
    const days = readDays(query);
    if (!days) throw refuse('QUERY_INVALID', "the query parameters 'dayFrom' and 'dayTo' are required: 2026-11-01");
    const account = await listedClient(s, call, query.clientId);
    const entriesBehind = await totalsLag(s.db, principal.psp);
    const items = await statements(s.db, {
      psp: principal.psp,
      ...days,
      account,
      country: countryIn(s, query),
      currency: query.currency?.toUpperCase(),
    });
    return {
      message: 'statement',
      content: {
        dayFrom: days.from,
        dayTo: days.to,
        items: items.map((i) => statementResource(s, principal.psp, i)),
        entriesBehind,
      },
    };
  },
});
