import { accountWire, timeOfId, toWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { wireSum } from '../../../core/sums.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { Money, Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { NamedBy, personOf } from '../person.ts';
import { countCalls, knownBy, mostCalls } from '../person-calls.ts';
import { casesOfPerson, countOfPerson, isErased, mostSummed, sumsOfPerson } from '../person-store.ts';

export const getPerson = operation({
  id: 'getPerson',
  method: 'GET',
  path: '/v1/person/:personId',
  tag: 'Persons',
  area: 'records',
  summary: "Totals of a person's records",
  description: `A person is named by the keyed hash of an e-mail, a telephone number, a wallet, a transfer or a network address, as searchAll and listRecordPersons give it. Sums are those of the newest ${mostSummed} records.`,
  audience: ['psp', 'client'],
  content: Named('Person', "Totals of a person's records.", {
    personId: Type.String({ description: 'Keyed hash of what identifies the person.' }),
    namedBy: Type.Array(NamedBy, { description: 'The kinds of value by which records name the person.' }),
    erased: Type.Boolean({ description: 'Whether the personal data was erased; the records stay.' }),
    records: Type.Integer({
      description: 'Payments, wagers and payouts that name the person, at most those that are added up.',
    }),
    more: Type.Boolean({ description: 'Whether there are older records, which are not added up.' }),
    calls: Type.Integer({ description: `Calls and messages from and to the number, at most ${mostCalls}.` }),
    firstAt: Nullable(Type.String(), 'When the oldest of these was recorded; null without records.'),
    lastAt: Nullable(Type.String(), 'When the newest of these was recorded; null without records.'),
    clientIds: Type.Array(Type.String(), { description: 'The accounts that recorded them.' }),
    sums: Type.Array(
      Named('PersonSum', 'Sum of the records of one type, status and currency.', {
        type: Type.String({ description: 'Operation that recorded them, or `wager` or `payout`.' }),
        status: Nullable(Type.String(), 'Status of the transactions; null for wagers and payouts.'),
        currency: Type.String(),
        count: Type.Integer({ description: 'Number of records.' }),
        amount: Money('Sum of the gross amounts.'),
      }),
      { description: 'Sums by type, status and currency.' },
    ),
    cases: Type.Array(
      Named('PersonCase', 'A case about the person.', {
        caseId: Type.String({ description: 'Id of the case, `cas_…`.' }),
        clientId: Type.String(),
        number: Type.Integer({ description: "Number of the case among the PSP's." }),
        state: Type.String({ description: 'State of the case.' }),
      }),
      { description: "The newest 50 cases about the person; empty for a client's key, which sees none." },
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const person = await personOf(s, call);
    const by = await knownBy(s.db, person);
    if (by.length === 0) throw notFound();
    const [count, sums, calls, erased, cases] = await Promise.all([
      countOfPerson(s.db, person),
      sumsOfPerson(s.db, person),
      countCalls(s.db, person),
      isErased(s.db, person.psp, person.person),
      call.principal.kind === 'client' || person.account !== undefined
        ? []
        : casesOfPerson(s.db, person.psp, person.person),
    ]);
    const time = (id: string | null) => id && new Date(timeOfId(id)).toISOString();
    return {
      message: 'person',
      content: {
        personId: person.person,
        namedBy: by,
        erased,
        records: Math.min(count.records, mostSummed),
        more: count.records > mostSummed,
        calls: Math.min(calls, mostCalls),
        firstAt: time(count.first),
        lastAt: time(count.last),
        clientIds: count.accounts.map((a) => accountWire(person.psp, a)),
        sums: sums.map(({ type, status, currency, count, amount }) => ({
          ...{ type, status, currency, count },
          amount: wireSum(amount),
        })),
        cases: cases.map(({ id, account, number, state }) => ({
          caseId: toWire('case', id),
          clientId: accountWire(person.psp, account),
          number,
          state,
        })),
      },
    };
  },
});
