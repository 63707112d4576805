import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { NamedBy } from '../person.ts';
import { personsOf } from '../person-store.ts';
import { recordHits } from '../search-store.ts';

const kinds = ['transaction', 'wager', 'payout'] as const;

export const listRecordPersons = operation({
  id: 'listRecordPersons',
  method: 'GET',
  path: '/v1/record/:recordId/person',
  tag: 'Persons',
  area: 'records',
  summary: 'List the persons a record names',
  description: 'The persons that a transaction, wager or payout names, by the ids that getPerson takes.',
  audience: ['psp', 'client'],
  content: Named('RecordPersons', 'The persons that a record names.', {
    items: Type.Array(
      Named('RecordPerson', 'A person that a record names.', {
        personId: Type.String({ description: 'Keyed hash of what identifies the person.' }),
        namedBy: NamedBy,
      }),
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const wire = call.params.recordId ?? '';
    const kind = kinds.find((k) => fromWire(k, wire));
    const id = kind && fromWire(kind, wire);
    const { psp, account } = await reachOf(s, call);
    const [record] = kind && id ? await recordHits(s.db, [{ psp, kind, id }]) : [];
    if (!record || (account !== undefined && record.account !== account)) throw notFound();
    const persons = await personsOf(s.db, psp, record.id);
    // A hash in hexadecimal is kept in both of its forms, which are one transfer.
    const transfer = persons.find((p) => p.by === 'chainHash');
    const items = persons
      .filter((p) => p.by !== 'chainHash' || p === transfer)
      .map((p) => ({ personId: p.person, namedBy: p.by }));
    return { message: 'persons', content: { items } };
  },
});
