// POST /v1/search: a search over everything. What is typed may be personal, so it is in the body and in no log.
import { idPrefixes } from '../../../core/ids.ts';
import { roles } from '../../../core/roles.ts';
import { Money, Named, Nullable, operation, Time, Type } from '../../kernel/operation.ts';
import { amountDays, mostAmountDays, type SearchUses, search } from '../search.ts';

export const hitKinds = [...Object.keys(idPrefixes), 'person', 'request', 'riskRule', 'taxRule'];

export const searchAll = operation({
  id: 'searchAll',
  method: 'POST',
  path: '/v1/search',
  tag: 'Overview',
  summary: 'Search over everything',
  description: `Finds an id of any kind, the beginning of a ref, an amount with or without its currency, words of an account's name, a customer's e-mail, telephone number or wallet, a case by its number, a request by its id, and rules. A few hits of each, best first; only what the caller may see. Staff search all PSPs. The text is sent in the body, so that no proxy logs it. Transactions of an amount are those of the last ${amountDays} days, or between from and to; amounts says which.`,
  audience: ['psp', 'client', 'operator'],
  roles,
  standing: 'any',
  body: Type.Object({
    q: Type.String({
      description: 'Text to search for, such as `1,715.23 KES`.',
      minLength: 1,
      maxLength: 200,
      'x-characters': 'any',
    }),
    from: Type.Optional(
      Time(`For an amount: transactions recorded at or after. ${amountDays} days before \`to\` by default.`),
    ),
    to: Type.Optional(
      Time(
        `For an amount: transactions recorded before; now by default, and at most ${mostAmountDays} days after \`from\`.`,
      ),
    ),
  }),
  content: Named('SearchHits', 'Hits of a search, best first.', {
    items: Type.Array(
      Named('SearchHit', 'Something that was found.', {
        kind: Type.Enum(hitKinds, {
          description: 'Kind of the id; `person`, `request`, `riskRule` or `taxRule` for what has no id of a kind.',
        }),
        id: Type.String({
          description: 'Its id; of a person, the keyed hash that `getPerson` takes; of a request, its `x-request-id`.',
        }),
        pspId: Nullable(Type.String(), 'PSP it belongs to; null for what belongs to none.'),
        clientId: Nullable(Type.String(), 'Account it belongs to; null for what belongs to none.'),
        title: Nullable(Type.String(), 'Its ref or name; of a person, the kind of value it was found by.'),
        at: Nullable(Type.String(), 'When it was recorded; of a person, when its newest record was.'),
        amount: Nullable(Money(), 'Gross amount.'),
        currency: Nullable(Type.String(), 'Currency of the amount.'),
        status: Nullable(
          Type.String(),
          'Status, state or standing; NOT_ACCEPTED for an active account whose transactions are declined.',
        ),
      }),
    ),
    amounts: Nullable(
      Named('SearchTime', 'Time in which an amount was searched for.', {
        from: Type.String({ description: 'Recorded at or after.' }),
        to: Type.String({ description: 'Recorded before.' }),
      }),
      'Null if the text is no amount, or the key has no scope for payments.',
    ),
    archivedBefore: Type.Optional(
      Type.String({
        description:
          'Records made before this day (UTC) are in the archive and are not found. Absent if nothing is archived.',
      }),
    ),
  }),
  example: { q: '1,715.23 KES' },
  handle: async (call, s: SearchUses) => ({ message: 'found', content: await search(s, call, call.body) }),
});
